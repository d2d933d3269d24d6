import Foundation

/// Runs the viewer's modules outside a browser, with a `node` in the path.
///
/// Tests carry `.enabled(if: NodePeer.isPresent, "\(NodePeer.absence)")`, so that its absence skips
/// visibly.
package enum NodePeer {
  /// Whether there is a `node`; starts one (about 0.1 s).
  package static var isPresent: Bool { (try? run("")) != nil }

  /// What a test says when it is skipped.
  package static let absence = "no node in PATH"

  /// Runs code after a module of `Sources/C/CEmbeddedData/viewer` that imports nothing.
  ///
  /// - Returns: All bytes of standard output.
  /// - Throws: ``PythonPeer/Failure`` when the code does not end with status 0.
  package static func run(after module: String, _ code: String) throws -> [UInt8] {
    let path = PackageRoot.url.appending(path: "Sources/C/CEmbeddedData/viewer/\(module)")
    return try run(String(decoding: try Data(contentsOf: path), as: UTF8.self) + code)
  }

  private static func run(_ code: String) throws -> [UInt8] {
    try PythonPeer.start(
      ["node", "--input-type=module", "--eval", code], of: ["/usr/bin/env"])
  }
}
