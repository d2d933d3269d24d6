extension Box {
  /// One run of an item's bytes, and where `iloc` says so.
  struct Extent {
    /// The first byte in the file, and their number.
    let offset: Int
    let count: Int
    /// What is added to the written offset.
    let base: Int
    /// Where offset and count are written.
    let offsetField: Range<Int>
    let countField: Range<Int>

    /// Whether both fields are there to be changed.
    var hasOwnFields: Bool { !offsetField.isEmpty && !countField.isEmpty }
  }

  /// The place of `iloc`'s content in a file, or `nil`.
  private static func itemLocations(in bytes: [UInt8]) -> Range<Int>? {
    func find(_ kind: String, in range: Range<Int>) -> Range<Int>? {
      var place = range.lowerBound
      while let size = bytes.bigEndian(at: place, width: 4), size >= 8,
        place + size <= range.upperBound
      {
        if bytes[place + 4..<place + 8].elementsEqual(kind.utf8) { return place + 8..<place + size }
        place += size
      }
      return nil
    }
    guard let meta = find("meta", in: 0..<bytes.count), meta.count > 4 else { return nil }
    return find("iloc", in: meta.lowerBound + 4..<meta.upperBound)
  }

  /// The runs that lie in the file itself, of all items; empty where `iloc` cannot be read.
  ///
  /// - Source: ISO/IEC 14496-12 §8.11.3.
  static func extents(in bytes: [UInt8]) -> [Extent] {
    guard let box = itemLocations(in: bytes),
      let version = bytes.run(at: box.lowerBound, count: 1)?[0],
      version <= 2, let widths = bytes.bigEndian(at: box.lowerBound + 4, width: 2)
    else { return [] }
    let (offsetWidth, countWidth) = (widths >> 12, widths >> 8 & 15)
    let (baseWidth, indexWidth) = (widths >> 4 & 15, version == 0 ? 0 : widths & 15)
    var place = box.lowerBound + 6
    func read(_ width: Int) -> Int? {
      defer { place += width }
      guard width <= 8, place + width <= box.upperBound else { return nil }
      return bytes.bigEndian(at: place, width: width)
    }
    var extents: [Extent] = []
    guard let items = read(version < 2 ? 2 : 4) else { return [] }
    for _ in 0..<min(items, 1024) {
      guard read(version < 2 ? 2 : 4) != nil, let method = version == 0 ? 0 : read(2),
        read(2) != nil, let base = read(baseWidth), let count = read(2)
      else { return extents }
      for _ in 0..<min(count, 64) {
        guard read(indexWidth) != nil, let offset = read(offsetWidth), let length = read(countWidth)
        else { return extents }
        let countStart = place - countWidth
        let extent = Extent(
          offset: base &+ offset, count: length, base: base,
          offsetField: countStart - offsetWidth..<countStart, countField: countStart..<place)
        if method & 15 == 0 { extents.append(extent) }
      }
    }
    return extents
  }

  /// A file whose items behind `meta` moved: their offsets by as much, as far as their fields hold it.
  static func withMovedItems(_ bytes: [UInt8], by distance: Int) -> [UInt8] {
    guard distance != 0, let locations = itemLocations(in: bytes) else { return bytes }
    var output = bytes
    for extent in extents(in: bytes) where extent.offset >= locations.upperBound - distance {
      let moved = extent.offset - extent.base + distance
      guard extent.hasOwnFields, moved >= 0 else { continue }
      let field = [UInt8](UInt64(moved), width: extent.offsetField.count, bigEndian: true)
      output.replaceSubrange(extent.offsetField, with: field)
    }
    return output
  }
}
