import ArgumentParser
import Plumbline

struct BoardCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    abstract: "Draw a calibration board at its true size, with its description.",
    discussion: """
      With a folder for -o, board.svg, board.pdf, board.png and board.json are written, or one \
      drawing and board.json with --format; with a name that ends in .svg, .pdf or .png, that \
      drawing alone.

      Print at 100 %, without scaling, and check the ruler below the board: what measures 100 mm \
      there makes the board's stated size true. Glue it onto something flat.

        plumbline board chessboard:10x7:25mm -o board --paper a3
        plumbline board charuco:10x8:18mm:DICT_4X4_50 -o board.pdf
      """)

  @Argument(help: BoardArgument.help)
  var board: String

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "A folder, or a file that ends in .svg, .pdf or .png.", completion: .file())
  var output: String

  @Option(help: "Draw only one of svg, pdf, png.")
  var format: BoardFormat?

  @Option(help: "The paper: a4, a3, letter, or WIDTHxHEIGHTmm; turned if only that makes it fit.")
  var paper: String = "a4"

  @Option(help: "Pixels per inch of the PNG, 50 to 2400.")
  var dpi: Int = 300

  @OptionGroup var printing: QuietOptions<BoardCommand>

  func validate() throws {
    guard Paper(parsing: paper) != nil else {
      throw ValidationError(
        "The paper is a4, a3, letter or a size of 10 to 10000 mm such as 420x594mm, not "
          + "'\(paper)'.")
    }
    guard (50...2400).contains(dpi) else {
      throw ValidationError("The resolution must be between 50 and 2400 dpi, not \(dpi).")
    }
    if let named = BoardFormat(path: output), let format, format != named {
      throw ValidationError(
        "The output ends in .\(named.rawValue), the format is \(format.rawValue).")
    }
  }

  func run() throws {
    throw try CommandExit.running(board) {
      let sheet = try BoardSheet(
        BoardArgument(text: board).board(), on: Paper(parsing: paper) ?? .a4)
      var transaction = OutputTransaction(existing: outputOptions.existing)
      if let named = BoardFormat(path: output) {
        try transaction.stage(named.bytes(of: sheet, dotsPerInch: dpi), at: output)
      } else {
        try transaction.createDirectory(at: output)
        for format in format.map({ [$0] }) ?? BoardFormat.allCases {
          try transaction.stage(
            format.bytes(of: sheet, dotsPerInch: dpi),
            at: path("board.\(format.rawValue)", in: output))
        }
        let document = JSONWriter().bytes(BoardDocument(sheet.board).json)
        try transaction.stage(document, at: path("board.json", in: output))
      }
      let written = try transaction.publish()
      if !printing.quiet {
        StandardOutput.print(BoardNotation(sheet.board).text)
        for path in written { StandardOutput.print(printable(text: path)) }
      }
      return .success
    }
  }
}

/// The formats of a drawn board.
enum BoardFormat: String, CaseIterable, ExpressibleByArgument {
  case svg
  case pdf
  case png

  /// The format that the end of a file's name says; `nil` for any other.
  init?(path: String) {
    guard
      let format = Self.allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") })
    else { return nil }
    self = format
  }

  /// The drawing of a board as a file of this format.
  ///
  /// - Throws: `BoardImageError` when the image would have too many pixels.
  func bytes(of sheet: BoardSheet, dotsPerInch: Int) throws -> [UInt8] {
    switch self {
    case .svg: return BoardSVG(sheet).bytes
    case .pdf: return BoardPDF(sheet).bytes
    case .png:
      guard let image = sheet.raster(dotsPerInch: Double(dotsPerInch)) else {
        throw BoardImageError(dotsPerInch: dotsPerInch)
      }
      let pixelsPerMeter = UInt32((Double(dotsPerInch) / 0.0254).rounded())
      return PNGEncoder(pixelsPerMeter: pixelsPerMeter).encoded(image)
    }
  }
}

/// A resolution at which the image has too many pixels; a matter of usage.
struct BoardImageError: CategorizedError, CustomStringConvertible {
  let dotsPerInch: Int

  var category: FailureCategory { .usage }

  var description: String {
    "at \(dotsPerInch) dpi the sheet has over 128 million pixels; a lower --dpi, or svg and pdf, "
      + "which are exact at any size"
  }
}
