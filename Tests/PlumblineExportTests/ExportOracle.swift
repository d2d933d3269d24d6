import Foundation
import PlumblineTestSupport

/// What another program reads out of exported bytes.
struct ExportOracle {
  /// Shape, type and texts as JSON on one line.
  let about: String
  /// The raw values.
  let values: [UInt8]

  /// Writes bytes to a file and lets a reader of `Tests/Oracles/export_values.py` read it.
  init(
    _ reader: String, _ bytes: [UInt8], script: String = "export_values.py", name: String
  ) throws {
    let answer = try Self.bytes(reader, bytes, script: script, name: name)
    let end = answer.firstIndex(of: UInt8(ascii: "\n")) ?? answer.endIndex
    about = String(decoding: answer[..<end], as: UTF8.self)
    values = [UInt8](answer[end...].dropFirst())
  }

  /// All that a script writes about bytes in a file.
  static func bytes(
    _ action: String, _ bytes: [UInt8], script: String, name: String
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.put(bytes, at: name)
    return try PythonPeer.run(script, action, folder.file(name))
  }
}

/// The bytes of an array as they lie in memory.
func rawBytes<Element: BitwiseCopyable>(_ array: [Element]) -> [UInt8] {
  array.withUnsafeBytes { [UInt8]($0) }
}
