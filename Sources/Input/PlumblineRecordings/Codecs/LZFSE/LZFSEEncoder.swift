extension LZFSE {
  /// Compresses bytes into a stream that Apple's own and every other reader of LZFSE takes.
  ///
  /// The same bytes come out on every run and machine. What cannot be made smaller is stored, which
  /// costs 12 bytes. O(*n*), about 40 bytes of working memory for each of 10,000 matches.
  package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 2 + 64)
    bytes.withUnsafeBufferPointer { bytes in
      var finder = LZFSEMatchFinder()
      var start = 0
      while start < bytes.count {
        var block = LZFSEBlockBuilder()
        let end = finder.fill(&block, from: bytes, at: start)
        let compressed = block.encoded(rawCount: end - start)
        // A stored block has 8 bytes before its own.
        if compressed.count < end - start + 8 {
          output += compressed
        } else {
          appendNumber(UInt32(0x2D78_7662), to: &output)
          appendNumber(UInt32(end - start), to: &output)
          output += bytes[start..<end]
        }
        start = end
      }
    }
    appendNumber(UInt32(0x2478_7662), to: &output)
    return output
  }

  static func appendNumber(_ number: some FixedWidthInteger, to output: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { output += $0 }
  }
}

/// The literals and matches of a block, collected before they are coded.
struct LZFSEBlockBuilder {
  private(set) var literals: [UInt8] = []
  private var matches: [Match] = []
  private var lastDistance = 0
  private static let longestRun = 315
  static let longestMatch = 2_359

  /// A number of literals, what a match copies behind them, and from how far back; a distance of 0
  /// is that of the match before.
  private struct Match {
    var length: UInt16
    var match: UInt16
    var distance: UInt32
  }

  init() {
    literals.reserveCapacity(LZFSEHeader.maximumLiterals)
    matches.reserveCapacity(LZFSEHeader.maximumMatches)
  }

  /// How many literals, with a match after them, still fit; below 0 for not even the match.
  var literalRoom: Int {
    let matchRoom = LZFSEHeader.maximumMatches - matches.count - 2
    return min(
      LZFSEHeader.maximumLiterals - literals.count,
      matchRoom < 0 ? -1 : matchRoom * Self.longestRun + Self.longestRun - 1)
  }

  /// Adds literals and a match of at most ``longestMatch`` bytes; 0 for none.
  mutating func append(
    _ run: UnsafeBufferPointer<UInt8>, match: Int, distance: Int
  ) {
    literals.append(contentsOf: run)
    var length = run.count
    while length > Self.longestRun {
      // A match of nothing still names a distance, and at least a literal precedes it.
      append(length: Self.longestRun, match: 0, distance: 1)
      length -= Self.longestRun
    }
    append(length: length, match: match, distance: match == 0 ? 1 : distance)
  }

  private mutating func append(length: Int, match: Int, distance: Int) {
    matches.append(
      Match(
        length: UInt16(length), match: UInt16(match),
        distance: distance == lastDistance ? 0 : UInt32(distance)))
    lastDistance = distance
  }

  /// The block with its header; bytes are in the order in which a decoder takes them backwards.
  func encoded(rawCount: Int) -> [UInt8] {
    let padded = literals + Array(repeating: 0, count: -literals.count & 3)
    let literalTable = LZFSEEncodingTable(symbols: padded.lazy.map(Int.init), .literals)
    let codedLiterals = Self.coded(padded, by: literalTable)
    let tables = matchTables
    let codedMatches = codedMatches(by: tables)
    let frequencies = Self.frequencies(of: tables + [literalTable])

    var output: [UInt8] = []
    LZFSE.appendNumber(UInt32(0x3278_7662), to: &output)
    LZFSE.appendNumber(UInt32(rawCount), to: &output)
    let words = headerWords(
      literalCount: padded.count, codedLiterals, codedMatches, frequencyBytes: frequencies.count)
    for word in words { LZFSE.appendNumber(word, to: &output) }
    return output + frequencies + codedLiterals.bytes + codedMatches.bytes
  }

  /// Bits that were coded, the negative number of those that fill the last byte, and the last states.
  private struct Coded {
    var bytes: [UInt8]
    var gap: Int
    var states: [Int]
  }

