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

/// Capital letters of five by seven dots.
enum DotLetters {
  /// The number of dots from top to bottom.
  static let rows = 7
  /// Dots from one letter to the next.
  static let advance = 6

  /// The five columns of a letter, the top dot in the lowest bit; empty for what has no dots.
  static func columns(of letter: Unicode.Scalar) -> [UInt8] {
    switch letter {
    case "0": [0x3E, 0x51, 0x49, 0x45, 0x3E]
    case "1": [0x00, 0x42, 0x7F, 0x40, 0x00]
    case "2": [0x42, 0x61, 0x51, 0x49, 0x46]
    case "3": [0x22, 0x41, 0x49, 0x49, 0x36]
    case "4": [0x18, 0x14, 0x12, 0x7F, 0x10]
    case "5": [0x27, 0x45, 0x45, 0x45, 0x39]
    case "6": [0x3E, 0x49, 0x49, 0x49, 0x32]
    case "7": [0x01, 0x71, 0x09, 0x05, 0x03]
    case "8": [0x36, 0x49, 0x49, 0x49, 0x36]
    case "9": [0x26, 0x49, 0x49, 0x49, 0x3E]
    case ":": [0x00, 0x36, 0x36, 0x00, 0x00]
    case "=": [0x14, 0x14, 0x14, 0x14, 0x14]
    case "%": [0x23, 0x13, 0x08, 0x64, 0x62]
    case ".": [0x00, 0x60, 0x60, 0x00, 0x00]
    case "-": [0x08, 0x08, 0x08, 0x08, 0x08]
    case "_": [0x40, 0x40, 0x40, 0x40, 0x40]
    case "A": [0x7E, 0x11, 0x11, 0x11, 0x7E]
    case "B": [0x7F, 0x49, 0x49, 0x49, 0x36]
    case "C": [0x3E, 0x41, 0x41, 0x41, 0x22]
    case "D": [0x7F, 0x41, 0x41, 0x41, 0x3E]
    case "E": [0x7F, 0x49, 0x49, 0x49, 0x41]
    case "F": [0x7F, 0x09, 0x09, 0x09, 0x01]
    case "G": [0x3E, 0x41, 0x49, 0x49, 0x3A]
    case "H": [0x7F, 0x08, 0x08, 0x08, 0x7F]
    case "I": [0x00, 0x41, 0x7F, 0x41, 0x00]
    case "J": [0x20, 0x40, 0x40, 0x40, 0x3F]
    case "K": [0x7F, 0x08, 0x14, 0x22, 0x41]
    case "L": [0x7F, 0x40, 0x40, 0x40, 0x40]
    case "M": [0x7F, 0x02, 0x0C, 0x02, 0x7F]
    case "N": [0x7F, 0x04, 0x08, 0x10, 0x7F]
    case "O": [0x3E, 0x41, 0x41, 0x41, 0x3E]
    case "P": [0x7F, 0x09, 0x09, 0x09, 0x06]
    case "Q": [0x3E, 0x41, 0x51, 0x21, 0x5E]
    case "R": [0x7F, 0x09, 0x19, 0x29, 0x46]
    case "S": [0x26, 0x49, 0x49, 0x49, 0x32]
    case "T": [0x01, 0x01, 0x7F, 0x01, 0x01]
    case "U": [0x3F, 0x40, 0x40, 0x40, 0x3F]
    case "V": [0x1F, 0x20, 0x40, 0x20, 0x1F]
    case "W": [0x3F, 0x40, 0x38, 0x40, 0x3F]
    case "X": [0x63, 0x14, 0x08, 0x14, 0x63]
    case "Y": [0x03, 0x04, 0x78, 0x04, 0x03]
    case "Z": [0x61, 0x51, 0x49, 0x45, 0x43]
    default: []
    }
  }
}
