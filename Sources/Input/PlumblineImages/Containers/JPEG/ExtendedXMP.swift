import PlumblineIO

/// An XMP packet that was split into several segments because it exceeds 64 kB.
///
/// Source: XMP specification part 3, §1.1.3.1: each chunk contains the GUID of its packet, the
/// length of the packet and the position of the chunk in it.
public struct ExtendedXMP: Sendable, Hashable {
  /// The 32 characters in `xmpNote:HasExtendedXMP` of the main packet.
  package let guid: String
  /// The whole packet.
  package let bytes: [UInt8]

  private struct Chunk {
    let total: Int
    let offset: Int
    let bytes: ArraySlice<UInt8>
  }

  /// Assembles the packets of an image; a packet that cannot be assembled is skipped and noted.
  ///
  /// No memory is reserved for a declared length: bytes are appended as they are found. A packet is
  /// rejected if its chunks overlap, leave a gap, disagree on the length or declare more bytes than
  /// are present. Cost: O(*n* log *n*) in chunks, O(*n*) in bytes.
  static func assembled(
    from segments: [ArraySlice<UInt8>], limits: ReadingLimits, notes: inout [ContainerNote]
  ) -> [ExtendedXMP] {
    var order: [String] = []
    var chunks: [String: [Chunk]] = [:]
    for segment in segments {
      do {
        var reader = ByteReader(segment, path: ["extended XMP"])
        let guid = printable(try reader.readBytes(32, as: "the GUID"))
        let total = Int(try reader.readUInt32("the packet's length"))
        let offset = Int(try reader.readUInt32("the chunk's offset"))
        if chunks[guid] == nil { order.append(guid) }
        chunks[guid, default: []].append(
          Chunk(total: total, offset: offset, bytes: segment[reader.offset...]))
      } catch {
        notes.append(
          ContainerNote(.extendedXMPRejected, "\(error)", offset: segment.startIndex))
      }
    }
    var packets: [ExtendedXMP] = []
    for guid in order {
      do {
        let bytes = try joined(chunks[guid, default: []], limits: limits)
        packets.append(ExtendedXMP(guid: guid, bytes: bytes))
      } catch {
        notes.append(ContainerNote(.extendedXMPRejected, "\(error)", offset: error.offset))
      }
    }
    return packets
  }

  private static func joined(
    _ chunks: [Chunk], limits: ReadingLimits
  ) throws(CaptureReadingError) -> [UInt8] {
    var packet: [UInt8] = []
    let total = chunks.first?.total ?? 0
    let path = ["extended XMP"]
    try limits.require(total, atMost: limits.metadataBytes, "bytes of extended XMP", path: path)
    for chunk in chunks.sorted(by: { $0.offset < $1.offset }) {
      let place = chunk.bytes.startIndex
      guard chunk.total == total else {
        throw CaptureReadingError(
          .malformed, path: path, offset: place, expected: "a packet of \(total) bytes as before",
          found: "\(chunk.total)")
      }
      guard chunk.offset == packet.count, chunk.bytes.count <= total - packet.count else {
        throw CaptureReadingError(
          .malformed, path: path, offset: place,
          expected: "a chunk at \(packet.count) of \(total), neither gap nor overlap",
          found: "\(chunk.bytes.count) bytes at \(chunk.offset)")
      }
      packet += chunk.bytes
    }
    guard packet.count == total else {
      throw CaptureReadingError(
        .malformed, path: path, offset: chunks.first?.bytes.startIndex,
        expected: "\(total) bytes", found: "\(packet.count)")
    }
    return packet
  }
}

extension ExtendedXMP {
  /// A packet with the GUID that its bytes define; the main packet must contain the same GUID.
  package init(bytes: [UInt8]) { self.init(guid: Self.guid(of: bytes), bytes: bytes) }

  /// The maximum number of packet bytes in one segment, after signature, GUID, total and position.
  private static let chunkBytes = 65_400

  /// The GUID of a packet: the MD5 of its bytes.
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
