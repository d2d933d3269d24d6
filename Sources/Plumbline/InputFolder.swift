#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
public import PlumblineFormats

/// A folder on the disk, as readers of sequences see it.
///
/// Its regular files count, links to regular files too; folders inside, pipes and devices do not,
/// so that no loop of links can be entered and no read can block. Nothing stays open between calls.
public struct InputFolder: CaptureFolder {
  /// The path as given.
  public let path: String
  /// The names of its regular files, in ascending order of their bytes.
  public let fileNames: [String]
  private let limits: ReadingLimits

  /// Lists a folder.
  ///
  /// - Throws: ``InputError``; `.tooManyFiles` past ``ReadingLimits/folderFiles``. Cost: one look at
  ///   each entry.
  public init(path: String, limits: ReadingLimits = ReadingLimits()) throws(InputError) {
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
    var names: [String] = []
    var isForbidden = false
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      // A name that is no UTF-8 comes back changed and is not found again, which leaves it out.
      guard fstatat(descriptor, name, &status, 0) == 0 else {
        isForbidden = isForbidden || errno == EACCES
        continue
      }
      guard status.st_mode & S_IFMT == S_IFREG else { continue }
      names.append(name)
      guard names.count <= limits.folderFiles else {
        throw .tooManyFiles(path: path, limit: limits.folderFiles)
      }
    }
    // A folder that may be listed but not entered has names and nothing behind them.
    guard !(names.isEmpty && isForbidden) else {
      throw .unreadable(path: path, reason: "no permission to enter it", isPermission: true)
    }
    self.path = path
    self.limits = limits
    fileNames = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The last part of the path, which outputs carry.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

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

  private func read(_ fileName: String, _ count: Int?) throws(CaptureReadingError) -> [UInt8] {
    // Names come from the listing; a caller's own must not leave the folder.
    guard !fileName.contains("/") else {
      throw CaptureReadingError(
        .missing, expected: "the name of a file", found: printable(text: fileName))
    }
    let place = path.hasSuffix("/") ? path + fileName : path + "/" + fileName
    do throws(InputError) {
      return try InputFile(path: place, limits: limits, firstBytes: count).bytes
    } catch {
      let isLarge = if case .tooLarge = error { true } else { false }
      throw CaptureReadingError(
        isLarge ? .limitExceeded : .missing, expected: "a file that can be read",
        found: error.description)
    }
  }
}
