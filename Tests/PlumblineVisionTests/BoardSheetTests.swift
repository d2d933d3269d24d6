import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

@Suite struct BoardSheetTests {
  private func board(_ line: String) throws -> Board { try BoardNotation(parsing: line).board }

  @Test("Black is half of a chessboard, and never covers a place twice")
  func blackArea() throws {
    let drawing = BoardDrawing(try board("chessboard:10x8:20mm"))
    let area = drawing.rectangles.reduce(0) { $0 + $1.width * $1.height }
    #expect(abs(area - 200 * 160 / 2) < 1e-9, "mm²")
    let charuco = BoardDrawing(try board("charuco:5x4:20mm:DICT_5X5_50"))
    let overlaps = charuco.rectangles.enumerated().reduce(0) { count, entry in
      let (index, a) = entry
      return count
        + charuco.rectangles[(index + 1)...].count { b in
          let across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
          let down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
          return across > 1e-9 && down > 1e-9
        }
    }
    #expect(overlaps == 0)
  }

  @Test("A sheet is turned only where that makes the board fit")
  func turning() throws {
    let wide = try BoardSheet(try board("chessboard:10x7:25mm"), on: .a4)
    #expect(wide.paper == Paper.a4.turned)
    let narrow = try BoardSheet(try board("chessboard:7x10:25mm"), on: .a4)
    #expect(narrow.paper == .a4)
    #expect(narrow.originMillimeters.x == 17.5)
  }

  @Test("The largest square that the message names fits, the next tenth does not")
  func largestSquare() throws {
    let error = #expect(throws: BoardFitError.self) {
      try BoardSheet(try board("chessboard:10x7:40mm"), on: .a4)
    }
    let largest = try #require(error).largestSquareMillimeters
    let tenths = (largest * 10).rounded(.down) / 10
    #expect(error?.description.contains("up to \(tenths.fixed(1)) mm") == true)
    _ = try BoardSheet(try board("chessboard:10x7:\(tenths.fixed(1))mm"), on: .a4)
    #expect(throws: BoardFitError.self) {
      try BoardSheet(try board("chessboard:10x7:\((tenths + 0.1).fixed(1))mm"), on: .a4)
    }
    let tiny = Paper(widthMillimeters: 20, heightMillimeters: 20)
    let none = #expect(throws: BoardFitError.self) {
      try BoardSheet(try board("chessboard:10x7:1mm"), on: tiny)
    }
    #expect(none?.description.contains("no board") == true)
  }

  @Test("The corners of the image are where the sheet says, at any resolution")
  func rasterIsTrue() throws {
    let chessboard = try board("chessboard:8x5:11.3mm")
    let sheet = try BoardSheet(chessboard, on: Paper(widthMillimeters: 120, heightMillimeters: 100))
    for dotsPerInch in [100.0, 127] {
      let image = try #require(sheet.raster(dotsPerInch: dotsPerInch))
      let view = try #require(ChessboardDetector(board: chessboard).view(in: image))
      let scale = dotsPerInch / 25.4
      var worst = 0.0
      for corner in view.corners {
        let place = chessboard.cornerInBoard(corner.id)
        let expected = (sheet.originMillimeters + 1000 * SIMD2(place.x, place.y)) * scale - 0.5
        let miss = corner.pixel - expected
        worst = max(worst, abs(miss.x), abs(miss.y))
      }
      #expect(worst < 0.02, "pixels")
    }
    #expect(sheet.raster(dotsPerInch: 1e6) == nil)
  }

  @Test(
    arguments: [
      ("a4", 210.0, 297.0), ("A3", 297, 420), ("letter", 215.9, 279.4), ("420x594mm", 420, 594),
    ])
  func papers(text: String, width: Double, height: Double) throws {
    let paper = try #require(Paper(parsing: text))
    #expect(paper == Paper(widthMillimeters: width, heightMillimeters: height))
    for wrong in ["", "a5", "1x1mm", "100x100", "100xmm", "nanx100mm", "1e9x5mm"] {
      #expect(Paper(parsing: wrong) == nil)
    }
  }
}
