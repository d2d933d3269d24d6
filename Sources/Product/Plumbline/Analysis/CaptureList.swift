import PlumblineExport
public import PlumblineImages
import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// The captures that several paths lead to, in the order in which they are analyzed.
///
/// A file is one capture, and so is a folder that a reader of recordings knows. Any other folder gives
/// the photos and the recordings in one file that lie in it, in natural order of their names.
public struct CaptureList: Sendable {
  /// One capture, or a path at which there is none.
  public struct Entry: Sendable {
    /// The path as given, or that of the file in the folder that was given.
    public var path: String
    /// Why there is no capture; `nil` for one that can be opened.
    public var error: (any Error)?
  }

  /// The captures.
  public private(set) var entries: [Entry] = []
  /// How many files of the folders are no captures.
  public private(set) var ignoredFileCount = 0
  /// The findings about folders, such as unreadable entries, each with the folder's path.
  public private(set) var findings: [(path: String, finding: Finding)] = []
  /// Whether a folder was taken as a list of files, even if it holds only one.
  public private(set) var hasOpenedFolder = false

  /// Folders inside folders that are looked into; deeper ones are errors.
  private static let maximumDepth = 32
  private let limits: ReadingLimits
  private let isRecursive: Bool

  /// Finds the captures; opens folders, and reads of files no more than what tells a recording.
  ///
  /// - Parameters:
  ///   - paths: Files and folders.
  ///   - isRecursive: Whether folders in folders are looked into. One of which two or more folders are
  ///     recordings is then no recording itself.
  ///   - limits: How many files a folder may hold, and all of them together.
  public init(
    paths: [String], isRecursive: Bool = false, limits: ReadingLimits = ReadingLimits()
  ) {
    self.limits = limits
    self.isRecursive = isRecursive
    for path in paths {
      guard (try? FileOperations.system.kind(path)) == .directory else {
        entries.append(Entry(path: path))
        continue
      }
      let before = entries.count
      do {
        try add(folder: path, depth: 0)
        guard entries.count == before else { continue }
        // The reader of recordings says what it misses.
        _ = try Recording(folder: InputFolder(path: path, limits: limits), limits: limits)
        entries.append(Entry(path: path))
      } catch {
        entries.append(Entry(path: path, error: error))
      }
    }
  }

  /// A path alone, which is not looked into: a file, or a folder of which a frame is chosen.
  public init(path: String, limits: ReadingLimits = ReadingLimits()) {
    self.limits = limits
    isRecursive = false
    entries = [Entry(path: path)]
  }

  private mutating func add(folder path: String, depth: Int) throws {
    guard depth <= Self.maximumDepth else {
      throw InputError.unreadable(
        path: path, reason: "it lies below \(Self.maximumDepth) folders", isPermission: false)
    }
    let folder = try InputFolder(path: path, limits: limits)
    let content = try Recording.content(
      of: folder, subfolderNames: isRecursive ? folder.subfolderNames : [], limits: limits)
    guard case .files(let files) = content else {
      entries.append(Entry(path: path))
      return
    }
    hasOpenedFolder = true
    let others = folder.fileNames.count { !$0.utf8.contains(UInt8(ascii: "/")) } - files.count
    ignoredFileCount += others
    guard entries.count + files.count <= limits.folderFiles else {
      throw InputError.tooManyFiles(path: path, limit: limits.folderFiles)
    }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    entries += files.map { Entry(path: prefix + $0) }
    findings += folder.findings.map { (path, $0) }
    guard isRecursive else { return }
    // Hidden folders hold what programs keep for themselves, such as unfinished outputs.
    for name in folder.subfolderNames where !name.utf8.starts(with: ".".utf8) {
      do {
        try add(folder: prefix + name, depth: depth + 1)
      } catch {
        entries.append(Entry(path: prefix + name, error: error))
      }
    }
  }
}
