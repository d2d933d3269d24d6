package import PlumblineIO

extension HEIFFile {
  /// The XMP packets that describe an item, in file order.
  ///
  /// - Throws: As ``data(of:)`` does; `.limitExceeded` for packets that no camera writes.
  package func xmp(of item: HEIFItemID) throws(CaptureReadingError) -> [ArraySlice<UInt8>] {
    var packets: [ArraySlice<UInt8>] = []
    for id in items(referringTo: item, as: "cdsc") {
      guard let description = self.item(id), description.isXMP else { continue }
      guard description.contentEncoding.isEmpty else { continue }
      packets.append(try metadata(id))
    }
    return packets
  }

  /// The Exif block that describes an item, from its TIFF header on, or `nil`.
  ///
  /// An item starts with the offset of the header (ISO/IEC 23008-12 annex A.2.1).
  ///
  /// - Throws: As ``data(of:)`` does; `.malformed` when the offset leaves the item.
  package func exif(of item: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8>? {
    for id in items(referringTo: item, as: "cdsc") where self.item(id)?.type == "Exif" {
      var reader = ByteReader(try metadata(id), path: ["item \(id)", "Exif"])
      let offset = Int(try reader.readUInt32("the offset of a TIFF header"))
      try reader.skip(offset, as: "bytes before the TIFF header")
      return try reader.readBytes(reader.remaining)
    }
    return nil
  }

  private func metadata(_ id: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let bytes = try data(of: id)
    try limits.require(
      bytes.count, atMost: limits.metadataBytes, "bytes of metadata", path: ["item \(id)"])
    return bytes
  }
}
