import PlumblineModel

/// Writes photos with depth in the form of iPhones' HEIC files, and changes such files without
/// changing their pixels.
///
/// - Source: ISO/IEC 23008-12, ISO/IEC 14496-12 and -15; Apple's use of them was found in real
///   files, see `Documentation/formats/heif.md`. Whether Apple's programs accept the files is not
///   known.
package struct HEIFPhotoWriter: Sendable {
  /// Creates a writer.
  package init() {}

  /// A new file with an image and its companions.
  ///
  /// An image above one megapixel becomes a grid of tiles, else one item. Depth, mattes and gain
  /// map become hidden monochrome images with their own XMP. A gain map with ISO 21496-1 metadata
  /// gets the item of its rendition (`tmap`), with the rotation and crop of the image and first in
  /// a group of both; a gain map only in ISO's form belongs only to that item. XMP loses the
  /// properties about images and videos appended to a JPEG and about its extended packet, which is
  /// omitted. The same contents give the same bytes for any number of threads.
  ///
  /// - Parameters:
  ///   - contents: The photo; empty images cannot be written.
  ///   - options: The coding of the images.
  /// - Returns: The whole file.
  /// - Throws: `.encoder` if no program can encode the image, `.unrepresentable` for empty images
  ///   and sides above 65,535 pixels. O(*n*), most of it in the encoder.
  package func bytes(
    of contents: PhotoContents, options: PhotoWritingOptions = PhotoWritingOptions()
  ) throws(PhotoWritingError) -> [UInt8] {
    let coder = try HEVCImageCoder(options.hevc, threads: options.threads)
    var draft = HEIFDraft.new()
    let orientation = contents.metadata.orientation
    let primary = try draft.addImage(
      contents.color, orientation: orientation, contents.metadata, quality: options.colorQuality,
      coder)
    draft.primaryItem = primary
    if let exif = contents.metadata.exif { draft.addExif(exif, of: primary) }
    if let packet = contents.metadata.xmp {
      draft.addXMP(XMPPacketText.withoutAppendices(packet), of: primary)
    }
    for item in contents.items { draft.add(item, of: primary) }
    let rendition = contents.gainMap?.toneMapping.map {
      draft.addRendition($0, contents.rendition ?? HEIFRendition(), of: contents)
    }
    let owners = contents.rendition?.sharesCompanions == true ? rendition.map { [$0] } ?? [] : []
    let auxiliaries = HEIFAuxiliaryWriter(
      coder, orientation: orientation, owners: [primary] + owners)
    if let depth = contents.depth {
      try auxiliaries.add(depth, options.depthCoding, to: &draft)
    }
    for matte in contents.mattes {
      try auxiliaries.add(
        matte, contents.companions[.matte(matte.kind)], options.companionCoding, to: &draft)
    }
    if let gainMap = contents.gainMap {
      let item = try auxiliaries.add(gainMap, of: contents, options.companionCoding, to: &draft)
      if let rendition { draft.complete(rendition, of: primary, item) }
    }
    return try draft.bytes()
  }
}

extension HEIFDraft {
  /// Adds an Exif block, which starts with its byte-order mark, in the same way as iPhones: the
  /// offset of the header, after the six letters that JPEG has.
  mutating func addExif(_ block: [UInt8], of item: HEIFItemID) {
    let data = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + block
    let id = addItem("Exif", data, isHidden: true)
    addReference("cdsc", from: id, to: [item])
  }

  /// Adds an XMP packet.
  mutating func addXMP(_ packet: [UInt8], of item: HEIFItemID) {
    let id = addItem("mime", packet, contentType: "application/rdf+xml", isHidden: true)
    addReference("cdsc", from: id, to: [item])
  }
}

/// Adds depth maps, mattes and gain maps to a file: a hidden image, its type, its owners and its
/// own XMP.
struct HEIFAuxiliaryWriter {
  private let coder: HEVCImageCoder
  private let orientation: ImageOrientation
  private let owners: [HEIFItemID]

  /// Creates a writer for companions that have the rotation of the image and belong to some items.
  init(_ coder: HEVCImageCoder, orientation: ImageOrientation, owners: [HEIFItemID]) {
    self.coder = coder
    self.orientation = orientation
    self.owners = owners
  }

  /// Adds a depth map; if values descend with codes, the codes are mirrored, as Apple's rule
  /// requires.
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

  /// Adds the gain map of a photo with its own colors; one only in ISO's form is not an auxiliary
  /// image.
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

  /// Adds a hidden monochrome image, with `auxC` if it has a type.
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
