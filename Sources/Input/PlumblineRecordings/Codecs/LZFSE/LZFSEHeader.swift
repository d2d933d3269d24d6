import PlumblineIO

/// The header of an entropy-coded block: sizes, initial states and frequency tables.
struct LZFSEHeader {
  let rawCount: Int
  let literalCount: Int
  let matchCount: Int
  /// The sizes in bytes of the literals' and the matches' bit streams, which follow each other.
  let literalSize: Int
  let matchSize: Int
  /// The number of unused bits in the last byte of each stream, as −7…0.
  let literalBits: Int
  let matchBits: Int
  let literalStates: [Int]
  let lengthState: Int
  let matchState: Int
  let distanceState: Int
  /// The frequency (number of states) of each symbol, in the order of ``LZFSEAlphabet/all``.
  let frequencies: [[UInt16]]

  /// Reads the header after the mark; the cursor is then at the payload.
  init(_ reader: inout ByteReader, isCompact: Bool) throws(CaptureReadingError) {
    rawCount = Int(try reader.readUInt32("a length"))
    if isCompact {
      // Three words of packed fields; the format's page lists their bit offsets.
      let first = try reader.readUInt64("packed fields")
      let second = try reader.readUInt64("packed fields")
      let third = try reader.readUInt64("packed fields")
      func field(_ word: UInt64, _ offset: UInt64, _ bits: UInt64) -> Int {
        Int((word >> offset) & ((1 << bits) - 1))
      }
      literalCount = field(first, 0, 20)
      literalSize = field(first, 20, 20)
      matchCount = field(first, 40, 20)
      literalBits = field(first, 60, 3) - 7
      literalStates = (0..<4).map { field(second, 10 * $0, 10) }
      matchSize = field(second, 40, 20)
      matchBits = field(second, 60, 3) - 7
      lengthState = field(third, 32, 10)
      matchState = field(third, 42, 10)
      distanceState = field(third, 52, 10)
      let tableSize = field(third, 0, 32) - Self.compactSize
      frequencies = try Self.frequencies(reader.readBytes(tableSize, as: "frequencies"))
    } else {
      let payloadSize = Int(try reader.readUInt32("a size"))
      literalCount = Int(try reader.readUInt32("a count"))
      matchCount = Int(try reader.readUInt32("a count"))
      literalSize = Int(try reader.readUInt32("a size"))
      matchSize = Int(try reader.readUInt32("a size"))
      literalBits = Int(Int32(bitPattern: try reader.readUInt32("bits")))
      var states: [Int] = []
      for _ in 0..<4 { states.append(Int(try reader.readUInt16("a state"))) }
      literalStates = states
      matchBits = Int(Int32(bitPattern: try reader.readUInt32("bits")))
      lengthState = Int(try reader.readUInt16("a state"))
      matchState = Int(try reader.readUInt16("a state"))
      distanceState = Int(try reader.readUInt16("a state"))
      var tables: [[UInt16]] = []
      for alphabet in LZFSEAlphabet.all {
        var table: [UInt16] = []
        for _ in 0..<alphabet.symbolCount { table.append(try reader.readUInt16("a frequency")) }
        tables.append(table)
      }
      frequencies = tables
      // The structure is aligned to four bytes: 770 bytes of fields are padded to 772.
      try reader.skip(2, as: "padding")
      guard payloadSize == literalSize + matchSize else {
        throw reader.malformed(
          expected: "\(literalSize) + \(matchSize) bytes of payload", found: "\(payloadSize)")
      }
    }
    try check(reader)
  }

  /// The size of mark, length and packed fields.
  static let compactSize = 32
  /// The maximum number of literals and of matches in one block.
  static let maximumLiterals = 40_000
  static let maximumMatches = 10_000

  private func check(_ reader: ByteReader) throws(CaptureReadingError) {
    func require(_ isSound: Bool, _ expected: String, _ found: String) throws(CaptureReadingError) {
      if !isSound { throw reader.malformed(expected: expected, found: found) }
    }
    try require(
      literalCount <= Self.maximumLiterals && literalCount % 4 == 0,
      "at most \(Self.maximumLiterals) literals, in fours", "\(literalCount)")
    try require(
      matchCount <= Self.maximumMatches, "at most \(Self.maximumMatches) matches", "\(matchCount)")
    try require(
      (-7...0).contains(literalBits) && (-7...0).contains(matchBits), "bits from −7 to 0",
      "\(literalBits), \(matchBits)")
    // A match gives at most 312 + 2¹¹ − 1 bytes.
    try require(
      rawCount <= literalCount + 2_359 * matchCount,
      "what \(literalCount) literals and \(matchCount) matches can make", "\(rawCount) bytes")
    let states = [
      [lengthState], [matchState], [distanceState], literalStates,
    ]
    for (index, alphabet) in LZFSEAlphabet.all.enumerated() {
      try require(
        states[index].allSatisfy { $0 < alphabet.stateCount },
        "states below \(alphabet.stateCount)", "\(states[index])")
      let sum = frequencies[index].reduce(0) { $0 + Int($1) }
      try require(
        sum <= alphabet.stateCount, "frequencies that sum to \(alphabet.stateCount)", "\(sum)")
    }
  }

  /// The four tables, coded with 2 to 14 bits per number, lowest bit first.
  ///
  /// If there are no bytes, all tables are zero.
  private static func frequencies(
    _ bytes: ArraySlice<UInt8>
  ) throws(CaptureReadingError) -> [[UInt16]] {
    if bytes.isEmpty {
      return LZFSEAlphabet.all.map { Array(repeating: 0, count: $0.symbolCount) }
    }
    var tables: [[UInt16]] = []
    var next = bytes.startIndex
    var bits: UInt32 = 0
    var count = 0
    for alphabet in LZFSEAlphabet.all {
      var table: [UInt16] = []
      for _ in 0..<alphabet.symbolCount {
        while count <= 24, next < bytes.endIndex {
          bits |= UInt32(bytes[next]) << UInt32(count)
          count += 8
          next += 1
        }
        let (value, length) = LZFSEFrequencyCode.value(bits)
        guard length <= count else {
          throw CaptureReadingError(
            .malformed, path: ["LZFSE"], offset: next, expected: "a frequency",
            found: "\(count) bits left")
        }
        table.append(value)
        bits >>= UInt32(length)
        count -= length
      }
      tables.append(table)
    }
    guard count < 8, next == bytes.endIndex else {
      throw CaptureReadingError(
        .malformed, path: ["LZFSE"], offset: next, expected: "the end of the frequencies",
        found: "\(count / 8 + bytes.endIndex - next) bytes more")
    }
    return tables
  }
}
