package import PlumblineIO

/// An opened HEIF file: its items, their properties and how they belong together.
///
/// Opening reads every table and no pixel. All of it is bounds-checked and bounded by
/// ``ReadingLimits``; items and properties that this reader does not know are kept by name and
/// never make the file unreadable.
package struct HEIFFile: Sendable {
  /// The whole file; indices are offsets.
  package let bytes: ArraySlice<UInt8>
  /// The limits it was opened with.
  package let limits: ReadingLimits
  /// The major brand and the compatible brands of `ftyp`, escaped.
  let brands: [String]
  /// The item that is shown, such as 49 in a 12-megapixel iPhone photo.
  let primaryItemID: HEIFItemID
  /// Every item in file order.
  package let items: [HEIFItem]
  /// Every reference in file order.
  package let references: [HEIFReference]
  /// Every group in file order.
  package let groups: [HEIFEntityGroup]
  /// Properties and their uses.
  let propertyTable: HEIFPropertyTable
  /// The positions of the items' bytes.
  package let locations: [HEIFItemID: HEIFItemLocation]
  /// The payload of `idat`.
  let itemData: ArraySlice<UInt8>

  private let itemIndices: [HEIFItemID: Int]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; errors count offsets from the slice's own indices, so pass one
  ///     that starts at 0.
  ///   - limits: What opening may cost.
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

  /// The item of a number, or `nil`; O(1).
  package func item(_ id: HEIFItemID) -> HEIFItem? { itemIndices[id].map { items[$0] } }

  /// The properties of an item in the order in which they apply.
  package func properties(of item: HEIFItemID) -> [HEIFPropertyUse] {
    propertyTable.properties(of: item)
  }

  /// The items that an item refers to by references of a type, in file order.
  package func items(referredToBy item: HEIFItemID, as type: String) -> [HEIFItemID] {
    references.flatMap { $0.type == type && $0.from == item ? $0.to : [] }
  }

  /// The items that refer to an item by references of a type, each once, in file order.
  package func items(referringTo item: HEIFItemID, as type: String) -> [HEIFItemID] {
    var known: Set<HEIFItemID> = []
    return references.compactMap {
      $0.type == type && $0.to.contains(item) && known.insert($0.from).inserted ? $0.from : nil
    }
  }
}