  /// The literals coded, the last first; their number is a multiple of 4.
  private static func coded(_ padded: [UInt8], by literalTable: LZFSEEncodingTable) -> Coded {
    var literalBits = LZFSEBitWriter(capacity: padded.count + 64)
    var literalStates = [0, 0, 0, 0]
    for index in stride(from: padded.count - 4, through: 0, by: -4) {
      literalTable.encode(Int(padded[index + 3]), &literalStates[3], into: &literalBits)
      literalTable.encode(Int(padded[index + 2]), &literalStates[2], into: &literalBits)
      literalTable.encode(Int(padded[index + 1]), &literalStates[1], into: &literalBits)
      literalTable.encode(Int(padded[index]), &literalStates[0], into: &literalBits)
    }
    let literalGap = literalBits.finish()
    return Coded(bytes: literalBits.bytes, gap: literalGap, states: literalStates)
  }

  /// The tables of the matches' lengths, copies and distances.
  private var matchTables: [LZFSEEncodingTable] {
    let (lengthSymbols, matchSymbols) = (LZFSEAlphabet.lengthSymbols, LZFSEAlphabet.matchSymbols)
    return [
      LZFSEEncodingTable(
        symbols: matches.lazy.map { Int(lengthSymbols[Int($0.length)]) }, .lengths),
      LZFSEEncodingTable(symbols: matches.lazy.map { Int(matchSymbols[Int($0.match)]) }, .matches),
      LZFSEEncodingTable(
        symbols: matches.lazy.map { LZFSEAlphabet.distanceSymbol(of: Int($0.distance)) },
        .distances),
    ]
  }

  /// The matches coded by tables of lengths, copies and distances, the last first.
  private func codedMatches(by tables: [LZFSEEncodingTable]) -> Coded {
    let (lengthSymbols, matchSymbols) = (LZFSEAlphabet.lengthSymbols, LZFSEAlphabet.matchSymbols)
    let (lengths, copies, distances) = (
      LZFSEAlphabet.lengths, LZFSEAlphabet.matches, LZFSEAlphabet.distances
    )
    // As in Apple's own streams, so that a reader may load eight bytes at any bit.
    var matchBits = LZFSEBitWriter(
      bytes: Array(repeating: 0, count: 8), capacity: 6 * matches.count)
    var states = [0, 0, 0]
    for match in matches.reversed() {
      let values = (Int(match.length), Int(match.match), Int(match.distance))
      let far = LZFSEAlphabet.distanceSymbol(of: values.2)
      matchBits.push(values.2 - Int(distances.bases[far]), Int(distances.extraBits[far]))
      tables[2].encode(far, &states[2], into: &matchBits)
      let copy = Int(matchSymbols[values.1])
      matchBits.push(values.1 - Int(copies.bases[copy]), Int(copies.extraBits[copy]))
      tables[1].encode(copy, &states[1], into: &matchBits)
      let run = Int(lengthSymbols[values.0])
      matchBits.push(values.0 - Int(lengths.bases[run]), Int(lengths.extraBits[run]))
      tables[0].encode(run, &states[0], into: &matchBits)
    }
    let matchGap = matchBits.finish()
    return Coded(bytes: matchBits.bytes, gap: matchGap, states: states)
  }

  /// The frequencies of all tables, packed.
  private static func frequencies(of tables: [LZFSEEncodingTable]) -> [UInt8] {
    var frequencies = LZFSEBitWriter()
    for table in tables {
      for frequency in table.frequencies {
        let (bits, length) = LZFSEFrequencyCode.code(frequency)
        frequencies.push(Int(bits), length)
      }
    }
    _ = frequencies.finish()
    return frequencies.bytes
  }

  /// The three numbers of a header that say how long its parts are and where a decoder starts.
  private func headerWords(
    literalCount: Int, _ literals: Coded, _ copies: Coded, frequencyBytes: Int
  ) -> [UInt64] {
    func word(_ fields: [(value: Int, offset: Int)]) -> UInt64 {
      fields.reduce(0) { $0 | UInt64($1.value) << UInt64($1.offset) }
    }
    return [
      word([
        (literalCount, 0), (literals.bytes.count, 20), (matches.count, 40),
        (literals.gap + 7, 60),
      ]),
      word(
        literals.states.enumerated().map { ($1, 10 * $0) }
          + [(copies.bytes.count, 40), (copies.gap + 7, 60)]),
      word([
        (LZFSEHeader.compactSize + frequencyBytes, 0), (copies.states[0], 32),
        (copies.states[1], 42), (copies.states[2], 52),
      ]),
    ]
  }
}
