/// What a mutation draws from: choices that a seed decides, and a change of bytes without structure.
///
/// Bytes changed blindly stop at the first checksum or length that no longer fits. The mutations of
/// this folder take a file apart, change one part, and put it together again with lengths, offsets
/// and checksums that are right, so that what lies behind them is reached.
public struct Mutation {
  /// Changes bytes without knowing their structure; the second argument is the maximum count.
  public typealias BlindChange = (_ bytes: [UInt8], _ maximumCount: Int) -> [UInt8]

  private var state: UInt64
  private let blindChange: BlindChange

  /// Creates a mutation whose choices are the same for the same seed.
  public init(seed: UInt64, blindChange: @escaping BlindChange) {
    state = seed
    self.blindChange = blindChange
  }

  /// The next number of SplitMix64.
  ///
  /// - Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 to `count - 1`.
  ///
  /// - Precondition: `count` is positive.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// True once in `count` times.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// An index of a collection; `nil` for an empty one.
  public mutating func index(of values: some Collection) -> Int? {
    values.isEmpty ? nil : below(values.count)
  }

  /// Bytes changed without structure, no more than 256 longer than they were.
  func changedBlindly(_ bytes: [UInt8]) -> [UInt8] { blindChange(bytes, bytes.count + 256) }

  /// A number that readers are known to stumble over: 0, bounds of whole numbers, a neighbor.
  mutating func awkwardNumber(near value: UInt64) -> UInt64 {
    let bounds: [UInt64] = [
      0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1_0000_0000,
      0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
    ]
    switch below(4) {
    case 0: return value &+ UInt64(below(9)) &- 4
    case 1: return value &* UInt64(below(5))
    case 2: return UInt64(1) << UInt64(below(64))
    default: return bounds[below(bounds.count)]
    }
  }

  /// Replaces 1, 2, 4 or 8 bytes at a random place by an awkward number.
  mutating func withAwkwardField(_ bytes: [UInt8], bigEndian: Bool) -> [UInt8] {
    let width = min(1 << below(4), bytes.count)
    guard width > 0 else { return bytes }
    let place = below(bytes.count - width + 1)
    let field = place..<place + width
    let old = Array(bytes[field]).number(bigEndian: bigEndian)
    let new = [UInt8](awkwardNumber(near: old), width: width, bigEndian: bigEndian)
    return bytes.replacing(field, by: new)
  }

  /// One of the changes that any list of parts allows; the rest is the caller's.
  mutating func changeOrder<Part>(of parts: inout [Part]) {
    guard let first = index(of: parts), let second = index(of: parts) else { return }
    switch below(3) {
    case 0: parts.remove(at: first)
    case 1: parts.insert(parts[first], at: second)
    default: parts.swapAt(first, second)
    }
  }
}

extension [UInt8] {
  /// A whole number of up to eight bytes, upper ones cut off or zero.
  init(_ value: UInt64, width: Int, bigEndian: Bool) {
    let ascending = (0..<width).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    self = bigEndian ? ascending.reversed() : ascending
  }

  /// The whole number that up to eight bytes are.
  func number(bigEndian: Bool) -> UInt64 {
    (bigEndian ? self : reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The whole number in little-endian bytes at a place; `nil` where the bytes end before it does.
  func littleEndian(at place: Int, width: Int) -> Int? {
    run(at: place, count: width).flatMap { Int(exactly: $0.number(bigEndian: false)) }
  }

  /// The whole number in big-endian bytes at a place; `nil` where the bytes end before it does.
  func bigEndian(at place: Int, width: Int) -> Int? {
    run(at: place, count: width).flatMap { Int(exactly: $0.number(bigEndian: true)) }
  }

  /// A run of bytes; `nil` where there are not so many.
  func run(at place: Int, count length: Int) -> [UInt8]? {
    guard place >= 0, length >= 0, length <= count, place <= count - length else { return nil }
    return Array(self[place..<place + length])
  }

  /// These bytes with a part replaced.
  func replacing(_ range: Range<Int>, by new: [UInt8]) -> [UInt8] {
    Array(self[..<range.lowerBound]) + new + Array(self[range.upperBound...])
  }
}
