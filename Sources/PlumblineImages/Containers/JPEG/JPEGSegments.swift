import PlumblineIO

/// An encoded JPEG cut in two, so that segments can be put between its start and its tables.
package struct JPEGSegments {
  /// The start marker, and the JFIF segment if there is one.
  package var start: [UInt8]
  /// Everything after, to the end marker.
  package var rest: [UInt8]

  /// Cuts a JPEG that begins with a start marker.
  package init(_ bytes: [UInt8]) {
    var cut = 2
    if bytes.count > 6, bytes[2] == 0xFF, bytes[3] == 0xE0 {
      cut = 4 + Int(bytes[4]) << 8 + Int(bytes[5])
    }
    start = Array(bytes[..<cut])
    rest = Array(bytes[cut...])
  }

  /// The most bytes that the payload of one segment can have: its length counts itself.
  package static let maximumPayload = 65_533

  /// One segment: marker, length, payload.
  ///
  /// - Precondition: The payload fits the 16-bit length.
  package static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= maximumPayload, "a segment cannot hold \(payload.count) bytes")
    return [0xFF, marker] + bigEndian(UInt16(payload.count + 2)) + payload
  }
}
