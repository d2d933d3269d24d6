package import PlumblineIO

/// One property of `ipco`, which any number of items can share.
package enum HEIFProperty: Sendable, Hashable {
  /// `ispe`: the size of the item's image in pixels, before its transformations; unchecked.
  case size(width: Int, height: Int)
  /// `irot`, `imir` or `clap`: a transformation from stored to displayed pixels.
  case transformation(ImageTransformation)
  /// `pixi`: the bit depth of each channel.
  case bitDepths([UInt8])
  /// `colr`: the conversion of codes to colors.
  case color(ColorInformation)
  /// `auxC`: the type of an auxiliary image, and bytes whose meaning depends on the type.
  case auxiliaryType(String, subtype: [UInt8])
  /// `hvcC`: the parameter sets of an HEVC image.
  case hevcConfiguration(HEVCConfiguration)
  /// `cmin` or Apple's `uuid` draft of it: the camera's focal length and principal point.
  case cameraIntrinsics(HEIFCameraIntrinsics)
  /// `cmex` or Apple's `uuid` draft of it: the position of the camera.
  case cameraPosition(HEIFCameraPosition)
  /// Anything else, by its type or, for `uuid`, its user type.
  case unknown(type: String, payload: ArraySlice<UInt8>)
}

/// The association of a property with one item.
package struct HEIFPropertyUse: Sendable, Hashable {
  /// The property.
  package let property: HEIFProperty
  /// Whether a reader that does not support the property must not show the item.
  let isEssential: Bool
}

extension HEIFProperty {
  /// Reads one child of `ipco` (ISO/IEC 23008-12 §6.5).
  ///
  /// - Throws: `.malformed` or `.limitExceeded`; unknown types and versions never throw.
  package static func read(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> HEIFProperty {
    var reader = box.reader(in: path)
    let unknown = HEIFProperty.unknown(type: box.userType ?? box.type, payload: box.payload)
    switch box.userType ?? box.type {
    case "irot": return .transformation(try .readRotation(&reader))
    case "imir": return .transformation(try .readMirror(&reader))
    case "clap": return .transformation(.crop(try CleanAperture.read(&reader)))
    case "colr": return .color(try ColorInformation.read(&reader))
    case "hvcC": return .hevcConfiguration(try HEVCConfiguration.read(&reader))
    case "ispe", "pixi", "auxC", "cmin", "cmex", HEIFCameraIntrinsics.draftUserType,
      HEIFCameraPosition.draftUserType:
      let header = try reader.readFullBoxHeader()
      guard header.version == 0 else { return unknown }
      return try readFullBox(box, &reader, flags: header.flags, limits)
    default: return unknown
    }
  }

  private static func readFullBox(
    _ box: ISOBox, _ reader: inout ByteReader, flags: UInt32, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> HEIFProperty {
    switch box.userType ?? box.type {
    case "ispe":
      return .size(
        width: Int(try reader.readUInt32("a width")), height: Int(try reader.readUInt32("a height"))
      )
    case "pixi":
      let count = Int(try reader.readUInt8("a channel count"))
      return .bitDepths([UInt8](try reader.readBytes(count, as: "bit depths")))
    case "auxC":
      let type = try reader.readText(limits, as: "an auxiliary type")
      let subtype = [UInt8](try reader.readBytes(reader.remaining))
      try limits.require(
        subtype.count, atMost: limits.stringBytes, "bytes of subtype", path: reader.path,
        offset: box.offset)
      return .auxiliaryType(type, subtype: subtype)
    case "cmin", HEIFCameraIntrinsics.draftUserType:
      return .cameraIntrinsics(try HEIFCameraIntrinsics.read(&reader, flags: flags))
    default:
      return .cameraPosition(try HEIFCameraPosition.read(&reader, flags: flags))
    }
  }
}

/// All properties of a file and their associations with items (`iprp`, ISO/IEC 23008-12 §9.3).
struct HEIFPropertyTable: Sendable {
  /// The children of `ipco` in file order.
  let properties: [HEIFProperty]
  /// The properties of each item, in the order in which they apply.
  let uses: [HEIFItemID: [Use]]

  /// One association of an item with a property.
  struct Use: Sendable, Hashable {
    /// The index into `properties`.
    let index: Int
    /// Whether a reader must support it.
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
        // The number 0 is legal and means that no property is associated.
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
