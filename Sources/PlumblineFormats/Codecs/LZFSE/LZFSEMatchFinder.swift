/// Finds what a block repeats of the bytes before it.
///
/// One place is kept for each hash of four bytes, so that it costs little more than a pass.
struct LZFSEMatchFinder {
  private static let hashBits: UInt32 = 15
  private static let farthest = 262_139
  /// Shorter matches cost as many bits as their literals.
  private static let shortest = 4
  /// Bytes of a block: a length is never more than its header holds.
  private static let longestBlock = 1 << 20

  private var places = [Int32](repeating: -1, count: 1 << hashBits)
  /// The place that `places` counts from, so that streams of any length have 32-bit places.
  private var base = 0

  /// Collects literals and matches until the block is full or the bytes end.
  ///
  /// - Returns: Where the next block starts.
  mutating func fill(
    _ block: inout LZFSEBlockBuilder, from bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Int {
    if start - base > 1 << 30 {
      base = start
      places = [Int32](repeating: -1, count: places.count)
    }
    let end = min(bytes.count, start + Self.longestBlock)
    var literalStart = start
    var place = start
    while place + Self.shortest <= end {
      if !block.hasRoom(literals: place - literalStart + 1) { break }
      let word = Self.word(bytes, place)
      let hash = Int((word &* 0x9E37_79B1) >> (32 - Self.hashBits))
      let candidate = Int(places[hash])
      places[hash] = Int32(truncatingIfNeeded: place - base)
      let source = base + candidate
      guard candidate >= 0, place - source <= Self.farthest, Self.word(bytes, source) == word
      else {
        place += 1
        continue
      }
      let limit = min(end - place, LZFSEBlockBuilder.longestMatch)
      var length = Self.shortest
      while length < limit, bytes[source + length] == bytes[place + length] { length += 1 }
      block.append(
        bytes[literalStart..<place], match: length, distance: place - source)
      place += length
      literalStart = place
    }
    if block.hasRoom(literals: end - literalStart) { place = end }
    // Where the block is full, the literals that were looked at belong to it too.
    let last = place
    if last > literalStart {
      block.append(bytes[literalStart..<last], match: 0, distance: 1)
    }
    return last
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt32 {
    UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
  }
}
