package import PlumblineIO
public import PlumblineModel

/// The metadata of a photo file, each block as its bytes.
///
/// The blocks are copied byte for byte; only values that a change makes wrong are edited.
public struct PhotoMetadata: Sendable, Hashable {
  /// The Exif block, starting with its TIFF byte-order mark; `nil` when there is none.
  public var exif: [UInt8]?
  /// The XMP packet of the photo itself; `nil` when there is none.
  public var xmp: [UInt8]?
  /// The packet that a JPEG splits into several segments, named in the main packet; `nil` when
  /// there is none, and for HEIC, which needs no second packet.
  public var extendedXMP: ExtendedXMP?
  /// The ICC profile; `nil` when there is none.
  public var iccProfile: [UInt8]?
  /// The color space if there is no profile; `nil` for sRGB, and if nothing is stated.
  public var colorSpace: PhotoColorSpace?
  /// The orientation of the stored pixels: from Exif in JPEG, from `irot` and `imir` in HEIC.
  public var orientation: ImageOrientation

  /// Creates metadata from its blocks.
  package init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iccProfile: [UInt8]? = nil,
    orientation: ImageOrientation = .up
  ) {
    self.exif = exif
    self.xmp = xmp
    self.iccProfile = iccProfile
    self.orientation = orientation
  }
}

extension PhotoMetadata {
  /// Removes images in the metadata that show the unchanged photo: Exif's thumbnail, XMP's
  /// thumbnail, and the image before its blur, which Google's formats store in extended XMP
  /// (`GImage`).
  ///
  /// An unreadable packet stays unchanged.
  ///
  /// - Returns: The names of removed images other than thumbnails.
  /// - Throws: `.unreadable` for a damaged Exif block. O(*n*).
  package mutating func removePreviews(
    limits: ReadingLimits = ReadingLimits()
  ) throws(PhotoWritingError) -> [String] {
    if let block = exif {
      var editing = try ExifEditing(block)
      editing.removeThumbnail()
      exif = editing.block
    }
    var names: [String] = []
    if let packet = xmp { xmp = Self.removingImages(packet, &names, limits) }
    if let extended = extendedXMP {
      let rest = Self.removingImages(extended.bytes, &names, limits)
      // The name stays until the file is assembled, when the main packet's reference is updated.
      extendedXMP = rest.map { ExtendedXMP(guid: extended.guid, bytes: $0) }
    }
    return names
  }

  /// A packet without images; `nil` if nothing else is left.
  private static func removingImages(
    _ bytes: [UInt8], _ names: inout [String], _ limits: ReadingLimits
  ) -> [UInt8]? {
    guard var packet = try? XMPPacketText(bytes[...], limits: limits) else { return bytes }
    packet.remove { $0 == XMPName("http://ns.adobe.com/xap/1.0/", "Thumbnails") }
    let large = packet.remove { $0.namespace == "http://ns.google.com/photos/1.0/image/" }
    let name = "the image inside XMP (GImage)"
    if large > 0, !names.contains(name) { names.append(name) }
    guard packet.isChanged else { return bytes }
    return packet.isEmpty ? nil : packet.bytes
  }
}

extension ExtendedXMP {
  /// The image before its blur, as a file of its own, which Google's formats hold (`GImage:Data`).
  ///
  /// - Source: Google's *Depthmap Metadata*, under `http://ns.google.com/photos/1.0/image/`.
  /// - Parameter limits: How large it may be.
  /// - Returns: The bytes of a JPEG or PNG; `nil` without one, and for a packet that cannot be read.
  /// - Throws: `.malformed` for data that are not base64, `.limitExceeded`.
  package func unrenderedImage(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> [UInt8]? {
    guard let packet = try? XMPPacket(bytes, limits: limits) else { return nil }
    let reader = XMPPropertyReader(
      packet: packet, namespace: "http://ns.google.com/photos/1.0/image/")
    guard let data = reader.text("Data") else { return nil }
    return try Base64.decoded(data, atMost: limits.metadataBytes, path: ["XMP", "GImage", "Data"])
  }

  /// The names of the properties that are not about depth, since depth is carried separately.
  ///
  /// Each name has its namespace as prefix; sorted; empty for an unreadable packet.
  package var names: [String] {
    guard let packet = try? XMPPacket(bytes, limits: ReadingLimits()) else { return [] }
    return packet.properties.keys
      .filter {
        $0.namespace != GoogleDepthXMP.gdepth
          && !$0.namespace.hasPrefix("http://ns.google.com/photos/dd/1.0/")
      }
      .map { printable(($0.namespace + $0.local).utf8.prefix(120)) }.sorted()
  }
}
