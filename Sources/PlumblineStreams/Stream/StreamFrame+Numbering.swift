public import PlumblineIO
extension StreamFrame {
  /// A message under another number of its session; its images are not touched.
  ///
  /// To send frames again to a server that has forgotten the session and counts from 0.
  ///
  /// - Parameters:
  ///   - message: A frame as ``encoded(_:)`` gives it.
  ///   - sequence: The other number.
  /// - Returns: The message; O(*n*).
  /// - Precondition: `sequence` is 0 or more.
  /// - Throws: ``CaptureReadingError`` as ``StreamFrameHeader`` does, for bytes that are no message.
  public static func renumbered(
    _ message: [UInt8], to sequence: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    precondition(sequence >= 0, "frame \(sequence) of a stream")
    let header = try StreamFrameHeader(message)
    let members = header.json.members.map { member in
      member.key == "sequence" ? (member.key, JSONValue.integer(sequence)) : member
    }
    let images = message[(header.parts.first?.place.lowerBound ?? message.count)...]
    return self.message(header: .object(members), images: images)
  }

  /// The mark, the size of the header, the header and the images behind it.
  package static func message(header: JSONValue, images: some Collection<UInt8>) -> [UInt8] {
    let header = JSONWriter(layout: .compact).bytes(header)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + header.count + images.count)
    bytes.append(contentsOf: "PLS1".utf8)
    bytes.appendLittleEndian(UInt32(header.count))
    bytes.append(contentsOf: header)
    bytes.append(contentsOf: images)
    return bytes
  }
}
