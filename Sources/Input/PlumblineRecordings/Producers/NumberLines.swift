import PlumblineImages
import PlumblineIO

/// A text table of a data set: lines of fields separated by white space or commas.
struct NumberLines {
  /// The lines with at least one field, without comments.
  var lines: Lines { Lines(text: self) }
  /// The comments: the text after `#`.
  private(set) var comments: [Substring] = []

  private let bytes: [UInt8]
  /// The range of each field; no accepted text exceeds 32-bit positions.
  private var fields: [Range<Int32>] = []
  /// The number of fields up to the end of each line.
  private var ends: [Int32] = []

  /// Half an hour of poses at 200 Hz with all digits has 40 MB.
  static let mostBytes = 64 << 20
  /// Enough for an hour of motion at 200 Hz with four fields per line; a field costs 8 bytes of
  /// memory.
  static let mostFields = 3_000_000

  /// Splits a text; a byte order mark and carriage returns are ignored.
  ///
  /// - Throws: `.limitExceeded` for more than 64 MB, a million lines, three million fields, or 64
  ///   fields in one line. O(*n*).
  init(
    _ bytes: [UInt8], limits: ReadingLimits, path: String, mostBytes: Int = Self.mostBytes,
    mostFields: Int = Self.mostFields
  ) throws(CaptureReadingError) {
    try limits.require(
      bytes.count, atMost: min(mostBytes, limits.fileBytes, Int(Int32.max)), "bytes of text",
      path: [path])
    self.bytes = bytes
    // Line by line, since a hostile text can have more lines than fit into memory.
    var text = TextLines(bytes[...])
    while var line = text.next() {
      if let hash = line.firstIndex(of: UInt8(ascii: "#")) {
        if comments.count < 100 {
          comments.append(Substring(decoding: line[(hash + 1)...].prefix(1000), as: UTF8.self))
        }
        line = line[..<hash]
      }
      guard line.contains(where: { $0 > 32 }) else { continue }
      let before = fields.count
      split(line.startIndex..<min(line.endIndex, line.startIndex + 10_000))
      try limits.require(fields.count - before, atMost: 64, "fields of a line", path: [path])
      try limits.require(fields.count, atMost: mostFields, "fields of text", path: [path])
      guard fields.count > before else { continue }
      ends.append(Int32(fields.count))
      try limits.require(ends.count, atMost: 1_000_000, "lines", path: [path])
    }
  }

  /// Adds the fields of a range of the text.
  private mutating func split(_ range: Range<Int>) {
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      let length = separatorLength(at: index)
      if length > 0 {
        if start < index { fields.append(Int32(start)..<Int32(index)) }
        start = index + length
      }
      index += max(1, length)
    }
    if start < range.upperBound { fields.append(Int32(start)..<Int32(range.upperBound)) }
  }

  private func separatorLength(at index: Int) -> Int {
    switch bytes[index] {
    case 0x20, 0x09, 0x2C: 1
    // The byte order mark.
    case 0xEF: bytes[index...].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    default: 0
    }
  }
}

extension NumberLines {
  /// The lines in their order.
  struct Lines: RandomAccessCollection {
    fileprivate let text: NumberLines
    var startIndex: Int { 0 }
    var endIndex: Int { text.ends.count }

    subscript(position: Int) -> Line {
      let start = position > 0 ? text.ends[position - 1] : 0
      return Line(text: text, fields: Int(start)..<Int(text.ends[position]))
    }
  }

  /// The fields of one line.
  struct Line: RandomAccessCollection {
    fileprivate let text: NumberLines
    fileprivate let fields: Range<Int>
    var startIndex: Int { 0 }
    var endIndex: Int { fields.count }

    subscript(position: Int) -> Substring {
      Substring(decoding: bytes(at: position), as: UTF8.self)
    }

    private func bytes(at position: Int) -> ArraySlice<UInt8> {
      let range = text.fields[fields.lowerBound + position]
      return text.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// The finite number at a position; `nil` for anything else.
    func number(at position: Int) -> Double? {
      Double(decimal: bytes(at: position)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// All numbers of the line; `nil` if any field is not a finite number.
    var numbers: [Double]? {
      var numbers: [Double] = []
      numbers.reserveCapacity(count)
      for position in indices {
        guard let number = number(at: position) else { return nil }
        numbers.append(number)
      }
      return numbers
    }
  }
}
