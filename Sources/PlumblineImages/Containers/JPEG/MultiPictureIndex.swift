public import PlumblineIO

/// The list of images that a multi-picture file gives in its first image.
///
/// Source: CIPA DC-007 §5.2: tags of a TIFF directory, in either byte order; offsets count from
/// the TIFF header, except that 0 names the first image.
public struct MultiPictureIndex: Sendable, Hashable {
  /// One image of the list, as the file claims it.
  public struct Entry: Sendable, Hashable {
    /// Flags, format and type; 0x00030000 marks the primary image, phones leave others 0.
    public var attributes: UInt32
    /// The claimed length in bytes, which real files get wrong.
    public var length: Int
    /// The claimed position in the file; 0 for the first image.
    public var fileOffset: Int
  }

  /// The entries in their order, the first image among them.
  public var entries: [Entry]

  /// Reads an index; no entry is held against the file yet.
  ///
  /// - Parameters:
  ///   - block: The TIFF block; its `startIndex` is what the offsets count from.
  ///   - limits: What may be spent.
  /// - Throws: `.malformed` when the list is missing or shorter than its count, `.limitExceeded`.
  public init(
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
      // At most 2^32 added to an offset of the file: no 64-bit overflow.
      entries.append(
        Entry(
          attributes: attributes, length: length,
          fileOffset: offset == 0 ? 0 : block.startIndex + offset))
    }
  }
}
