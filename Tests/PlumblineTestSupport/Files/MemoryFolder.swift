public import PlumblineIO
public import PlumblineRecordings
/// A folder of files in memory, for readers of sequences.
public struct MemoryFolder: CaptureFolder {
  /// The files by name.
  public var files: [String: [UInt8]]

  /// A folder of files.
  public init(_ files: [String: [UInt8]] = [:]) { self.files = files }

  /// A folder of texts.
  public init(texts: [String: String]) { files = texts.mapValues { Array($0.utf8) } }

  /// The names in ascending order of their bytes.
  public var fileNames: [String] {
    files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// All bytes of a file; `.missing` when there is none of that name.
  public func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    guard let bytes = files[fileName] else {
      throw CaptureReadingError(.missing, expected: "the file \(fileName)", found: "none")
    }
    return bytes
  }
}
