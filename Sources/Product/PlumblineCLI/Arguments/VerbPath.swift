import ArgumentParser

/// The verb that arguments name, found before they are parsed.
struct VerbPath {
  /// The names from the root on, such as `["effect", "blur"]`; empty where an option comes first.
  let names: [String]
  /// What follows the verb.
  let rest: [String]

  /// The names as a user types them, such as `effect blur`.
  var text: String { names.joined(separator: " ") }

  /// Finds the verb.
  ///
  /// - Parameter arguments: All but the program's own name.
  /// - Throws: ``UsageError`` for a word that is no verb, with the nearest one.
  init(_ arguments: [String]) throws(UsageError) {
    var names: [String] = []
    var rest = arguments[...]
    var command: any ParsableCommand.Type = PlumblineCommand.self
    var isHelp = false
    while let word = rest.first, !word.hasPrefix("-") {
      let verbs = command.configuration.subcommands
      if verbs.isEmpty { break }
      if names.isEmpty, !isHelp, word == "help" {
        isHelp = true
      } else if let next = verbs.first(where: { $0._commandName == word }) {
        names.append(word)
        command = next
      } else if command is BatchCommand.Type {
        // What is no verb of its own is the verb that is done on many captures.
        break
      } else {
        let shown = verbs.filter { $0.configuration.shouldDisplay }
        throw Self.unknown(word, of: names, among: shown.map { $0._commandName })
      }
      rest = rest.dropFirst()
    }
    self.names = names
    self.rest = Array(rest)
  }

  private static func unknown(
    _ word: String, of parents: [String], among verbs: [String]
  ) -> UsageError {
    let program = (["plumbline"] + parents).joined(separator: " ")
    var message = "\(program) has no verb “\(word)”"
    if let nearest = NearestWord(to: word, among: verbs).word {
      message += "; did you mean “\(nearest)”?"
    } else if parents.isEmpty, word.contains(".") || word.contains("/") {
      message += "; the verb comes before the capture, as in plumbline check \(word)"
    } else {
      message += "; there are \(verbs.joined(separator: ", "))"
    }
    return UsageError(message, verb: parents.joined(separator: " "))
  }
}

/// The word that a misspelt one most likely stands for.
struct NearestWord {
  /// The word; `nil` where none is near.
  let word: String?

  /// Looks for the word with the fewest edits, one for each third of the letters at most, or one that
  /// begins with three letters or more of the misspelt one.
  init(to misspelt: String, among words: [String]) {
    let letters = Array(misspelt.lowercased())
    // No verb is nearly so long, and an argument may be of any length.
    guard (1...32).contains(letters.count) else {
      word = nil
      return
    }
    let most = max(1, letters.count / 3)
    let distances = words.map { (word: $0, edits: Self.edits(letters, Array($0))) }
    if let nearest = distances.min(by: { $0.edits < $1.edits }), nearest.edits <= most {
      word = nearest.word
    } else {
      word = letters.count < 3 ? nil : words.first { $0.hasPrefix(misspelt.lowercased()) }
    }
  }

  /// How many letters must be put in, taken out, replaced or swapped with their neighbor.
  ///
  /// - Source: the optimal string alignment distance, after F. Damerau, *A technique for computer
  ///   detection and correction of spelling errors*, CACM 7(3), 1964. O(*n·m*).
  private static func edits(_ a: [Character], _ b: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var least = min(row[j], last[j + 1]) + 1
        least = min(least, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}

/// Wrong usage that is found before or beside ArgumentParser's own checks; exit code 64.
struct UsageError: Error, CustomStringConvertible {
  /// The sentence.
  let description: String
  /// The verb whose help explains more, such as `effect blur`; empty for the root.
  let verb: String

  init(_ description: String, verb: String) {
    self.description = description
    self.verb = verb
  }

  /// What is printed: the sentence, and what explains more.
  var fullMessage: String {
    let command = verb.isEmpty ? "plumbline" : "plumbline \(verb)"
    return "Error: \(description)\n  See '\(command) --help' for more information."
  }
}
