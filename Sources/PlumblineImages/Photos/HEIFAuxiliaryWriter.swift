import PlumblineModel

/// Adds depth maps, mattes and gain maps to a file: a hidden image, what it is, whose it is and its
/// own XMP.
struct HEIFAuxiliaryWriter {
  private let coder: HEVCImageCoder
  private let orientation: ImageOrientation
  private let owners: [HEIFItemID]

  /// Creates a writer of companions that are turned as the image is and belong to some items.
  init(_ coder: HEVCImageCoder, orientation: ImageOrientation, owners: [HEIFItemID]) {
    self.coder = coder
    self.orientation = orientation
    self.owners = owners
  }

  /// Adds a depth map; where values descend with codes, codes are mirrored, as Apple's rule demands.
  ///
  /// - Throws: `.unrepresentable` for an empty map, `.encoder`.
  func add(
    _ depth: PhotoDepth, _ coding: PhotoWritingOptions.AuxiliaryCoding, to draft: inout HEIFDraft
  ) throws(PhotoWritingError) {
    let map = depth.ascending
    try add(
      map.codes, "urn:mpeg:hevc:2015:auxid:2", DepthRepresentation(map).auxiliarySubtype,
      ApplePhotoXMP().packet(for: map), coding, to: &draft)
  }

  /// Adds a matte; throws as above.
  func add(
    _ matte: Matte, _ further: CompanionProperties?,
    _ coding: PhotoWritingOptions.AuxiliaryCoding, to draft: inout HEIFDraft
  ) throws(PhotoWritingError) {
    try add(
      .uint8(matte.coverage), matte.kind.auxiliaryTypeURN, [],
      ApplePhotoXMP().packet(for: matte.kind, further), coding, to: &draft)
  }

  /// Adds the gain map of a photo with its own colors; one in ISO's form alone is no auxiliary image.
  ///
  /// - Returns: The item.
  /// - Throws: As above.
  func add(
    _ gainMap: GainMap, of photo: PhotoContents, _ coding: PhotoWritingOptions.AuxiliaryCoding,
    to draft: inout HEIFDraft
  ) throws(PhotoWritingError) -> HEIFItemID {
    var color: [UInt8]?
    if let profile = gainMap.iccProfile {
      color = Array("prof".utf8) + profile
    } else if let codes = photo.gainMapCodes {
      color = ColorInformation.codes(codes).payload
    }
    guard !gainMap.isInISOFormAlone else {
      return try addHidden(gainMap.samples, nil, [], coding, color: color, to: &draft)
    }
    return try add(
      gainMap.samples, GainMap.auxiliaryTypeURN, [],
      ApplePhotoXMP().packet(for: gainMap, photo.companions[.gainMap]), coding, color: color,
      to: &draft)
  }

  @discardableResult
  private func add(
    _ samples: StoredSamples, _ type: String, _ subtype: [UInt8], _ packet: [UInt8],
    _ coding: PhotoWritingOptions.AuxiliaryCoding, color: [UInt8]? = nil, to draft: inout HEIFDraft
  ) throws(PhotoWritingError) -> HEIFItemID {
    let item = try addHidden(samples, type, subtype, coding, color: color, to: &draft)
    draft.addReference("auxl", from: item, to: owners)
    draft.addXMP(packet, of: item)
    return item
  }

  /// Adds a hidden monochrome image, with `auxC` where it has a type.
  private func addHidden(
    _ samples: StoredSamples, _ type: String?, _ subtype: [UInt8],
    _ coding: PhotoWritingOptions.AuxiliaryCoding, color: [UInt8]?, to draft: inout HEIFDraft
  ) throws(PhotoWritingError) -> HEIFItemID {
    let size = samples.size
    guard size.pixelCount > 0, size.width <= 16_384, size.height <= 16_384 else {
      throw .unrepresentable(
        format: "HEIC", place: type ?? "gain map", expected: "1 to 16,384 pixels a side",
        found: "\(size)")
    }
    let coded = try coder.code(samples, coding)
    let bitDepth: UInt8 =
      if case .uint16(_, let depth) = samples { UInt8(max(depth, 8)) } else { 8 }
    var uses = [draft.use("hvcC", coded.configuration, isEssential: true), draft.size(size)]
    uses += draft.orientationUses(orientation)
    uses.append(draft.use("pixi", [0, 0, 0, 0, 1, bitDepth], isEssential: false))
    if let color { uses.append(draft.use("colr", color, isEssential: true)) }
    if let type {
      uses.append(
        draft.use("auxC", [0, 0, 0, 0] + Array(type.utf8) + [0] + subtype, isEssential: true))
    }
    return draft.addItem("hvc1", coded.images[0], isHidden: true, uses: uses)
  }
}
