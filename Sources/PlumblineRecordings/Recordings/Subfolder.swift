import PlumblineIO

/// A folder inside another one, as a folder of its own: names lose the path to it.
///
/// Archives of scans commonly hold one folder that holds the scan.
struct Subfolder: CaptureFolder {
  private let base: any CaptureFolder
  /// The path to it with a `/` at its end; empty for the folder itself.
  let path: String
  let fileNames: [String]

  /// The folder at a path that ends with `/` or is empty.
  init(_ base: any CaptureFolder, path: String) {
    self.base = base
    self.path = path
    // The order of bytes stays when all names lose the same beginning.
    // By bytes: characters would join a `/` to a combining mark behind it, and take long.
    fileNames = base.fileNames.lazy.filter { $0.utf8.starts(with: path.utf8) }.map {
      String(Substring($0.utf8.dropFirst(path.utf8.count)))
    }
  }

  func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    try base.bytes(of: path + fileName)
  }

  func firstBytes(of fileName: String, count: Int) throws(CaptureReadingError) -> [UInt8] {
    try base.firstBytes(of: path + fileName, count: count)
  }

  func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    try base.source(of: path + fileName)
  }
}

extension CaptureFolder {
  /// The shortest path, and of these the first, to a folder with a file at a place inside that a
  /// condition accepts; empty for this folder, `nil` for none.
  ///
  /// - Parameters:
  ///   - depth: How many folders lie between that folder and the file.
  ///   - isSign: Whether a path inside that folder, `depth` folders and a file name, is the sign.
  /// - Returns: The path, with a `/` at its end unless it is empty.
  func pathOfFolder(
    withFileAtDepth depth: Int, where isSign: (Substring) -> Bool
  ) -> String? {
    var best: String?
    for name in fileNames {
      var start = name.endIndex
      var slashes = 0
      // The file's own name and `depth` folders, counted from the end.
      while start > name.startIndex {
        let before = name.utf8.index(before: start)
        if name.utf8[before] == UInt8(ascii: "/") {
          if slashes == depth { break }
          slashes += 1
        }
        start = before
      }
      guard slashes == depth, isSign(name[start...]) else { continue }
      let path = String(name[..<start])
      if path.utf8.count < best?.utf8.count ?? .max { best = path }
      if path.isEmpty { break }
    }
    return best
  }
}
