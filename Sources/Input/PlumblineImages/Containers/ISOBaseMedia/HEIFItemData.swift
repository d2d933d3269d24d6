package import PlumblineIO

/// The location of an item's bytes, from `iloc` (ISO/IEC 14496-12 §8.11.3).
package struct HEIFItemLocation: Sendable, Hashable {
  /// The origin of an extent's offset.
  package enum Origin: Sendable, Hashable {
    /// The start of the file.
    case file
    /// The start of the `idat` box's payload.
    case itemData
    /// The start of another item, found through the `iloc` references.
    case item
    /// An unknown construction method, or another file.
    case unknown(String)
  }

  /// One contiguous range of bytes.
  struct Extent: Sendable, Hashable {
    /// For `Origin.item`: the number of the `iloc` reference, counted from 1.
    let index: Int
    /// The first byte, base offset included.
    let offset: Int
    /// The number of bytes; 0 for all bytes up to the end of the origin.
    let length: Int
  }

  /// The origin of the offsets.
  package let origin: Origin
  /// The extents that, concatenated, are the item.
  let extents: [Extent]
}

extension HEIFItemLocation {
  /// Reads `iloc`.
  ///
  /// - Throws: `.malformed` for damaged entries, duplicate numbers and offsets beyond 2^63,
  ///   `.limitExceeded` for too many items or extents.
  package static func readAll(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [HEIFItemID: HEIFItemLocation] {
    var reader = box.reader(in: path)
    let version = try reader.readFullBoxHeader().version
    guard version <= 2 else {
      throw CaptureReadingError(
        .unsupported, path: reader.path, offset: box.offset, expected: "version 0 to 2",
        found: "version \(version)")
    }
    let widths = FieldWidths(try reader.readUInt16("field sizes"), version: version)
    guard widths.areKnown else {
      throw reader.malformed(expected: "field sizes of 0, 4 or 8 bytes", found: "\(widths)")
    }
    let count =
      version < 2
      ? Int(try reader.readUInt16("an item count")) : Int(try reader.readUInt32("an item count"))
    try limits.require(
      count, atMost: limits.items, "items", path: reader.path, offset: reader.offset)
    var locations: [HEIFItemID: HEIFItemLocation] = [:]
    for _ in 0..<count {
      let start = reader.offset
      let id = version < 2 ? UInt32(try reader.readUInt16("an item")) : try reader.readUInt32()
      let location = try read(&reader, version: version, widths, limits)
      guard locations.updateValue(location, forKey: id) == nil else {
        throw CaptureReadingError(
          .malformed, path: reader.path, offset: start, expected: "each item number once",
          found: "item \(id) again")
      }
    }
    return locations
  }

  private static func read(
    _ reader: inout ByteReader, version: UInt8, _ widths: FieldWidths, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> HEIFItemLocation {
    let method = version == 0 ? 0 : try reader.readUInt16("a construction method") & 0xF
    let dataReference = try reader.readUInt16("a data reference")
    let base = try reader.readOffset(byteCount: widths.base, "a base offset")
    let count = Int(try reader.readUInt16("an extent count"))
    try limits.require(
      count, atMost: limits.extents, "extents", path: reader.path, offset: reader.offset)
    var extents: [Extent] = []
    for _ in 0..<count {
      let index = try reader.readOffset(byteCount: widths.index, "an extent index")
      let offset = try reader.readOffset(byteCount: widths.offset, "an extent offset")
      let length = try reader.readOffset(byteCount: widths.length, "an extent length")
      let (start, overflow) = base.addingReportingOverflow(offset)
      guard !overflow, !start.addingReportingOverflow(length).overflow else {
        throw reader.malformed(
          expected: "an extent below 2^63", found: "\(base) + \(offset) + \(length)")
      }
      extents.append(
        Extent(index: widths.index == 0 ? 1 : index, offset: start, length: length))
    }
    return HEIFItemLocation(
      origin: origin(method: method, dataReference: dataReference), extents: extents)
  }

  private static func origin(method: UInt16, dataReference: UInt16) -> Origin {
    // Entry 1 of `dref` is the file itself in every still-image file; further entries are other
    // files.
    guard dataReference <= 1 else { return .unknown("data reference \(dataReference)") }
    switch method {
    case 0: return .file
    case 1: return .itemData
    case 2: return .item
    default: return .unknown("construction method \(method)")
    }
  }

  /// The widths of an entry's fields, in bytes.
  private struct FieldWidths: CustomStringConvertible {
    let offset: Int
    let length: Int
    let base: Int
    let index: Int

    init(_ nibbles: UInt16, version: UInt8) {
      offset = Int(nibbles >> 12)
      length = Int(nibbles >> 8 & 0xF)
      base = Int(nibbles >> 4 & 0xF)
      index = version == 0 ? 0 : Int(nibbles & 0xF)
    }

    var areKnown: Bool { [offset, length, base, index].allSatisfy { [0, 4, 8].contains($0) } }
    package var description: String { "\(offset), \(length), \(base), \(index)" }
  }
}

extension HEIFFile {
  /// The bytes of an item: its extents, concatenated.
  ///
  /// For an item of one extent it is O(1) and shares the file's bytes and indices; others are
  /// copied.
  ///
  /// - Throws: `.malformed` when extents exceed their source or items contain each other,
  ///   `.missing` without a location, `.unsupported` for other files, `.limitExceeded` for an item
  ///   larger than the file.
  package func data(of item: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    var assembly = HEIFItemAssembly(file: self)
    return try assembly.data(of: item)
  }
}

/// Assembles items from extents, each item once and never more bytes than the file has.
private struct HEIFItemAssembly {
  let file: HEIFFile
  private var finished: [HEIFItemID: ArraySlice<UInt8>] = [:]
  private var enclosing: [HEIFItemID] = []
  private var copiedBytes = 0

  init(file: HEIFFile) { self.file = file }

  mutating func data(of item: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    if let data = finished[item] { return data }
    let path = ["meta", "iloc", "item \(item)"]
    guard let location = file.locations[item] else {
      throw CaptureReadingError(.missing, path: path, expected: "a location", found: "none")
    }
    guard !enclosing.contains(item) else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "bytes outside the item itself",
        found: "items that lie in each other")
    }
    enclosing.append(item)
    try file.limits.require(
      enclosing.count, atMost: file.limits.derivationDepth, "items inside items", path: path)
    let data = try assemble(location, of: item, path)
    enclosing.removeLast()
    finished[item] = data
    return data
  }

