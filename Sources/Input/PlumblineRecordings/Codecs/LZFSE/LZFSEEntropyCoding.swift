/// The states of a finite-state entropy decoder: each gives a symbol and leads to the next.
///
/// A symbol of frequency *f* has *f* states side by side, in the order of the symbols. With
/// *k* = ⌊log₂ *n*⌋ − ⌊log₂ *f*⌋, the first 2*n*/2ᵏ − *f* of them take *k* bits and the others
/// *k* − 1, so that each of the *n* states is reached once.
enum LZFSEStateTable {
  /// Steps of one symbol's states: how many bits each takes and what is added to them.
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

  /// A table for literals: bits to take, symbol and delta in bytes 0, 1 and 2–3 of each entry.
  ///
  /// States that no symbol has lead to state 0, as harmless as any.
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

  /// A table for numbers: all bits to take, extra bits, delta and base in bytes 0, 1, 2–3 and 4–7.
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

/// Bits of a stream that is read from its end towards its beginning.
///
/// No byte outside the memory that it was given is touched; whether more bits were taken than the
/// stream has shows at the end, by ``isWithinStream``.
struct LZFSEBitReader {
  private var bits: UInt64
  private(set) var count: Int
  /// The first byte that is already in `bits`.
  private var pointer: UnsafePointer<UInt8>
  private let memoryStart: UnsafePointer<UInt8>
  private let streamStart: UnsafePointer<UInt8>

  /// Starts at the end of a stream; `nil` when bits that should be missing are there.
  ///
  /// - Parameters:
  ///   - end: One past the last byte.
  ///   - size: The bytes of the stream; 32 bytes of memory at least precede `end - size`.
  ///   - memoryStart: The first byte that may be read.
  ///   - missing: Bits that the last byte lacks, −7…0.
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
      // The byte before the seven is there too, and falls out.
      bits = Self.load(end - 8) >> 8
      count = 56
    }
    guard bits >> UInt64(count) == 0 else { return nil }
  }

  @inline(__always)
  private static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
  }

  /// Makes at least 56 bits ready; `false` at the beginning of the memory.
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

  /// Takes bits, the highest first; at most those that are ready.
  @inline(__always)
  mutating func take(_ wanted: Int) -> Int {
    count = count &- wanted
    let value = bits &>> UInt64(truncatingIfNeeded: count)
    bits &= (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    return Int(truncatingIfNeeded: value)
  }

  /// Whether no more bits were taken than the stream has.
  var isWithinStream: Bool { (pointer - streamStart) * 8 + count >= 0 }
}

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
