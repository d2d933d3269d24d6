import Foundation
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("plumbline serve: the kept certificate, and the end of what was given out")
struct ServeAccessTests {
  private static let hasOpenSSL = [
    "/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl",
  ].contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// The certificate's fingerprint in a link.
  private static func fingerprint(_ server: ServedCommand) throws -> String {
    try #require(server.link.components(separatedBy: "fp=").dropFirst().first)
  }

  private static func serve(
    _ state: TemporaryFolder, _ more: [String] = []
  ) throws -> ServedCommand {
    try ServedCommand(
      ["serve", ViewCommandTests.demo, "--no-open", "--tls"] + more,
      environment: ["XDG_STATE_HOME": state.path])
  }

  @Test(
    "The certificate stays from start to start, readable by its user alone, and is shown",
    .enabled(if: hasOpenSSL))
  func kept() throws {
    let state = try TemporaryFolder()
    let path = state.file("plumbline/certificate.pem")
    let first = try Self.serve(state)
    let fingerprint = try Self.fingerprint(first)
    #expect(fingerprint.count == 64)
    #expect(first.says("a new certificate was made, since none was there") && first.says("SHA-256"))
    #expect(
      first.message.replacingOccurrences(of: " ", with: "").contains("SHA-256is" + fingerprint))
    #expect(first.terminate() == 0)
    let second = try Self.serve(state)
    #expect(try Self.fingerprint(second) == fingerprint)
    #expect(!second.message.contains("a new certificate"), "\(second.message)")
    #expect(second.terminate() == 0)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(state.file("plumbline"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: state.file("plumbline"))
        == ["certificate.pem"])
  }

  @Test(
    "It is made anew where others could read it, where it is damaged, and for another name",
    .enabled(if: hasOpenSSL))
  func renewed() throws {
    let state = try TemporaryFolder()
    let path = state.file("plumbline/certificate.pem")
    var last = ""
    func serve(_ more: [String] = [], says words: String, isNew: Bool = true) throws {
      let server = try Self.serve(state, more)
      let fingerprint = try Self.fingerprint(server)
      #expect((fingerprint != last) == isNew, "\(words)")
      #expect(server.says(words), "\(server.message)")
      #expect(server.terminate() == 0)
      last = fingerprint
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
      #expect(status.st_mode & 0o777 == 0o600)
    }
    try serve(says: "none was there")
    #expect(chmod(path, 0o644) == 0)
    try serve(says: "others may read or write")
    try serve(["--name", "desk.local"], says: "is not for desk.local")
    // It holds more than is requested now.
    try serve(says: "SHA-256", isNew: false)
    let bytes = try #require(state.bytes("plumbline/certificate.pem"))
    try state.put(Array(bytes.prefix(bytes.count / 2)), at: "plumbline/certificate.pem")
    #expect(chmod(path, 0o600) == 0)
    try serve(says: "is damaged")
    // A link is not followed, and what it leads to is left as it is.
    try state.put(bytes, at: "elsewhere.pem")
    #expect(chmod(state.file("elsewhere.pem"), 0o600) == 0)
    #expect(unlink(path) == 0 && symlink(state.file("elsewhere.pem"), path) == 0)
    try serve(says: "a new certificate was made")
    #expect(state.bytes("elsewhere.pem") == bytes)
    // Where others may put files nothing is kept.
    #expect(chmod(state.file("plumbline"), 0o777) == 0 && unlink(path) == 0)
    let open = try Self.serve(state)
    #expect(open.says("ends with this run, since others may put files"), "\(open.message)")
    #expect(open.terminate() == 0)
    #expect(state.bytes("plumbline/certificate.pem") == nil)
  }

  @Test(
    "It is made anew where it ends soon, and where it is another user's",
    .enabled(if: hasOpenSSL))
  func renewedInTime() throws {
    let state = try TemporaryFolder()
    let path = state.file("plumbline/certificate.pem")
    #expect(try Self.serve(state).terminate() == 0)
    let kept = try #require(state.bytes("plumbline/certificate.pem"))
    let names = kept.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
    for (days, isNew) in [(20, true), (40, false)] {
      let openssl = Process()
      openssl.executableURL = URL(filePath: "/usr/bin/env")
      openssl.arguments = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-subj", "/CN=x", "-days", "\(days)", "-keyout", state.file("key"), "-out",
        state.file("cert"),
      ]
      openssl.standardError = FileHandle.nullDevice
      try openssl.run()
      openssl.waitUntilExit()
      let pem = try #require(state.bytes("cert")) + #require(state.bytes("key"))
      try state.put(names + pem, at: "plumbline/certificate.pem")
      #expect(chmod(path, 0o600) == 0)
      let server = try Self.serve(state)
      // Whole days from now: 20 within the second in which the certificate was made, 19 after it.
      let isSaid = [19, 20].contains { server.message.contains("kept ends in \($0) days") }
      #expect(isSaid == isNew, "\(server.message)")
      #expect(server.message.contains("a new certificate") == isNew, "\(server.message)")
      #expect(server.terminate() == 0)
    }
    // Only root can give a file away.
    guard geteuid() == 0 else { return }
    #expect(chown(path, 12345, 12345) == 0)
    let server = try Self.serve(state)
    #expect(server.message.contains("a new certificate was made, since"), "\(server.message)")
    #expect(server.terminate() == 0)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_uid == 0)
  }

  @Test(
    "--revoke ends the links of servers that run, and the kept certificate",
    .enabled(if: hasOpenSSL))
  func revoke() throws {
    let state = try TemporaryFolder()
    let environment = ["XDG_STATE_HOME": state.path]
    let server = try ServedCommand(
      ["serve", ViewCommandTests.demo, "--no-open", "--host", "0.0.0.0", "--tls"],
      environment: environment)
    let link = try #require(server.lines.first)
    #expect(link.contains("token="))
    let run = try CommandRun(["serve", "--revoke"], environment: environment)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.message)")
    #expect(state.bytes("plumbline/certificate.pem") == nil)
    let end = Date().addingTimeInterval(ServedCommand.deadlineSeconds)
    while server.lines.count < 2, Date() < end { usleep(20_000) }
    let next = try #require(server.lines.dropFirst().first, "\(server.message)")
    #expect(next != link && next.contains("token="))
    // The certificate of a server that runs is still its own.
    #expect(next.components(separatedBy: "fp=").last == link.components(separatedBy: "fp=").last)
    #expect(server.terminate() == 0)
    for wrong in [["serve", "--revoke", "x"], ["serve", "--revoke", "--source", "simulated"]] {
      #expect(try CommandRun(wrong, environment: environment).status == 64, "\(wrong)")
    }
  }
}
