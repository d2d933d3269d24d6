/// The symbols for one of the four kinds of numbers in a block, with their values.
struct LZFSEAlphabet {
  /// The number of states of its finite-state machine, a power of two.
  let stateCount: Int
  let symbolCount: Int
  /// The number of extra bits after each symbol, whose value is added to the base; empty for
  /// literals.
  let extraBits: [UInt8]
  let bases: [Int32]

  private init(stateCount: Int, extraBits: [UInt8]) {
    self.stateCount = stateCount
    self.extraBits = extraBits
    symbolCount = extraBits.count
    var bases: [Int32] = []
    var base: Int32 = 0
    for bits in extraBits {
      bases.append(base)
      base += 1 << Int32(bits)
    }
    self.bases = bases
  }

  private init(literalStates: Int) {
    stateCount = literalStates
    symbolCount = 256
    extraBits = []
    bases = []
  }

  /// The number of literals before a match: 0…315.
  static let lengths = LZFSEAlphabet(
    stateCount: 64, extraBits: Array(repeating: 0, count: 16) + [2, 3, 5, 8])
  /// The number of bytes that a match copies: 0…2359.
  static let matches = LZFSEAlphabet(
    stateCount: 64, extraBits: Array(repeating: 0, count: 16) + [3, 5, 8, 11])
  /// The distance back to a match: 0…262139; 0 means the same distance as the previous match.
  static let distances = LZFSEAlphabet(
    stateCount: 256, extraBits: (0..<64).map { UInt8($0 / 4) })
  /// The literals themselves.
  static let literals = LZFSEAlphabet(literalStates: 1024)

  /// All alphabets in the order of a header.
  static let all = [lengths, matches, distances, literals]

  /// The symbol whose range contains a value; the alphabet must have one.
  func symbol(of value: Int) -> Int {
    var low = 0
    var high = symbolCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(bases[middle]) <= value { low = middle } else { high = middle }
    }
    return low
  }
}

extension LZFSEAlphabet {
  /// The symbols of all values of ``lengths``, as ``symbol(of:)`` finds them.
  static let lengthSymbols = (0...315).map { UInt8(lengths.symbol(of: $0)) }
  /// The symbols of all values of ``matches``.
  static let matchSymbols = (0...2_359).map { UInt8(matches.symbol(of: $0)) }

  /// The symbol of a value of ``distances``: four for each power of two.
  @inline(__always)
  static func distanceSymbol(of value: Int) -> Int {
    let shift = Int.bitWidth &- 1 &- (value &>> 2 &+ 1).leadingZeroBitCount
    return shift &* 4 &+ (value &- 4 &* ((1 &<< shift) &- 1)) &>> shift
  }
}

/// The code of one frequency: 2, 3, 5, 8 or 14 bits.
enum LZFSEFrequencyCode {
  /// Decodes the number in the lowest bits and returns it with its length in bits.
  static func value(_ bits: UInt32) -> (value: UInt16, length: Int) {
    switch bits & 31 {
    case let low where low & 3 == 0: (0, 2)
    case let low where low & 3 == 2: (1, 2)
    case let low where low & 7 == 1: (2, 3)
    case let low where low & 7 == 5: (3, 3)
    case let low where low & 7 == 3: (4 + UInt16(low >> 3), 5)
    case let low where low & 15 == 7: (8 + UInt16((bits >> 4) & 15), 8)
    default: (24 + UInt16((bits >> 4) & 1023), 14)
    }
  }

  /// Encodes a number up to 1047.
  static func code(_ value: Int) -> (bits: UInt32, length: Int) {
    switch value {
    case 0: (0, 2)
    case 1: (2, 2)
    case 2: (1, 3)
    case 3: (5, 3)
    case 4...7: (3 | UInt32(value - 4) << 3, 5)
    case 8...23: (7 | UInt32(value - 8) << 4, 8)
    default: (15 | UInt32(value - 24) << 4, 14)
    }
  }
}
