import PlumblineModel

/// Writes photos with depth as iPhones write HEIC files, and changes such files without touching
/// their pixels.
///
/// - Source: ISO/IEC 23008-12, ISO/IEC 14496-12 and -15; Apple's use of them read out of real files,
///   see `Documentation/formats/heif.md`. That Apple's programs accept the files is not known.
public struct HEIFPhotoWriter: Sendable {
  /// Creates a writer.
  public init() {}

  /// A new file with an image and all that belongs to it.
  ///
  /// The image becomes a grid of tiles above a megapixel, else one image; depth, mattes and gain
  /// map become hidden monochrome images with XMP of their own. A gain map with the numbers of ISO 21496-1
  /// gets the item of its rendition (`tmap`), turned and cropped as the image is, and first in a group of
  /// both; one that has no form but ISO's belongs to that alone. XMP loses what a JPEG's says of images
  /// and videos behind it, and of its extended packet, which is left out. The same contents give the same bytes
  /// for any number of threads.
  ///
  /// - Parameters:
  ///   - contents: The photo; empty images cannot be written.
  ///   - options: How images are coded.
  /// - Returns: The whole file.
  /// - Throws: `.encoder` without a program that codes the image, `.unrepresentable` for empty
  ///   images and sides above 65,535 pixels. O(*n*), most of it in the encoder.
  public func bytes(
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
  /// Adds an Exif block, from its byte-order mark on, as iPhones do: the offset of the header behind
  /// the six letters that JPEG has.
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
