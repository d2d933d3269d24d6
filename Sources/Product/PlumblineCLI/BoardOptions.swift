import ArgumentParser
import Plumbline

/// The options of commands about a board in a folder of frames.
struct BoardOptions: ParsableArguments {
  @Argument(help: "The folder of frames.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "The board, or its board.json; a ChArUco board is found by itself if not given.",
      discussion: """
        chessboard:COLUMNSxROWS:SIDE or charuco:COLUMNSxROWS:SIDE:DICTIONARY, with squares counted, \
        as in charuco:10x8:20.875mm:DICT_ARUCO_ORIGINAL. Which layout of a ChArUco board it is, the \
        images tell.
        """,
      valueName: "BOARD"))
  var board: String?

  @Option(
    help: ArgumentHelp(
      "The side of a square as you measured it, where neither --board nor the folder says it.",
      valueName: "MILLIMETERS"))
  var square: Double?

  @OptionGroup var threads: ThreadOptions

  mutating func validate() throws {
    if let square, !(square > 0.1 && square < 10_000) {
      throw ValidationError("The side of a square must be between 0.1 and 10000 mm, not \(square).")
    }
    if board != nil, square != nil {
      throw ValidationError("--board already says the side of a square; give one of the two.")
    }
  }

  /// Reads all frames and looks for the board in them.
  func recording(isQuiet: Bool) throws -> BoardRecording {
    try recording(of: folder, isQuiet: isQuiet)
  }

  /// Reads all frames of another folder, and looks for the same board in them.
  func recording(of folder: String, isQuiet: Bool) throws -> BoardRecording {
    let choice = try knownBoard.map { BoardRecordingReader.Choice.known($0) }
    guard case .recording(let recording, _) = try CaptureInput(path: folder) else {
      throw InputError.notAFolder(path: folder)
    }
    let resolved: BoardRecordingReader.Choice
    if let choice {
      resolved = choice
    } else if let side = square.map({ $0 / 1000 }) ?? recording.boardSquareMeters {
      resolved = .search(squareMeters: side)
    } else {
      throw BoardOptionError.sideUnknown
    }
    let line = ProgressBox(ProgressLine(total: recording.frameNames.count, isQuiet: isQuiet))
    defer { line.end() }
    return try BoardRecordingReader(resolved, threads: threads.count).read(recording) {
      line.begin($0)
    }
  }

  /// The name that outputs carry.
  var folderName: String { lastPathPart(folder) }

  private var knownBoard: Board? {
    get throws {
      do { return try board.map { try BoardArgument(text: $0).board() } } catch var error
        as JSONReadingError
      {
        // The position that messages begin with is the folder's.
        error.path.insert(printable(text: board ?? ""), at: 0)
        throw error
      }
    }
  }
}

/// Options about boards that leave something open; a matter of usage.
enum BoardOptionError: CategorizedError, CustomStringConvertible {
  case sideUnknown

  var category: FailureCategory { .usage }

  var description: String {
    "no image shows how large a square is: measure one and give --square MILLIMETERS or --board"
  }
}

/// A board as it is named on the command line: a line such as `chessboard:10x7:25mm`, or the path of
/// a `board.json`.
struct BoardArgument {
  /// The line or the path, as it was typed.
  let text: String

  /// The help text of arguments that name a board.
  static let help: ArgumentHelp = ArgumentHelp(
    "A board in one line, or its board.json.",
    discussion: """
      chessboard:COLUMNSxROWS:SIDE or charuco:COLUMNSxROWS:SIDE[:DICTIONARY][:legacy]\
      [:marker=SIDE][:first=NUMBER]. Columns and rows count squares, not inner corners; a side has \
      its unit, as in 20.875mm. Without more: DICT_4X4_50, markers of 3/4 of a square, first 0.
      """,
    valueName: "board")

  /// Reads the board from the line, or from the file.
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
