extension JPEGImage {
  /// Reads the Exif block.
  ///
  /// - Returns: `nil` when the image has none.
  /// - Throws: As ``ExifMetadata/init(tiff:limits:)`` does.
  public func exifMetadata(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> ExifMetadata? {
    guard let exif else { return nil }
    return try ExifMetadata(tiff: exif, limits: limits)
  }

  /// Reads the XMP packet, completed by the extended packet that it names.
  ///
  /// An extended packet is taken without being named when the main packet names none.
  ///
  /// - Returns: `nil` when the image has neither.
  /// - Throws: As ``XMPPacket/init(_:limits:)`` does, for either packet.
  public func xmpPacket(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> XMPPacket? {
    var packet: XMPPacket?
    if let xmp { packet = try XMPPacket(xmp, limits: limits) }
    let name = packet?["http://ns.adobe.com/xmp/note/", "HasExtendedXMP"]?.text
    guard
      let match = extendedXMP.first(where: {
        name == nil || $0.guid.lowercased() == name?.lowercased()
      })
    else { return packet }
    let rest = try XMPPacket(match.bytes, limits: limits)
    return packet?.merging(rest) ?? rest
  }
}
