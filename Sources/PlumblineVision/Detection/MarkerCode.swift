/// A square of cells as one number: row after row, the first cell in the highest bit.
enum MarkerCode {
  /// The cells turned clockwise by a quarter turn.
  static func turned(_ word: UInt64, side: Int) -> UInt64 {
    moved(word, side: side) { column, row in (row, side - 1 - column) }
  }

  /// The cells with left and right exchanged.
  static func mirrored(_ word: UInt64, side: Int) -> UInt64 {
    moved(word, side: side) { column, row in (side - 1 - column, row) }
  }

  /// The word whose cell (column, row) is the given one's cell `from(column, row)`.
  private static func moved(
    _ word: UInt64, side: Int, from: (_ column: Int, _ row: Int) -> (column: Int, row: Int)
  ) -> UInt64 {
    let last = side * side - 1
    var result: UInt64 = 0
    for row in 0..<side {
      for column in 0..<side {
        let source = from(column, row)
        result = result << 1 | (word >> UInt64(last - (source.row * side + source.column))) & 1
      }
    }
    return result
  }
}
