import PlumblineIO
public import PlumblineModel

/// What a photo file says about itself beside its pixels, each block as its bytes.
///
/// The blocks are carried over byte for byte; only what a change makes untrue is edited in them.
public struct PhotoMetadata: Sendable, Hashable {
  /// The Exif block from its TIFF byte-order mark on; `nil` when there is none.
  public var exif: [UInt8]?
  /// The XMP packet of the photo itself; `nil` when there is none.
  public var xmp: [UInt8]?
  /// The packet that a JPEG splits over several segments, which the other one names; `nil` when there is
  /// none, and for HEIC, which needs no second packet.
  public var extendedXMP: ExtendedXMP?
  /// The ICC profile; `nil` when there is none.
  public var iccProfile: [UInt8]?
  /// What the image's numbers mean where no profile says it; `nil` for sRGB, and when nothing is said.
  public var colorSpace: PhotoColorSpace?
  /// How the stored pixels must be turned to be upright: Exif's in JPEG, `irot` and `imir` in HEIC.
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
  /// Takes out the images inside the metadata, which show the photo as it was: Exif's thumbnail, XMP's,
  /// and the image before its blur that Google's formats keep in extended XMP (`GImage`).
  ///
  /// A packet that cannot be read stays as it is.
  ///
  /// - Returns: The names of those that are more than a thumbnail.
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
      // The name stays until the file is put together, where the main packet's note of it follows.
      extendedXMP = rest.map { ExtendedXMP(guid: extended.guid, bytes: $0) }
    }
    return names
  }

  /// A packet without images; `nil` for one that holds nothing else.
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
  /// The names of the properties that are not about depth, which is carried as depth.
  ///
  /// Each with its namespace before it, sorted; empty for a packet that cannot be read.
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
