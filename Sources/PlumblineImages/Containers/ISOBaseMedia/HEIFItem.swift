package import PlumblineIO

/// The number that names an item inside one HEIF file.
package typealias HEIFItemID = UInt32

/// What `infe` says about one item: its number, coding and visibility.
package struct HEIFItem: Sendable, Hashable {
  /// The item's number, unique in the file.
  package let id: HEIFItemID
  /// The four-character item type, such as `hvc1`, `grid`, `Exif` or `mime`, escaped.
  package let type: String
  /// A human-readable name, mostly empty, escaped.
  package let name: String
  /// The MIME type of a `mime` item, such as `application/rdf+xml`, else empty; escaped.
  package let contentType: String
  /// What a `uri ` item is, by its URI, else empty; escaped.
  package var uriType: String = ""
  /// How a `mime` item is packed, such as `deflate`; empty when it is not; escaped.
  let contentEncoding: String
  /// Whether the item is not meant for display on its own (tiles, depth maps, mattes).
  package let isHidden: Bool

  /// Whether the item holds XMP.
  var isXMP: Bool { type == "mime" && contentType == "application/rdf+xml" }
}

extension HEIFItem {
  /// Reads `iinf` (ISO/IEC 14496-12 §8.11.6); entries of versions 0 and 1 have no type and count
  /// as absent.
  ///
  /// - Throws: `.malformed` for damaged entries and for a number that is used twice,
  ///   `.limitExceeded` for too many.
  package static func readAll(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [HEIFItem] {
    var reader = box.reader(in: path)
    let header = try reader.readFullBoxHeader()
    let count =
      header.version == 0
      ? Int(try reader.readUInt16("an item count")) : Int(try reader.readUInt32("an item count"))
    try limits.require(
      count, atMost: limits.items, "items", path: reader.path, offset: reader.offset)
    var items: [HEIFItem] = []
    var known: Set<HEIFItemID> = []
    for _ in 0..<count {
      let entry = try reader.readBox()
      guard entry.type == "infe", let item = try read(entry, in: reader.path, limits) else {
        continue
      }
      guard known.insert(item.id).inserted else {
        throw CaptureReadingError(
          .malformed, path: reader.path, offset: entry.offset,
          expected: "each item number once", found: "item \(item.id) again")
      }
      items.append(item)
    }
    return items
  }

  private static func read(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> HEIFItem? {
    var reader = box.reader(in: path)
    let header = try reader.readFullBoxHeader()
    guard header.version == 2 || header.version == 3 else { return nil }
    let id =
      header.version == 2
      ? UInt32(try reader.readUInt16("an item number")) : try reader.readUInt32("an item number")
    try reader.skip(2, as: "a protection index")
    let type = try reader.readFourCC("an item type")
    let name = try reader.readText(limits, as: "an item name")
    let isMIME = type == "mime"
    return HEIFItem(
      id: id, type: type, name: name,
      contentType: isMIME ? try reader.readText(limits, as: "a content type") : "",
      uriType: type == "uri " && !reader.isAtEnd ? try reader.readText(limits, as: "a URI") : "",
      contentEncoding: isMIME ? try reader.readText(limits, as: "a content encoding") : "",
      isHidden: header.flags & 1 == 1)
  }
}
