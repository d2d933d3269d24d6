/// What stands below a board: a ruler of known length and lines of text, as black rectangles.
struct SheetFooter {
  /// The black rectangles, in millimeters from the footer's top-left corner.
  let rectangles: [BoardDrawing.Rectangle]

  /// Sets a ruler of 100 mm, or of 50 or 20 where the sheet is narrow, and lines below it.
  init(lines: [String], widthMillimeters: Double) {
    var rectangles: [BoardDrawing.Rectangle] = []
    if let length = [100, 50, 20].first(where: { Double($0) + 20 <= widthMillimeters }) {
      // The ruler's length is from the outer side of the first tick to that of the last.
      let tick = 0.2
      rectangles.append(.init(x: 0, y: 3 - tick, width: Double(length), height: tick))
      for millimeter in stride(from: 0, through: length, by: 10) {
        let isEnd = millimeter == 0 || millimeter == length
        let height = isEnd ? 3 : 1.5
        let middle = Double(millimeter) - tick / 2
        let x = millimeter == 0 ? 0 : millimeter == length ? Double(length) - tick : middle
        rectangles.append(.init(x: x, y: 3 - height, width: tick, height: height - tick))
      }
      rectangles += Self.text("\(length) mm", dot: 0.3).map {
        $0.moved(x: Double(length) + 2, y: 0.9)
      }
    }
    for (index, line) in lines.enumerated() {
      let dot = min(0.3, widthMillimeters / Double(max(1, line.count) * DotLetters.advance))
      rectangles += Self.text(line, dot: dot).map { $0.moved(x: 0, y: 5 + 3 * Double(index)) }
    }
    self.rectangles = rectangles
  }

  /// A line of capital letters whose dots have a side.
  private static func text(_ line: String, dot: Double) -> [BoardDrawing.Rectangle] {
    var rectangles: [BoardDrawing.Rectangle] = []
    for (place, letter) in line.uppercased().unicodeScalars.enumerated() {
      let x = Double(place * DotLetters.advance) * dot
      for (column, dots) in DotLetters.columns(of: letter).enumerated() {
        // Dots above each other as one rectangle.
        var row = 0
        while row < DotLetters.rows {
          let start = row
          while row < DotLetters.rows, dots >> UInt8(row) & 1 == 1 { row += 1 }
          if row > start {
            rectangles.append(
              .init(
                x: x + Double(column) * dot, y: Double(start) * dot, width: dot,
                height: Double(row - start) * dot))
          }
          row += 1
        }
      }
    }
    return rectangles
  }
}
