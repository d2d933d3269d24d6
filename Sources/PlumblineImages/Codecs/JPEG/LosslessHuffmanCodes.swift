/// The best Huffman code for magnitudes of differences, none longer than 16 bits.
///
/// - Source: D. A. Huffman, *A method for the construction of minimum-redundancy codes*, Proceedings of
///   the IRE, 1952; ITU-T T.81, annex C for the order of codes, which leaves the code of all ones out.
struct LosslessHuffmanCodes {
  /// One code, in the low bits.
  struct Code {
    var bits: UInt16
    var length: UInt8
  }

  /// The code of each magnitude, 0 to 16; of length 0 where it does not occur.
  let codes: [Code]
  /// How many codes have each length, 1 to 16.
  let lengthCounts: [UInt8]
  /// The magnitudes by their codes.
  let symbols: [UInt8]

  /// Makes the code for magnitudes that occur as often as given; one of them must.
  init(counts: [Int]) {
    var weights = counts.map { 2 * $0 }
    var lengths = Self.lengths(weights)
    // Flatter weights cost next to nothing; only a 12-megapixel map can need it.
    while lengths.contains(where: { $0 > 16 }) {
      weights = weights.map { $0 == 0 ? 0 : $0 / 2 + 1 }
      lengths = Self.lengths(weights)
    }
    var codes = [Code](repeating: Code(bits: 0, length: 0), count: counts.count)
    var lengthCounts = [UInt8](repeating: 0, count: 16)
    var symbols: [UInt8] = []
    var next = 0
    for length in 1...16 {
      for symbol in counts.indices where lengths[symbol] == length {
        codes[symbol] = Code(bits: UInt16(next), length: UInt8(length))
        lengthCounts[length - 1] += 1
        symbols.append(UInt8(symbol))
        next += 1
      }
      next <<= 1
    }
    self.codes = codes
    self.lengthCounts = lengthCounts
    self.symbols = symbols
  }

  /// The length of each code; the last belongs to a symbol of weight 1 that is never written and takes
  /// the code of all ones.
  private static func lengths(_ weights: [Int]) -> [Int] {
    var lengths = [Int](repeating: 0, count: weights.count + 1)
    var trees: [(weight: Int, symbols: [Int])] = [(1, [weights.count])]
    for (symbol, weight) in weights.enumerated() where weight > 0 {
      trees.append((weight, [symbol]))
    }
    while trees.count > 1 {
      // Seventeen symbols: sorting each time costs nothing. Ties go by the first symbol, always alike.
      trees.sort { ($0.weight, $0.symbols[0]) > ($1.weight, $1.symbols[0]) }
      guard let least = trees.popLast(), let second = trees.popLast() else { break }
      for symbol in least.symbols + second.symbols { lengths[symbol] += 1 }
      trees.append((least.weight + second.weight, least.symbols + second.symbols))
    }
    return lengths
  }
}
