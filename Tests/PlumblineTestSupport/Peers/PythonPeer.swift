import Foundation

/// Runs oracle scripts of `Tests/Oracles` with a Python that has the peers' packages.
///
/// `PLUMBLINE_PYTHON` names the interpreter; without it `.venv/bin/python` in the checkout is
/// taken when it exists, else `python3`. Tests that need a package carry
/// `.enabled(if: PythonPeer.has("pillow_heif"), "…")`, so that its absence skips visibly.
package enum PythonPeer {
  /// An error when a script fails.
  package struct Failure: Error, CustomStringConvertible {
    /// The interpreter's exit status, or −1 when it could not be started.
    package var status: Int32
    /// The text that it wrote to standard error.
    package var message: String
    /// Status and message in one line.
    package var description: String { "the peer ended with \(status): \(message)" }
  }

  /// The interpreter and the arguments that must precede a script's path.
  static let command: [String] = {
    if let named = ProcessInfo.processInfo.environment["PLUMBLINE_PYTHON"] { return [named] }
    let local = PackageRoot.url.appending(path: ".venv/bin/python").path
    if FileManager.default.isExecutableFile(atPath: local) { return [local] }
    return ["/usr/bin/env", "python3"]
  }()

  /// Whether a Python module can be imported; asks the interpreter each time (about 0.1 s).
  package static func has(_ modules: String...) -> Bool {
    let names = modules.map { "'\($0)'" }.joined(separator: ",")
    let code =
      "import importlib.util as u, sys\n"
      + "sys.exit(0 if all(u.find_spec(m) for m in [\(names)]) else 3)"
    return (try? start(["-c", code])) != nil
  }

  /// What a test says when it is skipped for want of a module.
  package static func absence(_ module: String) -> String {
    "no Python with \(module): set PLUMBLINE_PYTHON to an interpreter that has it"
  }

  /// Runs `Tests/Oracles/<script>` and returns what it wrote to standard output.
  ///
  /// - Parameters:
  ///   - script: The file name, such as `heif_planes.py`.
  ///   - arguments: Passed to the script as they are.
  /// - Returns: All bytes of standard output.
  /// - Throws: ``Failure`` when the script does not end with status 0.
  package static func run(_ script: String, _ arguments: String...) throws -> [UInt8] {
    try run(script, arguments: arguments)
  }

  /// Runs `Tests/Oracles/<script>` with a list of arguments; the rest as above.
  package static func run(_ script: String, arguments: [String]) throws -> [UInt8] {
    let path = PackageRoot.url.appending(path: "Tests/Oracles/\(script)").path
    return try start([path] + arguments)
  }

  /// Runs code and returns what it wrote to standard output.
  ///
  /// - Throws: ``Failure`` when the code does not end with status 0.
  package static func evaluate(_ code: String, _ arguments: String...) throws -> [UInt8] {
    try start(["-c", code] + arguments)
  }

  /// Runs a program, this one's interpreter or another peer's.
  static func start(_ arguments: [String], of command: [String] = command) throws -> [UInt8] {
    // Both streams go to files: two pipes of one process can block each other when one fills.
    let name = "plumbline-peer-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appending(path: "out")
    let errors = folder.appending(path: "err")
    try Data().write(to: output)
    try Data().write(to: errors)
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = command.dropFirst() + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    do { try process.run() } catch { throw Failure(status: -1, message: "\(error)") }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let message = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
      throw Failure(status: process.terminationStatus, message: message)
    }
    return [UInt8](try Data(contentsOf: output))
  }
}
