package import PlumblineModel

/// A board on paper at its true size, with a line that says what it is and a ruler to check it.
///
/// Everything is black rectangles, letters too, so that each format shows the same.
package struct BoardSheet: Hashable, Sendable {
  /// The board.
  package let board: Board
  /// The sheet, turned so that the board fits.
  package let paper: Paper
  /// The outer corner of the top-left square on the sheet, in millimeters from its top-left corner.
  package let originMillimeters: SIMD2<Double>
  /// The black rectangles, in millimeters from the sheet's top-left corner.
  package let rectangles: [BoardDrawing.Rectangle]

  /// White around everything, in millimeters: printers leave about 5 unprinted, and the outer
  /// squares must be seen against white.
  package static let marginMillimeters = 10.0
  /// What the line and the ruler take at the lower end, in millimeters.
  static let footerMillimeters = 14.0

  /// Puts a board in the middle of a sheet, which is turned if only that makes it fit.
  ///
  /// - Throws: The largest square that fits.
  package init(_ board: Board, on paper: Paper) throws(BoardFitError) {
    let drawing = BoardDrawing(board)
    guard let sheet = Self.turned(paper, toFit: board) else {
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

  /// The sheet as it is or after a quarter turn, whichever fits first; `nil` when neither does.
  private static func turned(_ paper: Paper, toFit board: Board) -> Paper? {
    // A millionth of a millimeter: sides such as 20.9 mm have no exact binary number.
    let least = board.squareMillimeters - 1e-6
    if largestSquare(board, on: paper) >= least { return paper }
    return largestSquare(board, on: paper.turned) >= least ? paper.turned : nil
  }

  /// The largest square with which a board of so many squares fits, in millimeters.
  private static func largestSquare(_ board: Board, on paper: Paper) -> Double {
    let width = paper.widthMillimeters - 2 * marginMillimeters
    let height = paper.heightMillimeters - 2 * marginMillimeters - footerMillimeters
    return min(width / Double(board.columns), height / Double(board.rows))
  }
}

/// A board that is larger than the paper.
package struct BoardFitError: Error, Hashable, Sendable {
  /// The board.
  package let board: Board
  /// The paper.
  package let paper: Paper
  /// The largest square that fits, in millimeters; not above 0 when none does.
  package let largestSquareMillimeters: Double
}

extension BoardFitError: CustomStringConvertible {
  /// One sentence that names the largest square, rounded down to a tenth of a millimeter.
  package var description: String {
    let size = "\(paper.widthMillimeters.fixed(1)) × \(paper.heightMillimeters.fixed(1)) mm"
    let tenths = (largestSquareMillimeters * 10).rounded(.down) / 10
    let fits =
      tenths > 0 ? "squares of up to \(tenths.fixed(1)) mm fit" : "no board of as many squares fits"
    return "\(board.columns) × \(board.rows) squares of \(board.squareMillimeters.fixed(3)) mm "
      + "are too large for a sheet of \(size) with its margins; \(fits)"
  }
}

extension BoardSheet {
  /// The size of the sheet at a resolution.
  ///
  /// - Parameters:
  ///   - dotsPerInch: Pixels for each 25.4 mm.
  ///   - limit: The most pixels; an A3 sheet at 600 dpi has 70 million.
  /// - Returns: The size in pixels, or `nil` when it is over the limit.
  package func rasterSize(dotsPerInch: Double, limit: Int = 128 << 20) -> RasterSize? {
    let scale = dotsPerInch / 25.4
    let width = (paper.widthMillimeters * scale).rounded()
    let height = (paper.heightMillimeters * scale).rounded()
    guard width >= 1, height >= 1, width * height <= Double(limit) else { return nil }
    return RasterSize(width: Int(width), height: Int(height))
  }

  /// The sheet in gray, 0 black and 255 white; each pixel shows the share of it that is black, so
  /// that sides between pixels stay where they are.
  ///
  /// - Returns: `nil` when there would be more pixels than ``rasterSize(dotsPerInch:limit:)`` allows.
  /// Cost: O(*pixels*).
  package func raster(dotsPerInch: Double) -> Raster<UInt8>? {
    guard let size = rasterSize(dotsPerInch: dotsPerInch) else { return nil }
    let scale = dotsPerInch / 25.4
    // Rectangles touch without overlap: their shares of a pixel add up.
    var black = [Float](repeating: 0, count: size.pixelCount)
    for rectangle in rectangles {
      let columns = Self.shares(rectangle.x * scale, rectangle.width * scale, limit: size.width)
      let rows = Self.shares(rectangle.y * scale, rectangle.height * scale, limit: size.height)
      for (y, high) in zip(rows.first..., rows.shares) {
        let start = y * size.width + columns.first
        for (x, wide) in columns.shares.enumerated() { black[start + x] += high * wide }
      }
    }
    return Raster(size: size, samples: black.map { UInt8((255 * (1 - min($0, 1))).rounded()) })
  }

  /// How much of each pixel a stretch covers.
  private static func shares(
    _ start: Double, _ length: Double, limit: Int
  ) -> (first: Int, shares: [Float]) {
    let (start, end) = (max(0, start), min(Double(limit), start + length))
    guard end > start else { return (0, []) }
    let (first, last) = (Int(start), min(limit - 1, Int(end)))
    let shares = (first...last).map { pixel in
      Float(max(0, min(end, Double(pixel + 1)) - max(start, Double(pixel))))
    }
    return (first, shares)
  }
}

/// A sheet to print on.
package struct Paper: Hashable, Sendable {
  /// The width in millimeters.
  package var widthMillimeters: Double
  /// The height in millimeters.
  package var heightMillimeters: Double

  /// Creates a sheet of any size.
  ///
  /// - Precondition: Both sides are above 0 and at most 100 m.
  package init(widthMillimeters: Double, heightMillimeters: Double) {
    precondition(
      widthMillimeters > 0 && heightMillimeters > 0
        && max(widthMillimeters, heightMillimeters) <= 1e5,
      "a sheet of \(widthMillimeters) × \(heightMillimeters) mm")
    self.widthMillimeters = widthMillimeters
    self.heightMillimeters = heightMillimeters
  }

  /// ISO 216 A4, upright.
  package static let a4 = Paper(widthMillimeters: 210, heightMillimeters: 297)
  /// ISO 216 A3, upright.
  package static let a3 = Paper(widthMillimeters: 297, heightMillimeters: 420)
  /// ANSI A, 8.5 × 11 inches, upright.
  package static let letter = Paper(widthMillimeters: 215.9, heightMillimeters: 279.4)

  /// The same sheet after a quarter turn.
  package var turned: Paper {
    Paper(widthMillimeters: heightMillimeters, heightMillimeters: widthMillimeters)
  }

  /// Reads `a4`, `a3`, `letter` or a size such as `420x594mm`; `nil` for anything else.
  package init?(parsing text: String) {
    switch text.lowercased() {
    case "a4": self = .a4
    case "a3": self = .a3
    case "letter": self = .letter
    case let size:
      guard size.hasSuffix("mm") else { return nil }
      let sides = size.dropLast(2).split(separator: "x", omittingEmptySubsequences: false).map {
        Double($0)
      }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        (10...10_000).contains(width), (10...10_000).contains(height)
      else { return nil }
      self.init(widthMillimeters: width, heightMillimeters: height)
    }
  }
}
