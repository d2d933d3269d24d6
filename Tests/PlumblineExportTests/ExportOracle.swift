import Foundation
import PlumblineTestSupport

/// What another program reads out of exported bytes.
struct ExportOracle {
  /// Shape, type and texts as JSON on one line.
  let about: String
  /// The raw values.
  let values: [UInt8]

  /// Writes bytes to a file and lets a reader of `Tests/Oracles/export_values.py` read it.
  init(_ reader: String, _ bytes: [UInt8], name: String) throws {
    let folder = try TemporaryFolder()
    try folder.put(bytes, at: name)
    let answer = try PythonPeer.run("export_values.py", reader, folder.file(name))
    let end = answer.firstIndex(of: UInt8(ascii: "\n")) ?? answer.endIndex
    about = String(decoding: answer[..<end], as: UTF8.self)
    values = [UInt8](answer[end...].dropFirst())
  }
}

/// The bytes of an array as they lie in memory.
func rawBytes<Element: BitwiseCopyable>(_ array: [Element]) -> [UInt8] {
  array.withUnsafeBytes { [UInt8]($0) }
}
