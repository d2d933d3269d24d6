import PlumblineIO

/// The location of an item's bytes, with all fields of `iloc` (ISO/IEC 14496-12 §8.11.3).
struct HEIFDraftLocation: Sendable, Hashable {
  /// One contiguous range of bytes; the offset is relative to the start of its source.
  struct Extent: Sendable, Hashable {
    var index: Int
    var offset: Int
    /// The number of bytes; 0 for all bytes up to the end.
    var length: Int
  }

  /// The version and field widths of the table.
  struct TableHeader: Sendable, Hashable {
    var version: UInt8 = 0
    var flags: [UInt8] = [0, 0, 0]
    /// The field widths in bytes of offset, length, base offset and index.
    var offsetBytes = 4
    var lengthBytes = 4
    var baseBytes = 0
    var indexBytes = 0
  }

  var id: HEIFItemID
  /// The construction method and the reserved bits above it.
  var construction: Int
  var dataReference = 0
  var extents: [Extent]

  /// Whether offsets are relative to the start of this file.
  var isInFile: Bool { construction & 0xF == 0 && dataReference <= 1 }
  /// Whether offsets are relative to the start of `idat`.
  var isInItemData: Bool { construction & 0xF == 1 && dataReference <= 1 }

  /// Reads the table; base offsets are added to those of the extents.
  ///
  /// - Throws: As ``HEIFItemLocation/readAll(_:in:_:)``, which accepts the same tables.
  static func readAll(
    _ box: ISOBox, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> (TableHeader, [HEIFDraftLocation]) {
    // This call rejects damaged tables, so the sums below do not overflow.
    _ = try HEIFItemLocation.readAll(box, in: ["meta"], limits)
    var reader = box.reader(in: ["meta"])
    let full = try reader.readFullBoxHeader()
    let widths = Int(try reader.readUInt16("field sizes"))
    var header = TableHeader(version: full.version)
    header.flags = [UInt8](bigEndian: Int(full.flags), bytes: 3)
    header.offsetBytes = widths >> 12
    header.lengthBytes = widths >> 8 & 0xF
    header.baseBytes = widths >> 4 & 0xF
    header.indexBytes = full.version == 0 ? 0 : widths & 0xF
    let count = try reader.readOffset(byteCount: full.version < 2 ? 2 : 4, "an item count")
    var locations: [HEIFDraftLocation] = []
    for _ in 0..<count {
      let id = try reader.readOffset(byteCount: full.version < 2 ? 2 : 4, "an item")
      var location = HEIFDraftLocation(id: HEIFItemID(id), construction: 0, extents: [])
      if full.version > 0 { location.construction = Int(try reader.readUInt16("a method")) }
      location.dataReference = Int(try reader.readUInt16("a data reference"))
      let base = try reader.readOffset(byteCount: header.baseBytes, "a base offset")
      for _ in 0..<Int(try reader.readUInt16("an extent count")) {
        let index = try reader.readOffset(byteCount: header.indexBytes, "an extent index")
        let offset = try reader.readOffset(byteCount: header.offsetBytes, "an extent offset")
        let length = try reader.readOffset(byteCount: header.lengthBytes, "an extent length")
        location.extents.append(Extent(index: index, offset: base + offset, length: length))
      }
      locations.append(location)
    }
    return (header, locations)
  }

  /// The payload of `iloc`.
  ///
  /// - Precondition: Offsets and lengths are below 2³² and fit the widths in the header.
  static func payload(_ header: TableHeader, _ locations: [HEIFDraftLocation]) -> [UInt8] {
    var header = header
    let isWide = header.version == 2
    header.offsetBytes = max(header.offsetBytes, 4)
    header.lengthBytes = max(header.lengthBytes, 4)
    if header.version == 0, locations.contains(where: { $0.construction != 0 }) {
      header.version = 1
    }
    var bytes = [header.version] + header.flags
    bytes.appendBigEndian(
      header.offsetBytes << 12 | header.lengthBytes << 8 | header.baseBytes << 4
        | header.indexBytes, bytes: 2)
    bytes.appendBigEndian(locations.count, bytes: isWide ? 4 : 2)
    for location in locations {
      bytes.appendBigEndian(Int(location.id), bytes: isWide ? 4 : 2)
      if header.version > 0 { bytes.appendBigEndian(location.construction, bytes: 2) }
      bytes.appendBigEndian(location.dataReference, bytes: 2)
      bytes.appendBigEndian(0, bytes: header.baseBytes)
      bytes.appendBigEndian(location.extents.count, bytes: 2)
      for extent in location.extents {
        bytes.appendBigEndian(extent.index, bytes: header.indexBytes)
        bytes.appendBigEndian(extent.offset, bytes: header.offsetBytes)
        bytes.appendBigEndian(extent.length, bytes: header.lengthBytes)
      }
    }
    return bytes
  }
}
