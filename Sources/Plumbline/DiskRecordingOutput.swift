import PlumblineExport
public import PlumblineIO
public import PlumblineStreams
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A folder on the disk that a recording is written into.
///
/// Each file has the name `NAME.partial` until it is closed. Names that lead out of the folder are
/// refused.
public struct DiskRecordingOutput: RecordingOutput {
  private let folder: String
  private let existing: OutputTransaction.ExistingFiles
  private let durability: OutputTransaction.Durability

  /// Makes the folder unless it is there; the one above it must be.
  ///
  /// - Parameters:
  ///   - folder: Its path.
  ///   - existing: What happens to files that have a name already.
  ///   - durability: What is certain once a file is closed; synchronizing costs about a
  ///     millisecond for each.
  /// - Throws: `.output`.
  public init(
    folder: String, existing: OutputTransaction.ExistingFiles = .keep,
    durability: OutputTransaction.Durability = .buffered
  ) throws(RecordingWritingError) {
    self.folder = folder
    self.existing = existing
    self.durability = durability
    try Self.makeFolder(folder)
  }

  /// Makes a file, and the folders that its path names.
  ///
  /// - Throws: `.output`, also for a path that leads out of the folder.
  public func makeFile(_ path: String) throws(RecordingWritingError) -> any RecordingFile {
    let parts = pathParts(path)
    let isInside = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
    }
    guard isInside else {
      throw .output(path: path, detail: "it is not a name inside of the folder", isCreation: true)
    }
    var place = folder
    for part in parts.dropLast() {
      place += "/" + part
      try Self.makeFolder(place)
    }
    return try DiskRecordingFile(
      path: folder + "/" + path, existing: existing, durability: durability, ballastBytes: 0)
  }

  private static func makeFolder(_ path: String) throws(RecordingWritingError) {
    if mkdir(path, 0o777) == 0 { return }
    let code = errno
    var status = stat()
    // A symbolic link in place of a folder could lead anywhere, but only the user makes those.
    if code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw .output(path: path, detail: String(cString: strerror(code)), isCreation: true)
  }
}
