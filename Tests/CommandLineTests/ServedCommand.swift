import Foundation
import PlumblineTestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// The built program while it serves: its first line, what it answers, and how it ends.
///
/// A run that is forgotten is killed.
final class ServedCommand {
  /// How long a server may take to say where it is, and to end; debug builds on busy machines are slow.
  static let deadlineSeconds = 60.0

  private let process = Process()
  private let folder: TemporaryFolder
  /// The first line on standard output.
  let link: String
  /// The port in it.
  let port: UInt16

  /// Starts the program and waits for its first line.
  ///
  /// - Parameters:
  ///   - arguments: What follows its name.
  ///   - environment: Variables beside those of this process, and in their place.
  /// - Throws: Where it ends, or says nothing, instead.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for name in ["out", "err"] { try folder.put([], at: name) }
    process.executableURL = URL(filePath: CommandRun.program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.file("out")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.file("err")))
    try process.run()
    let end = Date().addingTimeInterval(Self.deadlineSeconds)
    var text = ""
    while !text.contains("\n"), process.isRunning, Date() < end {
      usleep(5_000)
      text = String(decoding: folder.bytes("out") ?? [], as: UTF8.self)
    }
    link = String(text.prefix { $0 != "\n" })
    let authority = link.components(separatedBy: "://").last?.prefix { $0 != "/" } ?? ""
    let digits = authority.split(separator: ":").last ?? ""
    guard let port = UInt16(digits) else {
      kill(process.processIdentifier, SIGKILL)
      throw CocoaError(
        .coderInvalidValue,
        userInfo: ["message": String(decoding: folder.bytes("err") ?? [], as: UTF8.self)])
    }
    self.port = port
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The lines of standard output so far.
  var lines: [String] {
    String(decoding: folder.bytes("out") ?? [], as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  /// The number of its process.
  var processIdentifier: Int32 { process.processIdentifier }

  /// The text of standard error so far.
  var message: String { String(decoding: folder.bytes("err") ?? [], as: UTF8.self) }

  /// Whether standard error says some words, which may come a moment after the link.
  func says(_ words: String) -> Bool {
    let end = Date().addingTimeInterval(Self.deadlineSeconds)
    while !message.contains(words), process.isRunning, Date() < end { usleep(5_000) }
    return message.contains(words)
  }

  /// The answer to a path: its status and body, through a socket of its own.
  func get(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: Int(Self.deadlineSeconds), tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw CocoaError(.fileReadUnknown) }
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
    guard write(descriptor, request, request.count) == request.count else {
      throw CocoaError(.fileWriteUnknown)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      answer += buffer.prefix(count)
    }
    let mark = Array("\r\n\r\n".utf8)
    guard
      let end = (0...max(answer.count - 4, 0)).first(where: { answer[$0...].starts(with: mark) })
    else { throw CocoaError(.coderInvalidValue) }
    let head = String(decoding: answer[..<end], as: UTF8.self).split(separator: " ")
    guard head.count > 1, let status = Int(head[1]) else { throw CocoaError(.coderInvalidValue) }
    return (status, Array(answer[(end + 4)...]))
  }

  /// Asks it to end and waits.
  ///
  /// - Returns: The exit status; `nil` where a signal or the deadline ended it.
  func terminate(by signal: Int32 = SIGTERM) -> Int32? {
    kill(process.processIdentifier, signal)
    let end = Date().addingTimeInterval(Self.deadlineSeconds)
    while process.isRunning, Date() < end { usleep(5_000) }
    guard !process.isRunning else { return nil }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }
}
