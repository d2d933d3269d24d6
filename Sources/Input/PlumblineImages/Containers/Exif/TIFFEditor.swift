import PlumblineIO

/// A TIFF block whose values can be changed in place.
///
/// Data that do not fit are appended to the block, so existing data never move.
struct TIFFEditor {
  /// The block, starting with the byte-order mark.
  private(set) var bytes: [UInt8]
  private let isBig: Bool

  /// Wraps a block.
  ///
  /// - Throws: `.malformed` without a TIFF header.
  init(_ block: some Collection<UInt8>, path: [String]) throws(CaptureReadingError) {
    bytes = Array(block)
    isBig = try TIFFBlock(bytes[...], path: path).endianness == .big
  }

  /// The position of the first directory.
  var firstDirectory: Int { read32(4) ?? 0 }

  /// The number of entries of a directory; `nil` if an entry or the link to the next directory is
  /// missing.
  func entryCount(_ directory: Int) -> Int? {
    guard directory >= 8, let count = read16(directory),
      directory + 2 + 12 * count + 4 <= bytes.count
    else { return nil }
    return count
  }

  /// The position of a tag's 12-byte entry; the first of two equal tags counts.
  func entry(_ tag: Int, in directory: Int) -> Int? {
    guard let count = entryCount(directory) else { return nil }
    return (0..<count).lazy.map { directory + 2 + 12 * $0 }.first { read16($0) == tag }
  }

  /// The positions of all entries of a directory.
  func entries(in directory: Int) -> [Int] {
    (0..<(entryCount(directory) ?? 0)).map { directory + 2 + 12 * $0 }
  }

  /// The byte range of an entry's value; `nil` if it is outside the block or its type is unknown.
  func value(of entry: Int) -> Range<Int>? {
    guard let type = read16(entry + 2), let count = read32(entry + 4),
      let size = TIFFEntry.byteCount(ofType: UInt16(type))
    else { return nil }
    let length = size * count
    if length <= 4 { return entry + 8..<entry + 8 + length }
    guard let offset = read32(entry + 8), length <= bytes.count, offset <= bytes.count - length
    else { return nil }
    return offset..<offset + length
  }

  /// The position of the link to the next directory.
  func link(behind directory: Int) -> Int? { entryCount(directory).map { directory + 2 + 12 * $0 } }

  /// The integer that an entry stores inline.
  func integer(_ entry: Int) -> Int? {
    switch read16(entry + 2) {
    case 1: entry + 8 < bytes.count ? Int(bytes[entry + 8]) : nil
    case 3: read16(entry + 8)
    case 4: read32(entry + 8)
    default: nil
    }
  }

  /// Sets an entry to one integer; its type stays short if it was short and the value fits.
  mutating func setInteger(_ value: Int, at entry: Int) {
    let isShort = read16(entry + 2) == 3 && value <= 0xFFFF
    write16(isShort ? 3 : 4, at: entry + 2)
    write32(1, at: entry + 4)
    write32(0, at: entry + 8)
    if isShort { write16(value, at: entry + 8) } else { write32(value, at: entry + 8) }
  }

  /// Inserts an entry with a short value into the first directory, which is moved to the end of the
  /// block.
  ///
  /// - Returns: Whether the entry was inserted; it is not without a complete first directory.
  mutating func insertShort(_ tag: Int, _ value: Int) -> Bool {
    let directory = firstDirectory
    guard let count = entryCount(directory), count < 0xFFFF else { return false }
    let old = entries(in: directory)
    let position = old.firstIndex { (read16($0) ?? 0) > tag } ?? old.count
    let start = directory + 2
    let head = bytes[start..<start + 12 * position]
    let tail = bytes[start + 12 * position..<start + 12 * count + 4]
    let moved = append([])
    let entry = moved + 2 + head.count
    bytes += [0, 0] + head + [UInt8](repeating: 0, count: 12) + tail
    write16(count + 1, at: moved)
    write16(tag, at: entry)
    write16(3, at: entry + 2)
    write32(1, at: entry + 4)
    write16(value, at: entry + 8)
    write32(moved, at: 4)
    return true
  }

  /// Appends data at an even offset and returns the offset.
  mutating func append(_ data: [UInt8]) -> Int {
    if bytes.count % 2 == 1 { bytes.append(0) }
    bytes += data
    return bytes.count - data.count
  }

  /// Overwrites existing bytes.
  mutating func overwrite(_ range: Range<Int>, with data: [UInt8]) {
    precondition(range.count == data.count, "nothing may move")
    bytes.replaceSubrange(range, with: data)
  }

  /// Removes all bytes from a position on.
  mutating func truncate(at place: Int) { bytes.removeSubrange(place...) }

  func read16(_ place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - 2 else { return nil }
    let pair = isBig ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
    return Int(pair.0) << 8 | Int(pair.1)
  }

  func read32(_ place: Int) -> Int? {
    guard let first = read16(place), let second = read16(place + 2) else { return nil }
    return isBig ? first << 16 | second : second << 16 | first
  }

  mutating func write16(_ value: Int, at place: Int) {
    write(bigEndian(UInt16(truncatingIfNeeded: value)), at: place)
  }

  mutating func write32(_ value: Int, at place: Int) {
    write(bigEndian(UInt32(truncatingIfNeeded: value)), at: place)
  }

  private mutating func write(_ number: [UInt8], at place: Int) {
    for (index, byte) in (isBig ? number : number.reversed()).enumerated() {
      bytes[place + index] = byte
    }
  }
}
