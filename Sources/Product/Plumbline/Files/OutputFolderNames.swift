import PlumblineIO

/// Names for the folders that receive the outputs of many captures.
public enum OutputFolderNames {
  /// The longest name in bytes; file systems allow 255, and outputs are made under longer ones.
  private static let maximumBytes = 180

  /// One name for each path: that of its file without ending, made safe and distinct.
  ///
  /// Characters that a file system or a terminal treats specially, and a dot at the beginning, become
  /// `_`. Names that differ only in case or in how accents are stored are the same on some file
  /// systems: the later one gets a number.
  ///
  /// - Parameter paths: Files or folders, in the order of the outputs.
  /// - Returns: Names without `/`, in that order. O(*n*).
  public static func names(for paths: [String]) -> [String] {
    var taken: Set<String> = []
    var next: [String: Int] = [:]
    return paths.map { path in
      let base = safe(stem(of: lastPathPart(path)))
      // Strings are equal where their characters are, however these are stored.
      let key = base.lowercased()
      var name = base
      while !taken.insert(name.lowercased()).inserted {
        next[key, default: 1] += 1
        name = "\(base)-\(next[key, default: 1])"
      }
      return name
    }
  }

  /// The name without an ending of up to five characters.
  private static func stem(of name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex,
      (1...5).contains(name.utf8.distance(from: dot, to: name.utf8.endIndex) - 1)
    else { return name }
    return String(name[..<dot])
  }

  private static func safe(_ name: String) -> String {
    var text = ""
    for character in name {
      let next = character.unicodeScalars.allSatisfy { isSafe($0) } ? String(character) : "_"
      guard text.utf8.count + next.utf8.count <= maximumBytes else { break }
      text += next
    }
    if text.hasPrefix(".") { text = "_" + text.dropFirst() }
    return text.allSatisfy { $0 == "_" } ? "capture" : text
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
    }
  }
}
