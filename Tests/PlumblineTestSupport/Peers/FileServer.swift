import Foundation

/// A server of this machine that gives files in several ways, good and bad: `Tests/Oracles/file_server.py`.
///
/// It ends with the value.
package final class FileServer {
  private let process = Process()
  private let input = Pipe()
  private let folder: TemporaryFolder
  /// The address without a path, such as `http://127.0.0.1:40001`.
  package let address: String

  /// Starts a server, with HTTPS where a certificate is given.
  ///
  /// - Parameters:
  ///   - files: What it serves, by name.
  ///   - certificate: The paths of a certificate and its key.
  /// - Throws: What starting a process throws, and ``PythonPeer/Failure`` where it does not begin.
  package init(
    _ files: [String: [UInt8]], certificate: (path: String, key: String)? = nil
  ) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("files"), withIntermediateDirectories: false)
    for (name, bytes) in files { try folder.put(bytes, at: "files/" + name) }
    try folder.put([], at: "log")
    let script = PackageRoot.url.appending(path: "Tests/Oracles/file_server.py").path
    var words = PythonPeer.command + [script, folder.file("files"), folder.file("log")]
    if let certificate { words += [certificate.path, certificate.key] }
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      process.terminate()
      throw PythonPeer.Failure(status: -1, message: "no port: \(line)")
    }
    address = (certificate == nil ? "http" : "https") + "://127.0.0.1:\(port)"
  }

  /// The requests so far: path and range.
  package var requests: [String] {
    String(decoding: folder.bytes("log") ?? [], as: UTF8.self)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  deinit {
    // The signal that asks may be blocked where the tests run.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
