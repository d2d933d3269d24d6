import Plumbline

/// The arguments of `models install` for one item, so that a message can say how to go on.
struct InstallArguments {
  /// What is installed, as it was written: a name, or the file of an entry.
  var item: String
  /// The file on the disk; `nil` for a download.
  var from: String?
  /// The checksum that was compared; `nil` for none.
  var sha256: String?
  /// Whether the license is accepted.
  var acceptsLicense = false
  /// Whether a model of the same name is replaced.
  var replaces = false

  /// The command, as it can be typed in a shell.
  var command: String {
    var words = ["plumbline", "models", "install", item]
    if let from { words += ["--from", from] }
    if acceptsLicense { words.append("--accept-license") }
    if replaces { words.append("--force") }
    if let sha256 { words += ["--sha256", sha256] }
    return words.map(Self.shellWord).joined(separator: " ")
  }

  /// What to type where an attempt ended for want of something; `nil` where other arguments do not help.
  func help(for need: InferenceError.Need) -> String? {
    var next = self
    switch need {
    case .file:
      next.from = "FILE"
      return "or fetch the file elsewhere and run: " + next.command
    case .license:
      next.acceptsLicense = true
      return "to accept it, run: " + next.command
    case .checksum(_, let sha256):
      next.sha256 = sha256
      return "compare it with another source, and if it agrees run: " + next.command
    default: return nil
    }
  }

  /// A word as a shell takes it whole.
  static func shellWord(_ text: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+=:,@%-")
    if !text.isEmpty, text.allSatisfy(plain.contains) { return text }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

/// An error with what to type, where only the command that was typed can say it.
struct AdvisedError: Error {
  /// The error.
  let error: any Error
  /// What to type, in one clause.
  let help: String
}