  private mutating func assemble(
    _ location: HEIFItemLocation, of item: HEIFItemID, _ path: [String]
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    if location.extents.count == 1 { return try extent(location.extents[0], location, item, path) }
    var bytes: [UInt8] = []
    for run in location.extents {
      let slice = try extent(run, location, item, path)
      copiedBytes += slice.count
      try file.limits.require(
        copiedBytes, atMost: file.bytes.count, "bytes, those of the file", path: path)
      bytes += slice
    }
    return bytes[...]
  }

  private mutating func extent(
    _ extent: HEIFItemLocation.Extent, _ location: HEIFItemLocation, _ item: HEIFItemID,
    _ path: [String]
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let source: ArraySlice<UInt8>
    switch location.origin {
    case .file: source = file.bytes
    case .itemData: source = file.itemData
    case .item:
      let sources = file.items(referredToBy: item, as: "iloc")
      guard extent.index >= 1, extent.index <= sources.count else {
        throw CaptureReadingError(
          .malformed, path: path, expected: "one of \(sources.count) referenced items",
          found: "number \(extent.index)")
      }
      source = try data(of: sources[extent.index - 1])
    case .unknown(let what):
      throw CaptureReadingError(
        .unsupported, path: path, expected: "bytes of this file", found: what)
    }
    // Neither sum overflows: the table was read with checked additions.
    let end = extent.length == 0 ? source.count : extent.offset + extent.length
    guard extent.offset <= end, end <= source.count else {
      throw CaptureReadingError(
        .malformed, path: path, offset: extent.offset,
        expected: "an extent within \(source.count) bytes",
        found: "\(extent.length) bytes at \(extent.offset)")
    }
    return source[source.startIndex + extent.offset..<source.startIndex + end]
  }
}
