/// A table of numbers as the app writes them: commas, blanks, one line a row, and mostly a line of
/// names first.
struct StrayTable {
  /// The columns' names in lowercase; empty without a line of names.
  let names: [String]
  /// The rows; a field that is empty or no finite number is NaN.
  let rows: [[Double]]
  /// The widest layout known has 15 columns; rows of an hour at 200 Hz then take 110 MB.
  private static let mostColumns = 16

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - mostRows: How many rows may be held.
  ///   - limits: `stringBytes` bounds a line.
  /// - Throws: `.limitExceeded`; `.malformed` for a line of names behind the first. O(*n*).
  init(
    _ bytes: [UInt8], mostRows: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var names: [String] = []
    var rows: [[Double]] = []
    var number = 0
    var text = TextLines(bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...])
    while let line = text.next() {
      let place = line.startIndex
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
      number += 1
      try limits.require(line.count, atMost: 4_096, "bytes of line", offset: place)
      let fields = line.split(separator: 0x2C, omittingEmptySubsequences: false)
        .map { Self.trimmed($0) }
      let first = Double(fields[0])
      if first == nil, number == 1 {
        names = fields.map { printable(text: $0).lowercased() }
        continue
      }
      try limits.require(rows.count + 1, atMost: mostRows, "rows", offset: place)
      try limits.require(fields.count, atMost: Self.mostColumns, "columns", offset: place)
      rows.append(fields.map { Double($0).flatMap { $0.isFinite ? $0 : nil } ?? .nan })
    }
    self.names = names
    self.rows = rows
  }

  /// The place of a column by name.
  func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  private static func trimmed(_ field: ArraySlice<UInt8>) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let inner = field.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return String(decoding: inner, as: UTF8.self)
  }
}
