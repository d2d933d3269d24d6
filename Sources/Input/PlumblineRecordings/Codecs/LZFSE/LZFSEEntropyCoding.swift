/// The states of a finite-state entropy decoder: each state gives a symbol and the next state.
///
/// A symbol of frequency *f* has *f* consecutive states, in the order of the symbols. With *k* =
/// ⌊log₂ *n*⌋ − ⌊log₂ *f*⌋, the first 2*n*/2ᵏ − *f* of them read *k* bits and the others *k* − 1,
/// so that each of the *n* states is reached once.
enum LZFSEStateTable {
  /// The steps of one symbol's states: the number of bits to read and the value to add.
  static func steps(
    frequency: Int, stateCount: Int, _ body: (_ bits: Int, _ delta: Int) -> Void
  ) {
    let k = frequency.leadingZeroBitCount - stateCount.leadingZeroBitCount
    let longCount = ((2 * stateCount) >> k) - frequency
    for j in 0..<frequency {
      if j < longCount {
        body(k, ((frequency + j) << k) - stateCount)
      } else {
        body(k - 1, (j - longCount) << (k - 1))
      }
    }
  }

  /// The table for literals: bits to read, symbol and delta in bytes 0, 1 and 2–3 of each entry.
  ///
  /// States without a symbol lead to state 0, which is harmless.
  static func literals(_ frequencies: [UInt16]) -> [UInt32] {
    let stateCount = LZFSEAlphabet.literals.stateCount
    var table: [UInt32] = []
    table.reserveCapacity(stateCount)
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      steps(frequency: Int(frequency), stateCount: stateCount) { bits, delta in
        let packedDelta = UInt32(UInt16(bitPattern: Int16(truncatingIfNeeded: delta)))
        table.append(UInt32(bits) | UInt32(symbol) << 8 | packedDelta << 16)
      }
    }
    table += Array(repeating: 0, count: stateCount - table.count)
    return table
  }

  /// The table for numbers: total bits, extra bits, delta and base in bytes 0, 1, 2–3 and 4–7.
  static func numbers(_ frequencies: [UInt16], _ alphabet: LZFSEAlphabet) -> [UInt64] {
    var table: [UInt64] = []
    table.reserveCapacity(alphabet.stateCount)
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      let extra = UInt64(alphabet.extraBits[symbol])
      let base = UInt64(UInt32(bitPattern: alphabet.bases[symbol]))
      steps(frequency: Int(frequency), stateCount: alphabet.stateCount) { bits, delta in
        let packedDelta = UInt64(UInt16(bitPattern: Int16(truncatingIfNeeded: delta)))
        table.append((UInt64(bits) + extra) | extra << 8 | packedDelta << 16 | base << 32)
      }
    }
    table += Array(repeating: 0, count: alphabet.stateCount - table.count)
    return table
  }
}

/// The bits of a stream that is read backwards from its end.
///
/// It reads no byte outside the given memory. ``isWithinStream`` says at the end whether more bits
/// were read than the stream has.
struct LZFSEBitReader {
  private var bits: UInt64
  private(set) var count: Int
  /// The first byte that is already loaded into `bits`.
  private var pointer: UnsafePointer<UInt8>
  private let memoryStart: UnsafePointer<UInt8>
  private let streamStart: UnsafePointer<UInt8>

  /// Starts at the end of a stream; `nil` if the missing bits of the last byte are not zero.
  ///
  /// - Parameters:
  ///   - end: One past the last byte.
  ///   - size: The size of the stream in bytes; at least 32 bytes of memory precede `end - size`.
  ///   - memoryStart: The first byte that may be read.
  ///   - missing: The number of unused bits in the last byte, as −7…0.
  @inline(__always)
  init?(end: UnsafePointer<UInt8>, size: Int, memoryStart: UnsafePointer<UInt8>, missing: Int) {
    self.memoryStart = memoryStart
    streamStart = end - size
    if missing != 0 {
      pointer = end - 8
      bits = Self.load(pointer)
      count = 64 + missing
    } else {
      pointer = end - 7
      // The byte before the seven is readable too, and is shifted out.
      bits = Self.load(end - 8) >> 8
      count = 56
    }
    guard bits >> UInt64(count) == 0 else { return nil }
  }

  @inline(__always)
  private static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
  }

  /// Loads at least 56 bits; `false` at the beginning of the memory.
  @inline(__always)
  mutating func refill() -> Bool {
    let added = (63 &- count) & -8
    let next = pointer - (added &>> 3)
    guard next >= memoryStart else { return false }
    pointer = next
    let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: added)) &- 1
    bits = (bits &<< UInt64(truncatingIfNeeded: added)) | (Self.load(next) & mask)
    count = count &+ added
    return true
  }

  /// Reads bits, the highest first; there must be enough loaded bits.
  @inline(__always)
  mutating func take(_ wanted: Int) -> Int {
    count = count &- wanted
    let value = bits &>> UInt64(truncatingIfNeeded: count)
    bits &= (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    return Int(truncatingIfNeeded: value)
  }

  /// Whether no more bits were read than the stream has.
  var isWithinStream: Bool { (pointer - streamStart) * 8 + count >= 0 }
}

/// The frequency of each symbol, and the state transitions of an encoder.
struct LZFSEEncodingTable {
  /// Frequencies that add up to the number of states, or zeros if no symbol occurs.
  let frequencies: [Int]
  private let steps: [Step]

  private struct Step {
    /// States at or above it write ``bits`` bits, those below it one bit less.
    var threshold = 0
    var bits = 0
    var highDelta = 0
    var lowDelta = 0
  }

  /// Counts the symbols.
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

  /// Encodes a symbol that was counted: updates the state and writes its bits to the stream.
  @inline(__always)
  func encode(_ symbol: Int, _ state: inout Int, into stream: inout LZFSEBitWriter) {
    let step = steps[symbol]
    let isHigh = state >= step.threshold
    let bits = isHigh ? step.bits : step.bits &- 1
    stream.push(state & ((1 &<< bits) &- 1), bits)
    state = (isHigh ? step.highDelta : step.lowDelta) &+ (state &>> bits)
  }

  /// Scales counts to a given sum; each count above 0 stays at least 1.
  ///
  /// Rounding differences are added to or taken from the maximum frequency, where they cost least.
  static func normalized(_ counts: [Int], sum: Int) -> [Int] {
    let total = counts.reduce(0, +)
    guard total > 0 else { return counts }
    var result = counts.map { $0 == 0 ? 0 : max(1, ($0 * sum + total / 2) / total) }
    var excess = result.reduce(0, +) - sum
    while excess != 0 {
      guard let largest = result.indices.max(by: { (result[$0], $1) < (result[$1], $0) }) else {
        break
      }
      // At most a quarter per step, which preserves the shape of the distribution.
      let change = excess < 0 ? -excess : min(excess, max(1, result[largest] / 4))
      result[largest] += excess < 0 ? change : -change
      excess += excess < 0 ? change : -change
    }
    return result
  }
}

/// A writer that appends bits one after another, lowest bit first.
struct LZFSEBitWriter {
  private(set) var bytes: [UInt8]
  private var bits: UInt64 = 0
  private var count = 0

  /// Starts after whole bytes and reserves the expected capacity.
  init(bytes: [UInt8] = [], capacity: Int = 0) {
    self.bytes = bytes
    self.bytes.reserveCapacity(bytes.count + capacity)
  }

  /// Appends the lowest `size` bits of a value whose other bits are 0; at most 32.
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

  /// Pads the last byte with zeros; returns the negative number of padding bits.
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
