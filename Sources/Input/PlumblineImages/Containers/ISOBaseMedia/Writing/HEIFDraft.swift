import PlumblineIO

/// The tables of a HEIF file that is being written, either new or changed.
///
/// Boxes that a change does not affect keep their bytes, whether this program knows them or not.
struct HEIFDraft: Sendable {
  /// An entry of `iinf`.
  struct Entry: Sendable, Hashable {
    /// The item's number; `nil` for entries without a type, which are kept unparsed.
    var id: HEIFItemID?
    /// The whole box.
    var box: [UInt8]
  }

  /// An entry of `iref`.
  struct Reference: Sendable, Hashable {
    /// The four bytes of the type.
    var type: [UInt8]
    var from: HEIFItemID
    var to: [HEIFItemID]
  }

  /// The use of a property by an item.
  struct Use: Sendable, Hashable {
    /// The index into `properties`; `nil` if the file associates none.
    var property: Int?
    var isEssential: Bool
  }

  /// The properties of one item.
  struct Association: Sendable, Hashable {
    var id: HEIFItemID
    var uses: [Use]
  }

  /// The boxes inside `meta` in their order: those that are rebuilt, and all others.
  enum Part: Sendable, Hashable {
    case primaryItem, items, locations, references, properties, groups, itemData
    case kept([UInt8])
  }

  /// The boxes on the outermost level in their order.
  enum OuterPart: Sendable, Hashable {
    case meta
    /// A box of the source that is copied unchanged.
    case kept(Range<Int>)
    /// A box that replaces one of the source.
    case new([UInt8])
    /// A box of the source with media data: its header and its payload.
    case mediaData(header: Range<Int>, payload: Range<Int>)
  }

  /// The version and flags of `meta`.
  var metaHeader: [UInt8] = [0, 0, 0, 0]
  var parts: [Part] = []
  var outerParts: [OuterPart] = []
  /// The boxes at the start of a new file.
  var preamble: [UInt8] = []
  var primaryItem: HEIFItemID = 1
  var entries: [Entry] = []
  var entriesVersion: UInt8 = 0
  var references: [Reference] = []
  var referencesVersion: UInt8 = 0
  /// The properties, as whole boxes.
  var properties: [[UInt8]] = []
  var associations: [Association] = []
  /// Boxes in `iprp` other than the properties and their associations.
  var furtherPropertyBoxes: [[UInt8]] = []
  /// The groups, as whole boxes with their members; they are parsed only to remove items.
  var groups: [[UInt8]] = []
  /// The numbers of groups, which no item may use.
  var reservedIDs: Set<HEIFItemID> = []
  var locations: [HEIFDraftLocation] = []
  var locationsHeader = HEIFDraftLocation.TableHeader()
  var itemData: [UInt8] = []
  /// The locations of removed items, whose bytes are removed too.
  var removedLocations: [HEIFDraftLocation] = []
  /// The bytes of new items, in their order.
  var newData: [(id: HEIFItemID, bytes: [UInt8])] = []

  /// A box of a four-character type.
  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    box(Array(type.utf8), payload)
  }

  /// A box of a type given as its bytes.
  static func box(_ type: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    [UInt8](bigEndian: payload.count + 8, bytes: 4) + type + payload
  }
}

extension HEIFDraft {
  /// A new file without items, starting like those of phones.
  static func new() -> HEIFDraft {
    var draft = HEIFDraft()
    draft.preamble = box(
      "ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1MiHEmiafMiHBheic".utf8))
    let handler = [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
    // A data reference that says that the items' bytes lie in this file.
    let places = box("url ", [0, 0, 0, 1])
    let dataReferences = box("dref", [0, 0, 0, 0, 0, 0, 0, 1] + places)
    draft.parts = [
      .kept(box("hdlr", handler)), .kept(box("dinf", dataReferences)), .primaryItem, .items,
      .references, .properties, .groups, .itemData, .locations,
    ]
    draft.outerParts = [.meta]
    draft.locationsHeader = HEIFDraftLocation.TableHeader(version: 1)
    return draft
  }

  /// An unused item number below 2¹⁶.
  ///
  /// One always exists, since no readable file has that many items.
  func freeItemID() -> HEIFItemID {
    let used = Set(entries.compactMap(\.id)).union(locations.map(\.id)).union(
      references.flatMap { $0.to + [$0.from] })
    let first = used.filter { $0 < 0xFFFF }.max() ?? 0
    let after = (first + 1...0xFFFF).first { !reservedIDs.contains($0) && !used.contains($0) }
    return after ?? (1...0xFFFF).first { !used.contains($0) && !reservedIDs.contains($0) } ?? 0
  }

  /// Adds a property, or finds an equal one, and returns its index.
  mutating func property(_ type: String, _ payload: [UInt8]) -> Int {
    let box = Self.box(type, payload)
    if let index = properties.firstIndex(of: box) { return index }
    properties.append(box)
    return properties.count - 1
  }

  /// Adds an item whose bytes are written after all others; `contentType` is the media type of a
  /// `mime` item, or the URI of a `uri ` item.
  ///
  /// - Returns: Its number.
  mutating func addItem(
    _ type: String, _ data: [UInt8], name: String = "", contentType: String = "",
    encoding: String = "", isHidden: Bool = false,
    uses: [(property: Int, isEssential: Bool)] = [], inItemData: Bool = false
  ) -> HEIFItemID {
    let id = freeItemID()
    var payload: [UInt8] = [2, 0, 0, isHidden ? 1 : 0]
    payload += [UInt8](bigEndian: Int(id), bytes: 2) + [0, 0] + Array(type.utf8)
    payload += Array(name.utf8) + [0]
    if type == "mime" || type == "uri " { payload += Array(contentType.utf8) + [0] }
    if type == "mime", !encoding.isEmpty { payload += Array(encoding.utf8) + [0] }
    entries.append(Entry(id: id, box: Self.box("infe", payload)))
    if !uses.isEmpty {
      associations.append(
        Association(
          id: id, uses: uses.map { Use(property: $0.property, isEssential: $0.isEssential) }))
    }
    if inItemData {
      locations.append(
        HEIFDraftLocation(
          id: id, construction: 1,
          extents: [.init(index: 0, offset: itemData.count, length: data.count)]))
      itemData += data
    } else {
      locations.append(HEIFDraftLocation(id: id, construction: 0, extents: []))
      newData.append((id, data))
    }
    return id
  }

  /// Adds a reference.
  mutating func addReference(_ type: String, from: HEIFItemID, to: [HEIFItemID]) {
    references.append(Reference(type: Array(type.utf8), from: from, to: to))
    if from > 0xFFFF || to.contains(where: { $0 > 0xFFFF }) { referencesVersion = 1 }
  }
}
