import PlumblineIO

/// All properties of a file and which items use them (`iprp`, ISO/IEC 23008-12 §9.3).
struct HEIFPropertyTable: Sendable {
  /// The children of `ipco` in file order.
  let properties: [HEIFProperty]
  /// For each item the properties it uses, in the order in which they apply.
  let uses: [HEIFItemID: [Use]]

  /// One association of an item with a property.
  struct Use: Sendable, Hashable {
    /// The index into `properties`.
    let index: Int
    /// Whether a reader must understand it.
    let isEssential: Bool
  }

  /// A table without entries.
  static let empty = HEIFPropertyTable(properties: [], uses: [:])

  /// The properties of one item in their order.
  func properties(of item: HEIFItemID) -> [HEIFPropertyUse] {
    (uses[item] ?? []).map {
      HEIFPropertyUse(property: properties[$0.index], isEssential: $0.isEssential)
    }
  }

  /// Reads `iprp`.
  ///
  /// - Throws: `.malformed` for damaged boxes and for associations beyond the properties,
  ///   `.limitExceeded` for too many.
  static func read(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> HEIFPropertyTable {
    var reader = box.reader(in: path)
    let children = try reader.readBoxes(limits)
    var properties: [HEIFProperty] = []
    for container in children where container.type == "ipco" {
      var containerReader = container.reader(in: reader.path)
      for child in try containerReader.readBoxes(limits) {
        try limits.require(
          properties.count + 1, atMost: limits.properties, "properties",
          path: containerReader.path, offset: child.offset)
        properties.append(try .read(child, in: containerReader.path, limits))
      }
    }
    var uses: [HEIFItemID: [Use]] = [:]
    for association in children where association.type == "ipma" {
      try readUses(
        association, in: reader.path, propertyCount: properties.count, into: &uses, limits)
    }
    return HEIFPropertyTable(properties: properties, uses: uses)
  }

  private static func readUses(
    _ box: ISOBox, in path: [String], propertyCount: Int,
    into uses: inout [HEIFItemID: [Use]], _ limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var reader = box.reader(in: path)
    let header = try reader.readFullBoxHeader()
    let count = Int(try reader.readUInt32("an item count"))
    try limits.require(
      count, atMost: limits.items, "items", path: reader.path, offset: reader.offset)
    for _ in 0..<count {
      let item =
        header.version == 0 ? UInt32(try reader.readUInt16("an item")) : try reader.readUInt32()
      let useCount = Int(try reader.readUInt8("a property count"))
      for _ in 0..<useCount {
        let start = reader.offset
        let isWide = header.flags & 1 == 1
        let code =
          isWide ? try reader.readUInt16("a property") : UInt16(try reader.readUInt8("a property"))
        let isEssential = code >> (isWide ? 15 : 7) == 1
        let number = Int(code & (isWide ? 0x7FFF : 0x7F))
        // Number 0 is legal and says that no property is associated.
        if number == 0 { continue }
        guard number <= propertyCount else {
          throw CaptureReadingError(
            .malformed, path: reader.path, offset: start,
            expected: "a property number up to \(propertyCount)", found: "\(number)")
        }
        uses[item, default: []].append(Use(index: number - 1, isEssential: isEssential))
      }
      try limits.require(
        uses[item]?.count ?? 0, atMost: limits.properties, "properties of item \(item)",
        path: reader.path, offset: reader.offset)
    }
  }
}
