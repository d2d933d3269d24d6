public import PlumblineIO
public import PlumblineModel

/// The files of a folder, or of an archive, as a reader of recordings sees them.
///
/// It lets Formats read folders without touching the disk itself: the command line hands in a real
/// folder or an archive, tests hand in bytes. Names are paths with `/` between folders, such as
/// `depth/000012.png`; none starts with `/` or has a part `..`.
public protocol CaptureFolder: Sendable {
  /// The paths of its regular files, those of folders inside too, in ascending order of their bytes.
  var fileNames: [String] { get }

  /// What is odd about the folder itself, such as entries that cannot be read.
  var findings: [Finding] { get }

  /// All bytes of a file.
  ///
  /// - Throws: ``CaptureReadingError`` when it cannot be read or is over a limit.
  func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8]

  /// The first bytes of a file, at most `count`; all of them when it has no more.
  ///
  /// Layouts are distinguished and frames ordered by them, so a folder on a disk should read no
  /// more than is requested.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func firstBytes(of fileName: String, count: Int) throws(CaptureReadingError) -> [UInt8]

  /// A file for reading piece by piece, such as a video; no limit of size holds for it.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource
}

extension CaptureFolder {
  /// Nothing.
  public var findings: [Finding] { [] }

  /// The first bytes of a file, by way of all of them.
  public func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    Array(try bytes(of: fileName).prefix(count))
  }

  /// A file as a source, by way of all of its bytes.
  public func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    MemoryBytes(try bytes(of: fileName))
  }

  /// The names of the files that lie in no folder inside.
  var topFileNames: [String] { fileNames.filter { !$0.utf8.contains(UInt8(ascii: "/")) } }
}

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

/// The parts of a path inside a recording's folder.
struct FolderPath: Hashable {
  /// The folder with its last `/`; empty at the top.
  let folder: String
  /// The name without folder and ending.
  let stem: String
  /// The ending in small letters, without its dot; empty for none.
  let ending: String

  /// Takes a path apart.
  init(_ path: String) {
    // By bytes, as the operating system sees it; see pathParts.
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) }
    folder = start.map { String(path[..<$0]) } ?? ""
    let name = path[(start ?? path.startIndex)...]
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex {
      stem = String(name[..<dot])
      ending = name[bytes.index(after: dot)...].lowercased()
    } else {
      stem = String(name)
      ending = ""
    }
  }

  /// The endings of images of color.
  static let colorEndings: Set<String> = ["jpg", "jpeg", "png", "heic", "ppm"]
}

/// Paths that a recording's own text names, which must stay in its folder.
enum RelativePath {
  /// The path as ``CaptureFolder`` names it, without `.` and empty parts.
  ///
  /// - Returns: `nil` for one that is absolute, has a part `..`, or names nothing.
  static func normalized(_ path: String) -> String? {
    // A drive letter or a scheme makes it absolute on some systems.
    guard path.utf8.count <= 4096, !path.utf8.contains(UInt8(ascii: ":")),
      path.utf8.first != UInt8(ascii: "/"), path.utf8.first != UInt8(ascii: "\\")
    else { return nil }
    let parts = pathParts(path).filter { !$0.isEmpty && $0 != "." }
    guard !parts.isEmpty, !parts.contains("..") else { return nil }
    return parts.joined(separator: "/")
  }
}

/// The order of names in which numbers count as numbers: `frame-9` before `frame-10`.
enum NaturalOrder {
  /// Whether one name comes before another.
  ///
  /// Names that differ in leading zeros alone follow their bytes. O(length).
  static func precedes(_ a: String, _ b: String) -> Bool {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      guard isDigit(a[i]), isDigit(b[j]) else {
        if a[i] != b[j] { return a[i] < b[j] }
        i += 1
        j += 1
        continue
      }
      let first = number(in: a, &i)
      let second = number(in: b, &j)
      // Without leading zeros, the longer of two numbers is the larger one.
      if first.count != second.count { return first.count < second.count }
      if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
    }
    if a.count - i != b.count - j { return a.count - i < b.count - j }
    return a.lexicographicallyPrecedes(b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

  private static func number(in name: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < name.count, isDigit(name[index]) { index += 1 }
    return name[start..<index].drop { $0 == 48 }
  }
}
