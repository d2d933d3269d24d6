extension XMPPacketText {
  /// Adobe's gain maps, which Android's photos carry.
  static let adobeGainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  /// By this the main packet of a JPEG names the extended one.
  static let extendedNote = XMPName("http://ns.adobe.com/xmp/note/", "HasExtendedXMP")

  /// Takes out all that speaks of images and videos behind a JPEG photo.
  ///
  /// - Parameter keepingNote: Whether the note of an extended packet stays.
  mutating func removeAppendices(keepingNote: Bool) {
    let videos = ["MotionPhoto", "MicroVideo"]
    remove { name in
      name.namespace == GoogleDepthXMP.gdepth || name.namespace == Self.adobeGainMap
        || name.namespace == "http://ns.google.com/photos/dd/1.0/device/"
        || (name == Self.extendedNote && !keepingNote)
        || name.namespace == "http://ns.google.com/photos/1.0/container/"
        || name.namespace == "http://ns.google.com/photos/1.0/camera/"
          && videos.contains { name.local.hasPrefix($0) }
    }
  }

  /// A packet for a file that has nothing behind its image; one that cannot be read stays as it is.
  static func withoutAppendices(_ bytes: [UInt8]) -> [UInt8] {
    guard var packet = try? XMPPacketText(bytes[...], limits: ReadingLimits()) else { return bytes }
    packet.removeAppendices(keepingNote: false)
    return packet.bytes
  }
}
