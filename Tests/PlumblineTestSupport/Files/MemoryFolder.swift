package import PlumblineIO
import PlumblineRecordings
/// A folder of files in memory, for readers of sequences.
package struct MemoryFolder: CaptureFolder {
  /// The files by name.
  package var files: [String: [UInt8]]

  /// A folder of files.
  package init(_ files: [String: [UInt8]] = [:]) { self.files = files }

  /// A folder of texts.
  package init(texts: [String: String]) { files = texts.mapValues { Array($0.utf8) } }

  /// The names in ascending order of their bytes.
  package var fileNames: [String] {
    files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// All bytes of a file; `.missing` when there is none of that name.
  package func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    guard let bytes = files[fileName] else {
      throw CaptureReadingError(.missing, expected: "the file \(fileName)", found: "none")
    }
    return bytes
  }
}
