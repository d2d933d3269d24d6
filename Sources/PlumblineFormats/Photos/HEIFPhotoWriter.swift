import PlumblineModel

/// Writes photos with depth as iPhones write HEIC files, and changes such files without touching
/// their pixels.
///
/// - Source: ISO/IEC 23008-12, ISO/IEC 14496-12 and -15; Apple's use of them read out of real files,
///   see `Documentation/formats/heif.md`. That Apple's programs accept the files is not known.
public struct HEIFPhotoWriter: Sendable {
  /// Creates a writer.
  public init() {}

  /// A new file with a picture and all that belongs to it.
  ///
  /// The picture becomes a grid of tiles above a megapixel, else one picture; depth, mattes and gain
  /// map become hidden monochrome pictures with XMP of their own. XMP loses what a JPEG's says of images
  /// and films behind it, and of its extended packet, which is left out. The same contents give the same bytes
  /// for any number of threads.
  ///
  /// - Parameters:
  ///   - contents: The photo; empty pictures cannot be written.
  ///   - options: How pictures are coded.
  /// - Returns: The whole file.
  /// - Throws: `.encoder` without a program that codes the picture, `.unrepresentable` for empty
  ///   pictures and sides above 65,535 pixels. O(*n*), most of it in the encoder.
  public func bytes(
    of contents: PhotoContents, options: PhotoWritingOptions = PhotoWritingOptions()
  ) throws(PhotoWritingError) -> [UInt8] {
    let coder = try HEVCPictureCoder(options.hevc, threads: options.threads)
    var draft = HEIFDraft.new()
    let orientation = contents.metadata.orientation
    let primary = try draft.addPicture(
      contents.color, orientation: orientation, contents.metadata, quality: options.colorQuality,
      coder)
    draft.primaryItem = primary
    if let exif = contents.metadata.exif { draft.addExif(exif, of: primary) }
    if let packet = contents.metadata.xmp {
      draft.addXMP(XMPPacketText.withoutAppendices(packet), of: primary)
    }
    let auxiliaries = HEIFAuxiliaryWriter(coder, orientation: orientation, owners: [primary])
    if let depth = contents.depth {
      try auxiliaries.add(depth, options.depthCoding, to: &draft)
    }
    for matte in contents.mattes { try auxiliaries.add(matte, options.companionCoding, to: &draft) }
    if let gainMap = contents.gainMap {
      try auxiliaries.add(gainMap, options.companionCoding, to: &draft)
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
