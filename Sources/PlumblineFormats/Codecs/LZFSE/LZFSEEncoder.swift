extension LZFSE {
  /// Compresses bytes into a stream that Apple's own and every other reader of LZFSE takes.
  ///
  /// The same bytes come out on every run and machine. What cannot be made smaller is stored, which
  /// costs 12 bytes. O(*n*), about 40 bytes of working memory for each of 10,000 matches.
  public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
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
  /// Symbol and extra bits of each number: lengths, matches, distances.
  private var numbers: [[(symbol: Int, extra: Int)]] = [[], [], []]
  private var lastDistance = 0
  private static let alphabets = [
    LZFSEAlphabet.lengths, LZFSEAlphabet.matches, LZFSEAlphabet.distances,
  ]
  private static let longestRun = 315
  static let longestMatch = 2_359

  /// Whether literals and a match after them still fit.
  func hasRoom(literals count: Int) -> Bool {
    literals.count + count <= LZFSEHeader.maximumLiterals
      && numbers[0].count + count / Self.longestRun + 2 <= LZFSEHeader.maximumMatches
  }

  /// Adds literals and a match of at most ``longestMatch`` bytes; 0 for none.
  mutating func append(
    _ run: Slice<UnsafeBufferPointer<UInt8>>, match: Int, distance: Int
  ) {
    literals += run
    var length = run.count
    while length > Self.longestRun {
      // A match of nothing still names a distance, and at least a literal precedes it.
      append(length: Self.longestRun, match: 0, distance: 1)
      length -= Self.longestRun
    }
    append(length: length, match: match, distance: match == 0 ? 1 : distance)
  }

  private mutating func append(length: Int, match: Int, distance: Int) {
    let values = [length, match, distance == lastDistance ? 0 : distance]
    for (index, alphabet) in Self.alphabets.enumerated() {
      let symbol = alphabet.symbol(of: values[index])
      numbers[index].append((symbol, values[index] - Int(alphabet.bases[symbol])))
    }
    lastDistance = distance
  }

  /// The block with its header; bytes are in the order in which a decoder takes them backwards.
  func encoded(rawCount: Int) -> [UInt8] {
    let padded = literals + Array(repeating: 0, count: -literals.count & 3)
    let literalTable = LZFSEEncodingTable(symbols: padded.lazy.map(Int.init), .literals)
    var literalBits = LZFSEBitWriter()
    var literalStates = [0, 0, 0, 0]
    for index in padded.indices.reversed() {
      literalTable.encode(Int(padded[index]), &literalStates[index & 3], into: &literalBits)
    }
    let literalGap = literalBits.finish()

    let tables = zip(numbers, Self.alphabets).map { numbers, alphabet in
      LZFSEEncodingTable(symbols: numbers.lazy.map(\.symbol), alphabet)
    }
    // As in Apple's own streams, so that a reader may load eight bytes at any bit.
    var matchBits = LZFSEBitWriter(bytes: Array(repeating: 0, count: 8))
    var states = [0, 0, 0]
    for place in numbers[0].indices.reversed() {
      for index in [2, 1, 0] {
        let number = numbers[index][place]
        let size = Int(Self.alphabets[index].extraBits[number.symbol])
        matchBits.push(number.extra, size)
        tables[index].encode(number.symbol, &states[index], into: &matchBits)
      }
    }
    let matchGap = matchBits.finish()

    var frequencies = LZFSEBitWriter()
    for table in tables + [literalTable] {
      for frequency in table.frequencies {
        let (bits, length) = LZFSEFrequencyCode.code(frequency)
        frequencies.push(Int(bits), length)
      }
    }
    _ = frequencies.finish()

    var output: [UInt8] = []
    LZFSE.appendNumber(UInt32(0x3278_7662), to: &output)
    LZFSE.appendNumber(UInt32(rawCount), to: &output)
    func word(_ fields: [(value: Int, offset: Int)]) -> UInt64 {
      fields.reduce(0) { $0 | UInt64($1.value) << UInt64($1.offset) }
    }
    let words = [
      word([
        (padded.count, 0), (literalBits.bytes.count, 20), (numbers[0].count, 40),
        (literalGap + 7, 60),
      ]),
      word(
        literalStates.enumerated().map { ($1, 10 * $0) }
          + [(matchBits.bytes.count, 40), (matchGap + 7, 60)]),
      word([
        (LZFSEHeader.compactSize + frequencies.bytes.count, 0), (states[0], 32), (states[1], 42),
        (states[2], 52),
      ]),
    ]
    for word in words { LZFSE.appendNumber(word, to: &output) }
    return output + frequencies.bytes + literalBits.bytes + matchBits.bytes
  }
}
