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

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The final name of the file.
  public var path: String
  /// The error text of the system, such as `No space left on device`.
  public var detail: String
  /// Files of the same set that replaced older ones before the failure; they are whole.
  public var replaced: [String] = []

  /// Creates an error from its parts.
  public init(_ reason: Reason, path: String, detail: String) {
    self.reason = reason
    self.path = path
    self.detail = detail
  }

  /// The exit status that `Documentation/cli.md` gives the failure, as in `sysexits.h`.
  public var exitStatus: Int32 {
    switch reason {
    case .isRead: 64
    case .exists, .cannotCreate: 73
    case .inputOutput: 74
    }
  }

  /// The detail of `.exists` for a file that has the name of an output.
  public static let existsDetail = "it already exists"
  /// The detail of `.exists` for a file of an older set that has no counterpart in the new one.
  public static let staleDetail = "it is left from another run"
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
