#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
public import PlumblineFormats

/// A folder on the disk, as readers of recordings see it.
///
/// Its regular files count, and those of folders inside to a depth of four; links to regular files
/// too. Links to folders, pipes and devices do not, so that no loop of links can be entered and no
/// read can block. Nothing stays open between calls.
public struct InputFolder: CaptureFolder {
  /// Folders inside folders that are looked into; the deepest layout, ARKitScenes, has three.
  static let greatestDepth = 4

  /// The path as given.
  public let path: String
  /// The paths of its regular files, in ascending order of their bytes.
  public let fileNames: [String]
  private let limits: ReadingLimits

  /// Lists a folder.
  ///
  /// - Throws: ``InputError``; `.tooManyFiles` past ``ReadingLimits/folderFiles``. Cost: one look at
  ///   each entry.
  public init(path: String, limits: ReadingLimits = ReadingLimits()) throws(InputError) {
    var names: [String] = []
    try Self.list(path, prefix: "", depth: 0, limit: limits.folderFiles, into: &names)
    self.path = path
    self.limits = limits
    fileNames = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func list(
    _ path: String, prefix: String, depth: Int, limit: Int, into names: inout [String]
  ) throws(InputError) {
    guard let folder = opendir(path) else {
      let error = InputFile.failure(path)
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
        throw .notAFolder(path: path)
      }
      throw error
    }
    defer { closedir(folder) }
    let descriptor = dirfd(folder)
    var entries = 0
    var isForbidden = false
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      var link = stat()
      var status = stat()
      // A name that is no UTF-8 comes back changed and is not found again, which leaves it out.
      guard fstatat(descriptor, name, &link, AT_SYMLINK_NOFOLLOW) == 0,
        fstatat(descriptor, name, &status, 0) == 0
      else {
        isForbidden = isForbidden || errno == EACCES
        continue
      }
      entries += 1
      if link.st_mode & S_IFMT == S_IFDIR, depth < greatestDepth {
        try list(
          path + "/" + name, prefix: prefix + name + "/", depth: depth + 1, limit: limit,
          into: &names)
      } else if status.st_mode & S_IFMT == S_IFREG {
        names.append(prefix + name)
        guard names.count <= limit else { throw .tooManyFiles(path: path, limit: limit) }
      }
    }
    // A folder that may be listed but not entered has names and nothing behind them.
    guard !(entries == 0 && isForbidden) else {
      throw .unreadable(path: path, reason: "no permission to enter it", isPermission: true)
    }
  }

  /// The last part of the path, which outputs carry.
  public var name: String { lastPathPart(path) }

  /// All bytes of a file.
  ///
  /// - Throws: ``CaptureReadingError`` when it is gone, cannot be read or is over a limit.
  public func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    try read(fileName, nil)
  }

  /// The first bytes of a file; no others are read.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  public func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    try read(fileName, count)
  }

  /// A file for reading piece by piece; it stays open while the source lives.
  ///
  /// - Throws: As ``bytes(of:)`` does, without a limit of size.
  public func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    try reading(fileName) { path throws(InputError) in try FileSource(path: path) }
  }

  private func read(_ fileName: String, _ count: Int?) throws(CaptureReadingError) -> [UInt8] {
    try reading(fileName) { path throws(InputError) in
      try InputFile(path: path, limits: limits, firstBytes: count).bytes
    }
  }

  private func reading<Result>(
    _ fileName: String, _ body: (String) throws(InputError) -> Result
  ) throws(CaptureReadingError) -> Result {
    // Names come from the listing; a caller's own must not leave the folder.
    let parts = pathParts(fileName)
    guard !parts.contains(".."), parts.first != "" else {
      throw CaptureReadingError(
        .missing, expected: "the name of a file", found: printable(text: fileName))
    }
    do throws(InputError) {
      return try body(path.hasSuffix("/") ? path + fileName : path + "/" + fileName)
    } catch {
      let isLarge = if case .tooLarge = error { true } else { false }
      throw CaptureReadingError(
        isLarge ? .limitExceeded : .missing, expected: "a file that can be read",
        found: error.description)
    }
  }
}
