/// Why a file could not be written; no incomplete file exists under its final name.
public struct OutputError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The name is taken, and replacing was not requested.
    case exists
    /// The same command has read the file that has this name; see ``FilesRead``.
    case isRead
    /// The file cannot be created, for example because its folder does not exist.
    case cannotCreate
    /// The file was created, but its bytes could not be written, for example because the disk is
    /// full.
    case inputOutput
  }

  /// The kind of file that already has the output's name, where a user can do something about it.
  public enum Obstacle: Sendable, Hashable, CaseIterable {
    /// An ordinary file.
    case file
    /// A file of an older set that the new set does not contain.
    case staleFile
    /// An unfinished file that a crash left; it may be a truncated recording.
    case unfinishedFile

    var detail: String {
      switch self {
      case .file: "it already exists"
      case .staleFile: "it is left from another run"
      case .unfinishedFile: "an unfinished file of that name is there"
      }
    }
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The final name of the file.
  public var path: String
  /// The error text of the system, such as `No space left on device`.
  public var detail: String
  /// Files of the same set that replaced older files before the failure; they are complete.
  public var replaced: [String] = []
  /// What is in the way, for some failures of the reason ``Reason/exists``; otherwise `nil`.
  public private(set) var obstacle: Obstacle?

  /// Creates an error from its parts.
  package init(_ reason: Reason, path: String, detail: String) {
    self.reason = reason
    self.path = path
    self.detail = detail
  }

  /// Creates an error for a name that is taken.
  package init(_ obstacle: Obstacle, path: String) {
    self.init(.exists, path: path, detail: obstacle.detail)
    self.obstacle = obstacle
  }
}

extension OutputError: CustomStringConvertible {
  /// One sentence that is safe to print, such as `cannot write "cloud.ply": it already exists`.
  public var description: String {
    var text = "cannot write \(quoted(path)): \(detail)"
    if !replaced.isEmpty {
      text += "; already replaced: " + replaced.map(quoted).joined(separator: ", ")
    }
    return text
  }

  private func quoted(_ path: String) -> String {
    JSONWriter(layout: .compact).text(.string(path))
  }
}
