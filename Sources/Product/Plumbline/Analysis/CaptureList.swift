import PlumblineExport
public import PlumblineImages
import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// The captures that several paths lead to, in the order in which they are analyzed.
///
/// A file is one capture; folders are looked into as ``CaptureFolders`` does.
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

  private let limits: ReadingLimits

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
    let folders = CaptureFolders(isRecursive: isRecursive, limits: limits)
    for path in paths {
      guard (try? FileOperations.system.kind(path)) == .directory else {
        entries.append(Entry(path: path))
        continue
      }
      let before = entries.count
      add(path, in: folders)
      guard entries.count == before else { continue }
      do {
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
    entries = [Entry(path: path)]
  }

  private mutating func add(_ path: String, in folders: CaptureFolders) {
    folders.visit(
      path,
      note: { path, others, found in
        ignoredFileCount += others
        findings += found.map { (path, $0) }
      }
    ) { visited in
      switch visited {
      case .recording(let path): entries.append(Entry(path: path))
      case .failure(let path, let error): entries.append(Entry(path: path, error: error))
      case .files(let folder, let names):
        hasOpenedFolder = true
        guard entries.count + names.count <= limits.folderFiles else {
          let error = InputError.tooManyFiles(path: folder, limit: limits.folderFiles)
          entries.append(Entry(path: folder, error: error))
          return false
        }
        entries += names.map { Entry(path: folder + $0) }
      }
      return true
    }
  }
}
