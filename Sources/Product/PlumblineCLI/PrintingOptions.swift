import ArgumentParser
import Plumbline

/// A command that prints its result as text for people, or as a document for programs.
///
/// Its help of `--json` and `--quiet` is stated here, since option groups take theirs from it.
protocol PrintingCommand: ParsableCommand {
  /// The help text of `--json`; unless stated it names the schema `plumbline.NAME/1`.
  static var jsonHelp: String { get }

  /// The help text of `--quiet`.
  static var quietHelp: String { get }
}

extension PrintingCommand {
  static var jsonHelp: String {
    let name = configuration.commandName ?? ""
    return "Print one JSON document (schema plumbline.\(name)/1) instead of text."
  }

  static var quietHelp: String { "Print nothing but errors." }
}

/// A command whose exit code tells a verdict, so that it is of use without any text.
protocol VerdictCommand: PrintingCommand {}

extension VerdictCommand {
  static var quietHelp: String { "Print nothing but errors; the exit code tells the verdict." }
}

/// How a result is printed: `--json`, `--quiet` and `--no-color`.
///
/// It has no group of its own: in a debug build the parser checks a group in a group four times as often.
struct PrintingOptions<Verb: PrintingCommand>: ParsableArguments {
  @Flag(help: ArgumentHelp(Verb.jsonHelp))
  var json = false

  @Flag(help: ColorOptions.help)
  var noColor = false

  @Flag(help: ArgumentHelp(Verb.quietHelp))
  var quiet = false

  /// Whether text on standard output has colors.
  var showsColors: Bool { StandardOutput.usesColor(refused: noColor) }

  /// Prints a result once: the document with `--json`, nothing with `--quiet`, else the text.
  ///
  /// - Parameters:
  ///   - document: Made only where it is printed.
  ///   - text: Prints the text.
  func print(
    _ document: @autoclosure () throws -> JSONValue, text: () throws -> Void
  ) rethrows {
    if json {
      StandardOutput.print(document: try document())
    } else if !quiet {
      try text()
    }
  }
}

/// `--json` and `--no-color`, of commands that print nothing but their result.
struct DocumentOptions<Verb: PrintingCommand>: ParsableArguments {
  @Flag(help: ArgumentHelp(Verb.jsonHelp))
  var json = false

  @Flag(help: ColorOptions.help)
  var noColor = false

  /// Whether text on standard output has colors.
  var showsColors: Bool { StandardOutput.usesColor(refused: noColor) }

  /// Prints a result once: the document with `--json`, else the text.
  ///
  /// - Parameters:
  ///   - document: Made only where it is printed.
  ///   - text: Prints the text.
  func print(
    _ document: @autoclosure () throws -> JSONValue, text: () throws -> Void
  ) rethrows {
    if json {
      StandardOutput.print(document: try document())
    } else {
      try text()
    }
  }
}

/// `--quiet` and `--no-color`, of commands that have no document.
struct QuietOptions<Verb: PrintingCommand>: ParsableArguments {
  @Flag(help: ArgumentHelp(Verb.quietHelp))
  var quiet = false

  @Flag(help: ColorOptions.help)
  var noColor = false
}

/// `--no-color`, which every command has: about the terminal alone, never about color images.
struct ColorOptions: ParsableArguments {
  /// The help text of `--no-color`.
  static var help: ArgumentHelp { "Print without colors; NO_COLOR does the same." }

  @Flag(help: Self.help)
  var noColor = false

  /// Whether text on standard output has colors.
  var areShown: Bool { StandardOutput.usesColor(refused: noColor) }
}
