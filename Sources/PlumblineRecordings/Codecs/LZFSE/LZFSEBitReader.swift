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
