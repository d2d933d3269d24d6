public import PlumblineIO

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
    guard let match = extendedXMP(namedBy: packet) else { return packet }
    let rest = try XMPPacket(match.bytes, limits: limits)
    return packet?.merging(rest) ?? rest
  }

  /// The extended packet that belongs to the main one, if it can be read; `nil` when there is none.
  ///
  /// - Throws: `.limitExceeded` for a main packet over a limit.
  func namedExtendedXMP(limits: ReadingLimits) throws(CaptureReadingError) -> ExtendedXMP? {
    guard !extendedXMP.isEmpty else { return nil }
    var packet: XMPPacket?
    if let xmp {
      do throws(CaptureReadingError) { packet = try XMPPacket(xmp, limits: limits) } catch {
        if error.reason == .limitExceeded { throw error }
        return nil
      }
    }
    return extendedXMP(namedBy: packet)
  }

  private func extendedXMP(namedBy main: XMPPacket?) -> ExtendedXMP? {
    let name = main?["http://ns.adobe.com/xmp/note/", "HasExtendedXMP"]?.text
    return extendedXMP.first { name == nil || $0.guid.lowercased() == name?.lowercased() }
  }
}
