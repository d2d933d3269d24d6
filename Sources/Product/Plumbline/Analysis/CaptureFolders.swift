package import PlumblineImages
import PlumblineIO
import PlumblineRecordings

/// Finds the captures in a folder, and in folders inside.
///
/// A folder that a reader of recordings knows is one capture. Any other folder gives the photos and the
/// recordings in one file that lie in it, in natural order of their names.
package struct CaptureFolders: Sendable {
  /// What was found in a folder.
  package enum Visited {
    /// The folder at this path is one recording.
    case recording(String)
    /// The folder, whose path ends in `/`, has captures of these names, perhaps none.
    case files(folder: String, names: [String])
    /// The folder at this path cannot be looked into.
    case failure(String, any Error)
  }

  /// Folders inside folders that are looked into; deeper ones are errors.
  private static let maximumDepth = 32
  private let limits: ReadingLimits
  private let isRecursive: Bool

  /// Describes the search.
  ///
  /// - Parameters:
  ///   - isRecursive: Whether folders in folders are looked into. One of which two or more folders are
  ///     recordings is then no recording itself.
  ///   - limits: How many files a folder may hold.
  package init(isRecursive: Bool, limits: ReadingLimits) {
    self.isRecursive = isRecursive
    self.limits = limits
  }

  /// Visits a folder and those inside, each before those inside it.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - note: Takes what else a listing tells, by the folder's path: how many files are no captures, and
  ///     findings.
  ///   - take: Takes what was found, and ends the search by `false`.
  package func visit(
    _ path: String, note: (String, Int, [Finding]) -> Void = { _, _, _ in },
    _ take: (Visited) -> Bool
  ) {
    _ = visit(path, depth: 0, note, take)
  }

  private func visit(
    _ path: String, depth: Int, _ note: (String, Int, [Finding]) -> Void,
    _ take: (Visited) -> Bool
  ) -> Bool {
    let inside: [String]
    let prefix = path.hasSuffix("/") ? path : path + "/"
    do {
      guard depth <= Self.maximumDepth else {
        throw InputError.unreadable(
          path: path, reason: "it lies below \(Self.maximumDepth) folders", isPermission: false)
      }
      let folder = try InputFolder(path: path, limits: limits)
      let content = try Recording.content(
        of: folder, subfolderNames: isRecursive ? folder.subfolderNames : [], limits: limits)
      guard case .files(let files) = content else { return take(.recording(path)) }
      let others = folder.fileNames.count { !$0.utf8.contains(UInt8(ascii: "/")) } - files.count
      note(path, others, folder.findings)
      guard take(.files(folder: prefix, names: files)) else { return false }
      // Hidden folders hold what programs keep for themselves, such as unfinished outputs.
      inside = isRecursive ? folder.subfolderNames.filter { !$0.utf8.starts(with: ".".utf8) } : []
    } catch { return take(.failure(path, error)) }
    for name in inside {
      guard visit(prefix + name, depth: depth + 1, note, take) else { return false }
    }
    return true
  }
}
