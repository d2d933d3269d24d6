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

  /// The same for a folder that was named besides.
  func recording(of folder: String, isQuiet: Bool) throws -> BoardRecording {
    let choice = try knownBoard.map { BoardRecording.Choice.known($0) }
    guard case .recording(let sequence, _) = try CaptureInput(path: folder) else {
      throw InputError.notAFolder(path: folder)
    }
    let resolved: BoardRecording.Choice
    if let choice {
      resolved = choice
    } else if let side = square.map({ $0 / 1000 }) ?? sequence.boardSquareMeters {
      resolved = .search(squareMeters: side)
    } else {
      throw BoardOptionError.sideUnknown
    }
    let line = ProgressBox(ProgressLine(total: sequence.frameNames.count, isQuiet: isQuiet))
    defer { line.end() }
    return try BoardRecording(sequence, choice: resolved, threads: threads.count) { line.begin($0) }
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
enum BoardOptionError: Error, CustomStringConvertible {
  case sideUnknown

  var description: String {
    "no image shows how large a square is: measure one and give --square MILLIMETERS or --board"
  }
}
