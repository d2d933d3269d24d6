package import PlumblineIO

/// One property of `ipco`: a fact that any number of items share.
package enum HEIFProperty: Sendable, Hashable {
  /// `ispe`: the size of the item's image before its transformations, in pixels; unchecked.
  case size(width: Int, height: Int)
  /// `irot`, `imir` or `clap`: how the stored pixels become the shown ones.
  case transformation(ImageTransformation)
  /// `pixi`: bits of each channel.
  case bitDepths([UInt8])
  /// `colr`: how codes become colors.
  case color(ColorInformation)
  /// `auxC`: what an auxiliary image holds, and bytes that the type gives a meaning to.
  case auxiliaryType(String, subtype: [UInt8])
  /// `hvcC`: the parameter sets of an HEVC image.
  case hevcConfiguration(HEVCConfiguration)
  /// `cmin`, or Apple's `uuid` draft of it: the camera's focal length and principal point.
  case cameraIntrinsics(HEIFCameraIntrinsics)
  /// `cmex`, or Apple's `uuid` draft of it: where the camera stood.
  case cameraPosition(HEIFCameraPosition)
  /// Anything else, by its type or, for `uuid`, its user type.
  case unknown(type: String, payload: ArraySlice<UInt8>)
}

/// A property as one item uses it.
package struct HEIFPropertyUse: Sendable, Hashable {
  /// The property.
  package let property: HEIFProperty
  /// Whether a reader that does not understand it must not show the item.
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
