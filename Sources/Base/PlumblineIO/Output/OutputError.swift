/// Why a file could not be written; nothing partial stands under its name.
public struct OutputError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// Something already has the name, and replacing was not requested.
    case exists
    /// The same command has read the file that has the name; see ``FilesRead``.
    case isRead
    /// A file of this name cannot be made there, such as a folder that does not exist.
    case cannotCreate
    /// The file was made, but its bytes could not be brought to the disk, such as a full one.
    case inputOutput
  }

  /// What has the name of an output, where a user can do something about it.
  public enum Obstacle: Sendable, Hashable, CaseIterable {
    /// An ordinary file.
    case file
    /// A file of an older set that has no counterpart in the new one.
    case staleFile
    /// What a crash left of a file; it may be a recording that was cut.
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
  /// Files of the same set that replaced older ones before the failure; they are whole.
  public var replaced: [String] = []
  /// What is in the way, for some failures of the reason ``Reason/exists``; otherwise `nil`.
  public private(set) var obstacle: Obstacle?

  /// Creates an error from its parts.
  package init(_ reason: Reason, path: String, detail: String) {
    self.reason = reason
    self.path = path
    self.detail = detail
  }

  /// Creates the error of a name that is taken.
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
