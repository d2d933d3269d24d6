import PlumblineIO

extension ExtendedXMP {
  /// A packet under the name that its bytes have, by which the main packet must call it.
  public init(bytes: [UInt8]) { self.init(guid: Self.guid(of: bytes), bytes: bytes) }

  /// The most bytes of a packet in one segment: its length less the signature, name, total and position.
  private static let chunkBytes = 65_400

  /// The name of a packet: the MD5 of its bytes.
  ///
  /// - Source: XMP specification part 3, section 1.1.3.1.
  package static func guid(of packet: [UInt8]) -> String { MD5Digest.hexadecimal(of: packet) }

  /// The APP1 segments of a packet, markers included.
  ///
  /// - Precondition: `guid` has 32 characters of ASCII.
  package static func segments(of packet: [UInt8], guid: String) -> [UInt8] {
    precondition(guid.utf8.count == 32, "a name of \(guid.utf8.count) characters")
    var bytes: [UInt8] = []
    for offset in stride(from: 0, to: packet.count, by: chunkBytes) {
      let chunk = packet[offset..<min(offset + chunkBytes, packet.count)]
      bytes += JPEGSegments.segment(
        0xE1,
        Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(guid.utf8)
          + bigEndian(UInt32(clamping: packet.count)) + bigEndian(UInt32(clamping: offset)) + chunk)
    }
    return bytes
  }
}
