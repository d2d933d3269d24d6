package import PlumblineIO

/// The number that names an item inside one HEIF file.
package typealias HEIFItemID = UInt32

/// One item as `infe` describes it: its number, coding and visibility.
package struct HEIFItem: Sendable, Hashable {
  /// The item's number, unique in the file.
  package let id: HEIFItemID
  /// The four-character item type, such as `hvc1`, `grid`, `Exif` or `mime`, escaped.
  package let type: String
  /// A human-readable name, usually empty; escaped.
  package let name: String
  /// The MIME type of a `mime` item, such as `application/rdf+xml`, else empty; escaped.
  package let contentType: String
  /// The URI that identifies a `uri ` item's type, else empty; escaped.
  package var uriType: String = ""
  /// The content encoding of a `mime` item, such as `deflate`; empty if it has none; escaped.
  let contentEncoding: String
  /// Whether the item is not meant for display on its own (tiles, depth maps, mattes).
  package let isHidden: Bool

  /// Whether the item holds XMP.
  var isXMP: Bool { type == "mime" && contentType == "application/rdf+xml" }
}

extension HEIFItem {
  /// Reads `iinf` (ISO/IEC 14496-12 §8.11.6); entries of versions 0 and 1 have no type and are
  /// skipped.
  ///
  /// - Throws: `.malformed` for damaged entries and for a duplicate number, `.limitExceeded` for
  ///   too many items.
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

/// One entry of `iref`: a reference from one item to others, such as from a depth map to its image.
package struct HEIFReference: Sendable, Hashable {
  /// The four-character kind: `dimg` (derived from), `auxl`, `cdsc`, `thmb` …, escaped.
  package let type: String
  /// The item that refers.
  package let from: HEIFItemID
  /// The items referred to, in file order; iPhone 16 writes `auxl` with two.
  package let to: [HEIFItemID]
}

extension HEIFReference {
  /// Reads `iref` (ISO/IEC 14496-12 §8.11.12).
  ///
  /// - Throws: `.malformed` for damaged entries and for items derived from themselves,
  ///   `.limitExceeded` for too many references.
  package static func readAll(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [HEIFReference] {
    var reader = box.reader(in: path)
    let hasWideNumbers = try reader.readFullBoxHeader().version != 0
    let boxPath = reader.path
    // Eight times the maximum of one entry: a file needs one long entry per grid, and short ones.
    let totalLimit = limits.references * 8
    var total = 0
    var references: [HEIFReference] = []
    for entry in try reader.readBoxes(limits) {
      var entryReader = entry.reader(in: boxPath)
      let from = try readItemID(&entryReader, isWide: hasWideNumbers)
      let count = Int(try entryReader.readUInt16("a reference count"))
      try limits.require(
        count, atMost: limits.references, "references", path: entryReader.path,
        offset: entry.offset)
      total += count
      try limits.require(
        total, atMost: totalLimit, "references in all", path: boxPath, offset: entry.offset)
      var to: [HEIFItemID] = []
      for _ in 0..<count {
        to.append(try readItemID(&entryReader, isWide: hasWideNumbers))
      }
      references.append(HEIFReference(type: entry.type, from: from, to: to))
    }
    try refuseCycles(references, in: boxPath)
    return references
  }

  private static func readItemID(
    _ reader: inout ByteReader, isWide: Bool
  ) throws(CaptureReadingError) -> HEIFItemID {
    isWide ? try reader.readUInt32("an item number") : UInt32(try reader.readUInt16("an item"))
  }

  /// Refuses cycles of derived items: it repeatedly removes items from which nothing is derived, in
  /// O(*n*) and without recursion.
  private static func refuseCycles(
    _ references: [HEIFReference], in path: [String]
  ) throws(CaptureReadingError) {
    var inputs: [HEIFItemID: [HEIFItemID]] = [:]
    var uses: [HEIFItemID: Int] = [:]
    for reference in references where reference.type == "dimg" {
      inputs[reference.from, default: []] += reference.to
      for input in reference.to { uses[input, default: 0] += 1 }
    }
    var free = inputs.keys.filter { uses[$0] == nil }
    while let item = free.popLast() {
      for input in inputs.removeValue(forKey: item) ?? [] {
        let count = (uses[input] ?? 1) - 1
        uses[input] = count
        if count == 0 && inputs[input] != nil { free.append(input) }
      }
    }
    guard let item = inputs.keys.min() else { return }
    throw CaptureReadingError(
      .malformed, path: path + ["dimg"], expected: "images derived from other images",
      found: "a cycle through item \(item)")
  }
}
