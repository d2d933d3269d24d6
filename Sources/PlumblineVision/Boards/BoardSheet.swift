internal import PlumblineModel

/// A board on paper at its true size, with a line that says what it is and a ruler to check it.
///
/// Everything is black rectangles, letters too, so that each format shows the same.
public struct BoardSheet: Hashable, Sendable {
  /// The board.
  public let board: Board
  /// The sheet, turned so that the board fits.
  public let paper: Paper
  /// The outer corner of the top-left square on the sheet, in millimeters from its top-left corner.
  public let originMillimeters: SIMD2<Double>
  /// The black rectangles, in millimeters from the sheet's top-left corner.
  public let rectangles: [BoardDrawing.Rectangle]

  /// White around everything, in millimeters: printers leave about 5 unprinted, and the outer
  /// squares must be seen against white.
  public static let marginMillimeters = 10.0
  /// What the line and the ruler take at the lower end, in millimeters.
  static let footerMillimeters = 14.0

  /// Puts a board in the middle of a sheet, which is turned if only that makes it fit.
  ///
  /// - Throws: The largest square that fits.
  public init(_ board: Board, on paper: Paper) throws(BoardFitError) {
    let drawing = BoardDrawing(board)
    // A millionth of a millimeter: sides such as 20.9 mm have no exact binary number.
    guard
      let sheet = [paper, paper.turned].first(where: {
        Self.largestSquare(board, on: $0) >= board.squareMillimeters - 1e-6
      })
    else {
      let largest = max(
        Self.largestSquare(board, on: paper), Self.largestSquare(board, on: paper.turned))
      throw BoardFitError(board: board, paper: paper, largestSquareMillimeters: largest)
    }
    self.board = board
    self.paper = sheet
    let free = sheet.heightMillimeters - Self.footerMillimeters
    let origin = SIMD2(
      (sheet.widthMillimeters - drawing.widthMillimeters) / 2,
      (free - drawing.heightMillimeters) / 2)
    originMillimeters = origin
    let footer = SheetFooter(
      lines: ["\(BoardNotation(board).text)  print at 100 %"],
      widthMillimeters: sheet.widthMillimeters - 2 * Self.marginMillimeters)
    rectangles =
      drawing.rectangles.map { $0.moved(x: origin.x, y: origin.y) }
      + footer.rectangles.map {
        $0.moved(x: Self.marginMillimeters, y: free - Self.marginMillimeters + 4)
      }
  }

  /// The largest square with which a board of so many squares fits, in millimeters.
  private static func largestSquare(_ board: Board, on paper: Paper) -> Double {
    let width = paper.widthMillimeters - 2 * marginMillimeters
    let height = paper.heightMillimeters - 2 * marginMillimeters - footerMillimeters
    return min(width / Double(board.columns), height / Double(board.rows))
  }
}

/// A board that is larger than the paper.
public struct BoardFitError: Error, Hashable, Sendable {
  /// The board.
  public let board: Board
  /// The paper.
  public let paper: Paper
  /// The largest square that fits, in millimeters; not above 0 when none does.
  public let largestSquareMillimeters: Double
}

extension BoardFitError: CustomStringConvertible {
  /// One sentence that names the largest square, rounded down to a tenth of a millimeter.
  public var description: String {
    let size = "\(paper.widthMillimeters.fixed(1)) × \(paper.heightMillimeters.fixed(1)) mm"
    let tenths = (largestSquareMillimeters * 10).rounded(.down) / 10
    let fits =
      tenths > 0 ? "squares of up to \(tenths.fixed(1)) mm fit" : "no board of as many squares fits"
    return "\(board.columns) × \(board.rows) squares of \(board.squareMillimeters.fixed(3)) mm "
      + "are too large for a sheet of \(size) with its margins; \(fits)"
  }
}
