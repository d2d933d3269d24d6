/// Finds sequences in a block that repeat earlier bytes.
///
/// It stores one position per hash of four bytes, so it costs little more than one pass.
struct LZFSEMatchFinder {
  private static let hashBits: UInt32 = 15
  private static let farthest = 262_139
  /// A shorter match costs as many bits as its literals.
  private static let shortest = 4
  /// The maximum number of bytes in a block, so that every size fits its header field.
  private static let longestBlock = 1 << 20

  private var places = [Int32](repeating: -1, count: 1 << hashBits)
  /// The origin of the positions in `places`, so that 32 bits suffice for streams of any length.
  private var base = 0

  /// Collects literals and matches until the block is full or the bytes end.
  ///
  /// - Returns: The start of the next block.
  mutating func fill(
    _ block: inout LZFSEBlockBuilder, from bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Int {
    if start - base > 1 << 30 {
      base = start
      places = [Int32](repeating: -1, count: places.count)
    }
    let end = min(bytes.count, start + Self.longestBlock)
    guard end > start, let base = bytes.baseAddress else { return end }
    let memory = UnsafeRawPointer(base)
    let origin = self.base
    func run(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: base + from, count: to - from)
    }
    let place = places.withUnsafeMutableBufferPointer { places in
      var literalStart = start
      var place = start
      // The first literal for which the block has no room.
      var roomEnd = literalStart + block.literalRoom
      while place &+ Self.shortest <= end, place < roomEnd {
        let word = Self.word(memory, place)
        let hash = Int((word &* 0x9E37_79B1) &>> (32 &- Self.hashBits))
        let candidate = Int(places[hash])
        places[hash] = Int32(truncatingIfNeeded: place &- origin)
        let source = origin &+ candidate
        guard candidate >= 0, place &- source <= Self.farthest,
          Self.word(memory, source) == word
        else {
          place &+= 1
          continue
        }
        let limit = min(end &- place, LZFSEBlockBuilder.longestMatch)
        let length = Self.commonCount(memory + source, memory + place, atMost: limit)
        block.append(run(literalStart, place), match: length, distance: place &- source)
        place &+= length
        literalStart = place
        roomEnd = literalStart + block.literalRoom
      }
      if end - literalStart <= block.literalRoom { place = end }
      // If the block is full, the literals examined so far still belong to it.
      if place > literalStart { block.append(run(literalStart, place), match: 0, distance: 1) }
      return place
    }
    return place
  }

  @inline(__always)
  private static func word(_ memory: UnsafeRawPointer, _ place: Int) -> UInt32 {
    UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// The number of equal bytes at two positions, of which the first ``shortest`` are known to be
  /// equal.
  @inline(__always)
  private static func commonCount(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, atMost limit: Int
  ) -> Int {
    var length = shortest
    while length &+ 8 <= limit {
      let difference =
        UInt64(littleEndian: a.loadUnaligned(fromByteOffset: length, as: UInt64.self))
        ^ UInt64(littleEndian: b.loadUnaligned(fromByteOffset: length, as: UInt64.self))
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    while length < limit,
      a.load(fromByteOffset: length, as: UInt8.self)
        == b.load(fromByteOffset: length, as: UInt8.self)
    { length &+= 1 }
    return length
  }
}
