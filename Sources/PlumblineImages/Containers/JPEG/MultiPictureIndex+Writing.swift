import PlumblineIO

extension MultiPictureIndex {
  /// The attributes of the primary image: representative, and a baseline primary image.
  ///
  /// - Source: Apple's files; CIPA DC-007-2009, section 5.2.3.3.1. Other images have 0.
  package static let primaryAttributes: UInt32 = 0x0003_0000

  /// Creates an index from its entries.
  package init(entries: [Entry]) { self.entries = entries }

  /// The index of a file whose images follow one another.
  ///
  /// - Parameters:
  ///   - primarySize: The bytes of the primary image, the index included.
  ///   - imageSizes: The bytes of each further image, in file order.
  package init(primarySize: Int, imageSizes: [Int]) {
    entries = [Entry(attributes: Self.primaryAttributes, length: primarySize, fileOffset: 0)]
    var start = primarySize
    for size in imageSizes {
      entries.append(Entry(attributes: 0, length: size, fileOffset: start))
      start += size
    }
  }

  /// The APP2 segment, marker included; big-endian as Apple's.
  ///
  /// - Parameter position: The file offset at which the segment will stand.
  /// - Returns: Its bytes; their number depends on the number of entries alone. Numbers beyond 32 bits
  ///   are clamped.
  /// - Source: CIPA DC-007-2009, *Multi-Picture Format*, sections 5.2.2 and 5.2.3.
  package func segment(at position: Int) -> [UInt8] {
    // Offsets count from the byte-order mark: after the marker, the length and "MPF\0".
    let origin = position + 8
    var list: [UInt8] = []
    for entry in entries {
      let offset = entry.fileOffset == 0 ? 0 : entry.fileOffset - origin
      list += bigEndian(entry.attributes) + bigEndian(UInt32(clamping: entry.length))
      list += bigEndian(UInt32(clamping: offset)) + [0, 0, 0, 0]
    }
    let builder = TIFFBuilder(entries: [
      0xB000: .undefined(Array("0100".utf8)),
      0xB001: .long([UInt32(clamping: entries.count)]),
      0xB002: .undefined(list),
    ])
    return JPEGSegments.segment(0xE2, Array("MPF\0".utf8) + builder.bytes)
  }

  /// The index that Apple puts into each auxiliary image: a version and a count, no entries.
  package static var auxiliarySegment: [UInt8] {
    let builder = TIFFBuilder(entries: [
      0xB000: .undefined(Array("0100".utf8)), 0xB001: .long([1]),
    ])
    return JPEGSegments.segment(0xE2, Array("MPF\0".utf8) + builder.bytes)
  }
}
