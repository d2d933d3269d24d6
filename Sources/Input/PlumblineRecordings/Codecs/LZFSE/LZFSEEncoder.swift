extension LZFSE {
  /// Compresses bytes into a stream that Apple's and other LZFSE decoders can read.
  ///
  /// The output is the same on every run and machine. Incompressible blocks are stored, which adds
  /// 8 bytes per block and 4 at the end. O(*n*), with about 40 bytes of working memory for each of
  /// up to 10,000 matches.
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
        // A stored block has a header of 8 bytes.
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

  /// A number of literals, followed by a match: its length and its distance back.
  ///
  /// A distance of 0 means that of the previous match.
  private struct Match {
    var length: UInt16
    var match: UInt16
    var distance: UInt32
  }

  init() {
    literals.reserveCapacity(LZFSEHeader.maximumLiterals)
    matches.reserveCapacity(LZFSEHeader.maximumMatches)
  }

  /// How many literals still fit together with a following match; negative if not even the match
  /// fits.
  var literalRoom: Int {
    let matchRoom = LZFSEHeader.maximumMatches - matches.count - 2
    return min(
      LZFSEHeader.maximumLiterals - literals.count,
      matchRoom < 0 ? -1 : matchRoom * Self.longestRun + Self.longestRun - 1)
  }

  /// Adds literals and a match of at most ``longestMatch`` bytes; a match of 0 means none.
  mutating func append(
    _ run: UnsafeBufferPointer<UInt8>, match: Int, distance: Int
  ) {
    literals.append(contentsOf: run)
    var length = run.count
    while length > Self.longestRun {
      // An empty match still has a distance and at least one preceding literal.
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

  /// The block with its header; bit streams are in the order of a decoder that reads backwards.
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

  /// Coded bits, the negative number of padding bits in the last byte, and the final states.
  private struct Coded {
    var bytes: [UInt8]
    var gap: Int
    var states: [Int]
  }

  /// Codes the literals, last one first; their number is a multiple of 4.
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

  /// The tables for the literal lengths, match lengths and distances.
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

  /// Codes the matches with the tables of literal lengths, match lengths and distances, last one
  /// first.
  private func codedMatches(by tables: [LZFSEEncodingTable]) -> Coded {
    let (lengthSymbols, matchSymbols) = (LZFSEAlphabet.lengthSymbols, LZFSEAlphabet.matchSymbols)
    let (lengths, copies, distances) = (
      LZFSEAlphabet.lengths, LZFSEAlphabet.matches, LZFSEAlphabet.distances
    )
    // As in Apple's own streams, so that a decoder may load eight bytes at any bit.
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

  /// The three header words with the sizes of the parts and the initial states of a decoder.
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
