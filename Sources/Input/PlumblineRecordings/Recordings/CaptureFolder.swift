public import PlumblineIO
public import PlumblineModel

/// The files of a folder or an archive, for readers of recordings.
///
/// With it, recordings are read without direct access to the disk: the command line passes a real
/// folder or an archive, tests pass bytes. Names are paths with `/` between folders, such as
/// `depth/000012.png`; none starts with `/` or contains a part `..`.
public protocol CaptureFolder: Sendable {
  /// The paths of its regular files, including those in subfolders, in ascending byte order.
  var fileNames: [String] { get }

  /// The findings about the folder itself, such as unreadable entries.
  var findings: [Finding] { get }

  /// All bytes of a file.
  ///
  /// - Throws: ``CaptureReadingError`` if it cannot be read or exceeds a limit.
  func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8]

  /// The first bytes of a file, at most `count`; the whole file if it is shorter.
  ///
  /// Layouts are recognized and frames are sorted with them, so an implementation for a disk should
  /// not read more than requested.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func firstBytes(of fileName: String, count: Int) throws(CaptureReadingError) -> [UInt8]

  /// A file for reading in pieces, such as a video; it has no size limit.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource
}

extension CaptureFolder {
  /// No findings.
  public var findings: [Finding] { [] }

  /// The first bytes of a file, by reading the whole file.
  public func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    Array(try bytes(of: fileName).prefix(count))
  }

  /// A file as a source, by reading the whole file.
  public func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    MemoryBytes(try bytes(of: fileName))
  }

  /// The names of the files that are not in subfolders.
  var topFileNames: [String] { fileNames.filter { !$0.utf8.contains(UInt8(ascii: "/")) } }
}

/// A subfolder as a separate folder, with names relative to it.
///
/// Archives of scans usually contain one folder with the scan.
struct Subfolder: CaptureFolder {
  private let base: any CaptureFolder
  /// The path of the subfolder with a trailing `/`; empty for the folder itself.
  let path: String
  let fileNames: [String]

  /// The folder at a path that is empty or ends with `/`.
  init(_ base: any CaptureFolder, path: String) {
    self.base = base
    self.path = path
    // The byte order is preserved when all names lose the same prefix. It compares bytes:
    // characters would join a `/` to a following combining mark, and would be slow.
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
  /// The shortest path, or the first of several, to a folder with a file that a condition accepts;
  /// empty for this folder, `nil` for none.
  ///
  /// - Parameters:
  ///   - depth: The number of folders between that folder and the file.
  ///   - isSign: Whether a path relative to that folder (`depth` folders and a file name) is
  ///     accepted.
  /// - Returns: The path, with a trailing `/` unless it is empty.
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
  /// The folder with a trailing `/`; empty at the top.
  let folder: String
  /// The name without folder and ending.
  let stem: String
  /// The ending in lowercase, without its dot; empty for none.
  let ending: String

  /// Splits a path.
  init(_ path: String) {
    // It splits bytes, as the operating system does; see pathParts.
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

  /// The endings of color images.
  static let colorEndings: Set<String> = ["jpg", "jpeg", "png", "heic", "ppm"]
}

/// Paths inside the text of a recording, which must stay in its folder.
enum RelativePath {
  /// The path in the form of ``CaptureFolder``, without `.` and empty parts.
  ///
  /// - Returns: `nil` for a path that is absolute, contains a part `..`, or is empty.
  static func normalized(_ path: String) -> String? {
    // A drive letter or a URL scheme makes a path absolute on some systems.
    guard path.utf8.count <= 4096, !path.utf8.contains(UInt8(ascii: ":")),
      path.utf8.first != UInt8(ascii: "/"), path.utf8.first != UInt8(ascii: "\\")
    else { return nil }
    let parts = pathParts(path).filter { !$0.isEmpty && $0 != "." }
    guard !parts.isEmpty, !parts.contains("..") else { return nil }
    return parts.joined(separator: "/")
  }
}

/// Natural sort order of names: `frame-9` before `frame-10`.
enum NaturalOrder {
  /// Whether one name comes before another.
  ///
  /// Names that differ only in leading zeros are in byte order. O(length).
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
      // Without leading zeros, the number with more digits is larger.
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
