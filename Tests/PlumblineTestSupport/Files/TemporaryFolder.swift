import Foundation

/// A new folder that disappears with its last use; hidden files count too.
package final class TemporaryFolder: Sendable {
  /// The absolute path of the folder, without a slash at its end.
  package let path: String

  /// Makes a folder with a unique name.
  ///
  /// - Throws: What the system says when the folder cannot be made.
  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/plumbline-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Everything in the folder, hidden files included, in order.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// The bytes of a file; `nil` when there is none.
  package func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) }
  }

  /// Writes a file as others do.
  package func put(_ bytes: [UInt8], at name: String) throws {
    try Data(bytes).write(to: URL(filePath: file(name)))
  }

  /// Writes a shell script that can be started at once.
  ///
  /// `cp` writes it, not this process: a program that another test starts at this moment would have a copy of the
  /// open file for a while, and a file that is open for writing cannot be started ("Text file busy").
  ///
  /// - Returns: The path.
  package func putScript(_ script: String, at name: String) throws -> String {
    try put(Array("#!/bin/sh\n\(script)\n".utf8), at: name + ".text")
    let copy = Process()
    copy.executableURL = URL(filePath: "/bin/cp")
    copy.arguments = [file(name + ".text"), file(name)]
    try copy.run()
    copy.waitUntilExit()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file(name))
    return file(name)
  }
}
