package import PlumblineIO

/// The list of images in a multi-picture file, stored in its first image.
///
/// Source: CIPA DC-007 §5.2: tags of a TIFF directory, in either byte order; offsets are relative
/// to the TIFF header, except that 0 means the first image.
package struct MultiPictureIndex: Sendable, Hashable {
  /// One image of the list, as declared in the file.
  package struct Entry: Sendable, Hashable {
    /// Flags, format and type; 0x00030000 marks the primary image, and phones write 0 for others.
    package var attributes: UInt32
    /// The declared length in bytes, which is wrong in real files.
    package var length: Int
    /// The declared position in the file; 0 for the first image.
    package var fileOffset: Int
  }

  /// The entries in order, including the first image.
  package var entries: [Entry]

  /// Reads an index; the entries are not checked against the file.
  ///
  /// - Parameters:
  ///   - block: The TIFF block; offsets are relative to its `startIndex`.
  ///   - limits: The limits for reading.
  /// - Throws: `.malformed` when the list is missing or shorter than its count, `.limitExceeded`.
  package init(
    _ block: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let tiff = try TIFFBlock(block, path: ["MPF"])
    let directory = try tiff.directory(at: tiff.firstDirectory, limits: limits)
    guard let list = directory[0xB002]?.bytes else {
      throw CaptureReadingError(
        .malformed, path: ["MPF"], offset: block.startIndex,
        expected: "a list of images (tag B002)", found: "none")
    }
    let count = directory[0xB001]?.integer ?? list.count / 16
    guard count <= list.count / 16 else {
      throw CaptureReadingError(
        .malformed, path: ["MPF"], offset: list.startIndex,
        expected: "\(count) entries of 16 bytes", found: "\(list.count) bytes")
    }
    try limits.require(count, atMost: limits.jpegImages, "images", path: ["MPF"])
    var reader = ByteReader(list, endianness: tiff.endianness, path: ["MPF"])
    entries = []
    for _ in 0..<count {
      let attributes = try reader.readUInt32()
      let length = Int(try reader.readUInt32())
      let offset = Int(try reader.readUInt32())
      try reader.skip(4)
      // At most 2^32 plus a file offset, which fits 64 bits.
      entries.append(
        Entry(
          attributes: attributes, length: length,
          fileOffset: offset == 0 ? 0 : block.startIndex + offset))
    }
  }
}

extension MultiPictureIndex {
  /// The attributes of the primary image: representative, and a baseline primary image.
  ///
  /// - Source: Apple's files; CIPA DC-007-2009, section 5.2.3.3.1. Other images have 0.
  package static let primaryAttributes: UInt32 = 0x0003_0000

  /// Creates an index from its entries.
  package init(entries: [Entry]) { self.entries = entries }

  /// The index of a file whose images are stored one after another.
  ///
  /// - Parameters:
  ///   - primarySize: The size in bytes of the primary image, including the index.
  ///   - imageSizes: The size in bytes of each further image, in file order.
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
  /// - Parameter position: The file offset of the segment.
  /// - Returns: The segment's bytes; their count depends only on the number of entries. Numbers
  ///   beyond 32 bits are clamped.
  /// - Source: CIPA DC-007-2009, *Multi-Picture Format*, sections 5.2.2 and 5.2.3.
  package func segment(at position: Int) -> [UInt8] {
    // Offsets are relative to the byte-order mark: after the marker, the length and "MPF\0".
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

  /// The index in Apple's auxiliary images: a version and a count, no entries.
  package static var auxiliarySegment: [UInt8] {
    let builder = TIFFBuilder(entries: [
      0xB000: .undefined(Array("0100".utf8)), 0xB001: .long([1]),
    ])
    return JPEGSegments.segment(0xE2, Array("MPF\0".utf8) + builder.bytes)
  }
}
