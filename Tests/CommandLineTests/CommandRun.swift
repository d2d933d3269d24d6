import Foundation
import PlumblineTestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// One run of the built program: what it was given, and all that came of it.
///
/// Every run has a deadline and a limit of memory, so that no fault can hang the suite.
struct CommandRun {
  /// The processor time that a run may take: twice what the slowest takes in a debug build,
  /// `verify` of seventeen frames; all others take a tenth of it.
  static let processorSeconds = 60
  /// The wall-clock time after which a run is killed, however busy the machine is.
  static let deadlineSeconds = 120.0
  /// The address space of a run; code, stacks and mappings are part of it.
  static let addressSpaceKilobytes = 3 << 20

  /// The exit status; `nil` when a signal ended the run.
  let status: Int32?
  /// The bytes of standard output.
  let output: [UInt8]
  /// The text of standard error.
  let message: String
  /// Whether the deadline ended the run.
  let wasLate: Bool

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The JSON document that standard output must be.
  func document() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output))
    guard let document = value as? [String: Any] else { throw CocoaError(.coderInvalidValue) }
    return document
  }

  /// Where the program lies: beside the test bundle.
  static let program: String = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent().appending(path: "plumbline").path
    #else
      return (Bundle.main.executableURL ?? Bundle.main.bundleURL)
        .deletingLastPathComponent().appending(path: "plumbline").path
    #endif
  }()

  /// Runs the program and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: Passed as they are.
  ///   - environment: Added to this process's own.
  ///   - shell: The command line of `sh` that runs the program, which is `"$0" "$@"`.
  ///   - program: The program; the command itself unless given.
  /// - Throws: What starting a process and its files throws.
  init(
    _ arguments: [String], environment: [String: String] = [:], shell: String = #"exec "$0" "$@""#,
    program: String = Self.program
  ) throws {
    let folder = try TemporaryFolder()
    for name in ["out", "err"] { try folder.put([], at: name) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // The memory checkers of a sanitizer reserve more address space than any machine has.
    let limit =
      "ulimit -c 0; ulimit -t \(Self.processorSeconds); ulimit -v \(Self.addressSpaceKilobytes) 2>/dev/null; "
    process.arguments = ["-c", limit + shell, program] + arguments
    // `swift test` sets NO_COLOR where its own output is no terminal.
    var variables = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
    variables["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = variables.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.file("out")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.file("err")))
    try process.run()
    let end = Date().addingTimeInterval(Self.deadlineSeconds)
    while process.isRunning && Date() < end { usleep(2_000) }
    wasLate = process.isRunning
    if wasLate { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : nil
    output = folder.bytes("out") ?? []
    message = String(decoding: folder.bytes("err") ?? [], as: UTF8.self)
  }

  /// Runs the program with arguments alone.
  init(_ arguments: String...) throws { try self.init(arguments) }
}
