package import PlumblineIO

/// An opened HEIF file: its items, their properties and their relations.
///
/// Opening reads all tables but no pixels. Every access is bounds-checked and limited by
/// ``ReadingLimits``. Unknown items and properties are kept by name and never make the file
/// unreadable.
package struct HEIFFile: Sendable {
  /// The whole file; indices are offsets.
  package let bytes: ArraySlice<UInt8>
  /// The limits with which it was opened.
  package let limits: ReadingLimits
  /// The major brand and the compatible brands of `ftyp`, escaped.
  let brands: [String]
  /// The primary item, which viewers show, such as 49 in a 12-megapixel iPhone photo.
  let primaryItemID: HEIFItemID
  /// Every item in file order.
  package let items: [HEIFItem]
  /// Every reference in file order.
  package let references: [HEIFReference]
  /// Every group in file order.
  package let groups: [HEIFEntityGroup]
  /// The properties and their associations with items.
  let propertyTable: HEIFPropertyTable
  /// The positions of the items' bytes.
  package let locations: [HEIFItemID: HEIFItemLocation]
  /// The payload of `idat`.
  let itemData: ArraySlice<UInt8>

  private let itemIndices: [HEIFItemID: Int]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; errors contain the slice's own indices, so pass a slice that starts
  ///     at 0.
  ///   - limits: The limits for opening.
  /// - Throws: `.malformed` for damage, `.missing` without a `meta` box or primary item,
  ///   `.unsupported` for image sequences, `.limitExceeded`.
  package init(
    bytes: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    let outer = try HEIFOuterBoxes(bytes, limits)
    let inner = try HEIFMetaBoxes(outer.meta, limits)
    let path = ["meta"]
    self.bytes = bytes
    self.limits = limits
    brands = outer.brands
    items = try HEIFItem.readAll(try inner.require("iinf"), in: path, limits)
    locations = try HEIFItemLocation.readAll(try inner.require("iloc"), in: path, limits)
    references =
      if let box = inner["iref"] { try HEIFReference.readAll(box, in: path, limits) } else { [] }
    propertyTable =
      if let box = inner["iprp"] { try .read(box, in: path, limits) } else { .empty }
    groups =
      if let box = inner["grpl"] { try HEIFEntityGroup.readAll(box, in: path, limits) } else { [] }
    itemData = inner["idat"]?.payload ?? []
    primaryItemID = try inner.primaryItemID()
    itemIndices = Dictionary(
      items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    guard itemIndices[primaryItemID] != nil else {
      throw CaptureReadingError(
        .malformed, path: path + ["pitm"], offset: inner["pitm"]?.offset,
        expected: "an item of the file", found: "item \(primaryItemID)")
    }
  }

  /// Opens a file held in an array.
  package init(bytes: [UInt8], limits: ReadingLimits = ReadingLimits()) throws(CaptureReadingError)
  {
    try self.init(bytes: bytes[...], limits: limits)
  }

  /// The item with a number, or `nil`; O(1).
  package func item(_ id: HEIFItemID) -> HEIFItem? { itemIndices[id].map { items[$0] } }

  /// The properties of an item in the order in which they apply.
  package func properties(of item: HEIFItemID) -> [HEIFPropertyUse] {
    propertyTable.properties(of: item)
  }

  /// The items to which an item has references of a type, in file order.
  package func items(referredToBy item: HEIFItemID, as type: String) -> [HEIFItemID] {
    references.flatMap { $0.type == type && $0.from == item ? $0.to : [] }
  }

  /// The items that have references of a type to an item, each once, in file order.
  package func items(referringTo item: HEIFItemID, as type: String) -> [HEIFItemID] {
    var known: Set<HEIFItemID> = []
    return references.compactMap {
      $0.type == type && $0.to.contains(item) && known.insert($0.from).inserted ? $0.from : nil
    }
  }
}

extension HEIFFile {
  /// The XMP packets that describe an item, in file order.
  ///
  /// - Throws: As ``data(of:)`` does; `.limitExceeded` for more packets than any camera writes.
  package func xmp(of item: HEIFItemID) throws(CaptureReadingError) -> [ArraySlice<UInt8>] {
    var packets: [ArraySlice<UInt8>] = []
    for id in items(referringTo: item, as: "cdsc") {
      guard let description = self.item(id), description.isXMP else { continue }
      guard description.contentEncoding.isEmpty else { continue }
      packets.append(try metadata(id))
    }
    return packets
  }

  /// The Exif block that describes an item, from its TIFF header on, or `nil`.
  ///
  /// An item starts with the offset of the header (ISO/IEC 23008-12 annex A.2.1).
  ///
  /// - Throws: As ``data(of:)`` does; `.malformed` when the offset points outside the item.
  package func exif(of item: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8>? {
    for id in items(referringTo: item, as: "cdsc") where self.item(id)?.type == "Exif" {
      var reader = ByteReader(try metadata(id), path: ["item \(id)", "Exif"])
      let offset = Int(try reader.readUInt32("the offset of a TIFF header"))
      try reader.skip(offset, as: "bytes before the TIFF header")
      return try reader.readBytes(reader.remaining)
    }
    return nil
  }

  private func metadata(_ id: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let bytes = try data(of: id)
    try limits.require(
      bytes.count, atMost: limits.metadataBytes, "bytes of metadata", path: ["item \(id)"])
    return bytes
  }
}

/// The boxes on the outermost level of a HEIF file.
struct HEIFOuterBoxes {
  /// The major brand and the compatible ones.
  let brands: [String]
  /// The box that describes the items.
  let meta: ISOBox

  /// Finds `ftyp` and `meta`.
  ///
  /// - Throws: `.malformed`, `.missing` without them, `.unsupported` for files that hold only
  ///   image sequences, `.limitExceeded`.
  init(_ bytes: ArraySlice<UInt8>, _ limits: ReadingLimits) throws(CaptureReadingError) {
    var reader = ByteReader(bytes)
    let boxes = try reader.readBoxes(limits)
    guard let type = boxes.first(where: { $0.type == "ftyp" }) else {
      throw CaptureReadingError(
        .malformed, offset: bytes.startIndex, expected: "an ftyp box",
        found: boxes.first.map { "\($0.type) first, and no ftyp" } ?? "an empty file")
    }
    var typeReader = type.reader(in: [])
    var brands = [try typeReader.readFourCC("a major brand")]
    try typeReader.skip(4, as: "a minor version")
    while typeReader.remaining >= 4 && brands.count < limits.brands {
      brands.append(try typeReader.readFourCC("a brand"))
    }
    self.brands = brands
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      guard !boxes.contains(where: { $0.type == "moov" }) else {
        throw CaptureReadingError(
          .unsupported, expected: "a still image with a meta box",
          found: "an image sequence or video")
      }
      throw CaptureReadingError(.missing, expected: "a meta box", found: "none")
    }
    self.meta = meta
  }
}

/// The boxes inside `meta`, by type.
struct HEIFMetaBoxes {
  private let boxes: [String: ISOBox]

  /// Reads the child boxes; the first of several boxes with one type counts.
  ///
  /// - Throws: `.malformed`, `.unsupported` when the box does not describe images.
  init(_ meta: ISOBox, _ limits: ReadingLimits) throws(CaptureReadingError) {
    var reader = meta.reader(in: [])
    _ = try reader.readFullBoxHeader()
    let children = try reader.readBoxes(limits)
    boxes = Dictionary(children.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    guard let handler = boxes["hdlr"] else { return }
    var handlerReader = handler.reader(in: ["meta"])
    try handlerReader.skip(8, as: "version, flags and a predefined field")
    let type = try handlerReader.readFourCC("a handler type")
    guard type == "pict" else {
      throw CaptureReadingError(
        .unsupported, path: ["meta", "hdlr"], offset: handler.offset, expected: "pict",
        found: type)
    }
  }

  /// The first box of a type.
  subscript(type: String) -> ISOBox? { boxes[type] }

  /// The first box of a type, which must exist.
  func require(_ type: String) throws(CaptureReadingError) -> ISOBox {
    guard let box = boxes[type] else {
      throw CaptureReadingError(
        .missing, path: ["meta"], expected: "a box of type \(type)", found: "none")
    }
    return box
  }

  /// The primary item's number, from `pitm`.
  func primaryItemID() throws(CaptureReadingError) -> HEIFItemID {
    var reader = try require("pitm").reader(in: ["meta"])
    return try reader.readFullBoxHeader().version == 0
      ? UInt32(try reader.readUInt16("an item number")) : try reader.readUInt32("an item number")
  }
}
