/// How often each symbol comes, and from which state to which it leads an encoder.
struct LZFSEEncodingTable {
  /// Frequencies that sum to the number of states, or zeros where no symbol comes at all.
  let frequencies: [Int]
  private let steps: [Step]

  private struct Step {
    /// States from here on take ``bits``, those below one bit less.
    var threshold = 0
    var bits = 0
    var highDelta = 0
    var lowDelta = 0
  }

  /// Counts symbols.
  init(symbols: some Sequence<Int>, _ alphabet: LZFSEAlphabet) {
    var counts = Array(repeating: 0, count: alphabet.symbolCount)
    for symbol in symbols { counts[symbol] += 1 }
    frequencies = Self.normalized(counts, sum: alphabet.stateCount)
    var first = 0
    let stateCount = alphabet.stateCount
    steps = frequencies.map { frequency in
      guard frequency > 0 else { return Step() }
      let k = frequency.leadingZeroBitCount - stateCount.leadingZeroBitCount
      defer { first += frequency }
      return Step(
        threshold: (frequency << k) - stateCount, bits: k,
        highDelta: first - frequency + (stateCount >> k),
        lowDelta: k == 0 ? 0 : first - frequency + (stateCount >> (k - 1)))
    }
  }

  /// Moves on by a symbol that was counted; its bits go to the stream.
  @inline(__always)
  func encode(_ symbol: Int, _ state: inout Int, into stream: inout LZFSEBitWriter) {
    let step = steps[symbol]
    let isHigh = state >= step.threshold
    let bits = isHigh ? step.bits : step.bits &- 1
    stream.push(state & ((1 &<< bits) &- 1), bits)
    state = (isHigh ? step.highDelta : step.lowDelta) &+ (state &>> bits)
  }

  /// Counts scaled to a sum, at least 1 where they are above 0.
  ///
  /// What rounding leaves over goes to, or comes from, the most frequent ones: there it costs least.
  static func normalized(_ counts: [Int], sum: Int) -> [Int] {
    let total = counts.reduce(0, +)
    guard total > 0 else { return counts }
    var result = counts.map { $0 == 0 ? 0 : max(1, ($0 * sum + total / 2) / total) }
    var excess = result.reduce(0, +) - sum
    while excess != 0 {
      guard let largest = result.indices.max(by: { (result[$0], $1) < (result[$1], $0) }) else {
        break
      }
      // No more than a quarter at a time keeps the shape of the distribution.
      let change = excess < 0 ? -excess : min(excess, max(1, result[largest] / 4))
      result[largest] += excess < 0 ? change : -change
      excess += excess < 0 ? change : -change
    }
    return result
  }
}

/// Bits that are pushed one behind the other, lowest first.
struct LZFSEBitWriter {
  private(set) var bytes: [UInt8]
  private var bits: UInt64 = 0
  private var count = 0

  /// Starts behind whole bytes, with room for as many more as are likely.
  init(bytes: [UInt8] = [], capacity: Int = 0) {
    self.bytes = bytes
    self.bytes.reserveCapacity(bytes.count + capacity)
  }

  /// Appends the lowest `size` bits of a value that has no others; at most 32.
  @inline(__always)
  mutating func push(_ value: Int, _ size: Int) {
    bits |= UInt64(truncatingIfNeeded: value) &<< UInt64(truncatingIfNeeded: count)
    count &+= size
    guard count >= 32 else { return }
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: bits).littleEndian) {
      bytes.append(contentsOf: $0)
    }
    bits &>>= 32
    count &-= 32
  }

  /// Fills the last byte up with zeros; returns the negative number of them.
  mutating func finish() -> Int {
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
    guard count > 0 else { return 0 }
    bytes.append(UInt8(truncatingIfNeeded: bits))
    let gap = count - 8
    bits = 0
    count = 0
    return gap
  }
}
