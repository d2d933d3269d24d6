import ArgumentParser
import Plumbline

/// A board as it is named on the command line: a line such as `chessboard:10x7:25mm`, or the path of
/// a `board.json`.
struct BoardArgument {
  /// The argument as given.
  let text: String

  /// The help text of such an argument.
  static let help: ArgumentHelp = ArgumentHelp(
    "A board in one line, or its board.json.",
    discussion: """
      chessboard:COLUMNSxROWS:SIDE or charuco:COLUMNSxROWS:SIDE[:DICTIONARY][:legacy]\
      [:marker=SIDE][:first=NUMBER]. Columns and rows count squares, not inner corners; a side has \
      its unit, as in 20.875mm. Without more: DICT_4X4_50, markers of 3/4 of a square, first 0.
      """,
    valueName: "board")

  /// The board.
  ///
  /// - Throws: `BoardNotationError`, `InputError` or `JSONReadingError`.
  func board() throws -> Board {
    let isLine =
      text.lowercased().hasPrefix("charuco:") || text.lowercased().hasPrefix("chessboard:")
    if isLine || !(text.hasSuffix(".json") || text.utf8.contains(UInt8(ascii: "/"))) {
      // The message repeats a part of the line, which may hold anything.
      do throws(BoardNotationError) { return try BoardNotation(parsing: text).board } catch {
        throw BoardNotationError(error.expected, found: printable(text: error.found))
      }
    }
    var limits = ReadingLimits()
    limits.fileBytes = 1 << 20
    return try BoardDocument(parsing: InputFile(path: text, limits: limits).bytes).board
  }
}
