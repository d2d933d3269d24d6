package import PlumblineImages
package import PlumblineIO
package import PlumblineModel
import PlumblineRecordings

/// The links in a folder that are followed.
public enum FolderLinks: Sendable {
  /// To any regular file that the user can read.
  case anywhere
  /// To regular files of the same folder; others are ignored. For what is shown to other people.
  case inside
}

/// A folder on the disk, as readers of recordings see it.
///
/// Its regular files count, and those of folders inside to a depth of four; links to regular files
/// too, where ``FolderLinks`` allows it. Links to folders, pipes and devices do not, so that no loop of links can be entered and no
/// read can block; a finding reports them. Nothing stays open between calls.
package struct InputFolder: CaptureFolder {
  /// The path as given.
  package let path: String
  /// The paths of its regular files, in ascending order of their bytes.
  package let fileNames: [String]
  /// The names of the folders directly in it, in the same order.
  package let subfolderNames: [String]
  /// What lies in it and cannot be read, such as pipes, and links that lead nowhere.
  package let findings: [Finding]
  private let limits: ReadingLimits
  /// Frames may be read on threads that do not belong to the command's task.
  private let filesRead = FilesRead.current
  private let bounds: FolderBounds?

  /// Lists a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - limits: How many files it may hold, and how large a file that is read whole may be.
  ///   - links: Which links count; those that do not are found out again when a file is opened.
  /// - Throws: ``InputError``; `.tooManyFiles` past ``ReadingLimits/folderFiles``. Cost: the names, and
  ///   one look at each link.
  package init(
    path: String, limits: ReadingLimits = ReadingLimits(), links: FolderLinks = .anywhere
  ) throws(InputError) {
    switch links {
    case .anywhere: bounds = nil
    case .inside:
      guard let bounds = FolderBounds(path: path) else { throw InputFile.failure(path) }
      self.bounds = bounds
    }
    let listing = try FolderListing(path: path, limits: limits, bounds: bounds)
    self.path = path
    self.limits = limits
    fileNames = listing.fileNames
    subfolderNames = listing.folderNames
    findings = listing.finding.map { [$0] } ?? []
  }

  /// The last part of the path, which outputs carry.
  package var name: String { lastPathPart(path) }

  /// All bytes of a file.
  ///
  /// - Throws: ``CaptureReadingError`` when it is gone, cannot be read or is over a limit.
  package func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    try read(fileName, nil)
  }

  /// The first bytes of a file; no others are read.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  package func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    try read(fileName, count)
  }

  /// A file for reading piece by piece; it stays open while the source lives.
  ///
  /// - Throws: As ``bytes(of:)`` does, without a limit of size.
  package func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    try reading(fileName) { path throws(InputError) in
      try FileSource(path: path, bounds: bounds)
    }
  }

  private func read(_ fileName: String, _ count: Int?) throws(CaptureReadingError) -> [UInt8] {
    try reading(fileName) { path throws(InputError) in
      try InputFile(path: path, limits: limits, firstBytes: count, bounds: bounds).bytes
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
      let file = path.hasSuffix("/") ? path + fileName : path + "/" + fileName
      return try FilesRead.$current.withValue(filesRead) {
        Swift.Result { () throws(InputError) in try body(file) }
      }.get()
    } catch {
      let isLarge = if case .tooLarge = error { true } else { false }
      throw CaptureReadingError(
        isLarge ? .limitExceeded : .missing, expected: "a file that can be read",
        found: error.description)
    }
  }
}
