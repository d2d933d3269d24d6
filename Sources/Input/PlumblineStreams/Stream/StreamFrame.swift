package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// One capture as a binary message of a live stream: `plumbline.stream/1`.
///
/// All data in `Documentation/formats/stream.md` are preserved: maps bit by bit, color as its
/// original bytes. A sender's provenance, findings, gain maps and uncertainties are not sent.
///
/// ```swift
/// let message = StreamFrame(sequence: 17, capture: capture).encoded()
/// let frame = try StreamFrame(message)
/// ```
package struct StreamFrame: Sendable {
  /// The version of the messages that this type reads and writes.
  package static let schema = "plumbline.stream/1"
  /// The media type of such a message for HTTP.
  package static let mediaType = "application/vnd.plumbline.frame"

  /// The number of the frame in its session, from 0; a missing number is a lost frame.
  package var sequence: Int
  /// The name in findings and outputs; `nil` to use the sequence number.
  package var name: String?
  /// The capture; a color file is stored as its bytes and not decoded.
  package var capture: Capture
  /// The server's results for the frame, as an object; `nil` if there are none.
  package var scene: JSONValue?
  /// The original values of the file, if the depths in ``capture`` were computed from them and it
  /// has no codes.
  ///
  /// They are written for display beside the depth, have its size, and are ignored by readers.
  package var storedValues: Raster<Float>?

  /// Creates a frame.
  ///
  /// - Precondition: `sequence` is 0 or more.
  package init(
    sequence: Int, name: String? = nil, capture: Capture, scene: JSONValue? = nil
  ) {
    precondition(sequence >= 0, "frame \(sequence) of a stream")
    self.sequence = sequence
    self.name = name
    self.capture = capture
    self.scene = scene
  }

  /// Reads a whole message; O(*n*).
  ///
  /// Sizes, sums and names are checked before memory is allocated for any part. Depth that is not
  /// finite and above 0 becomes missing, as in every reader.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - limits: `auxiliaryPixels` limits a map, `colorPixels` the color, `decodedBytes` all parts
  ///     together.
  /// - Throws: ``CaptureReadingError`` that names the part or the member of the header.
  package init(
    _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try self.init(StreamFrameHeader(bytes, limits: limits), bytes, limits: limits)
  }

  /// Reads the parts of a message whose header was already read; O(*n*).
  ///
  /// - Parameters:
  ///   - header: The header of the same message.
  ///   - bytes: The message.
  ///   - limits: As for ``init(_:limits:)``.
  /// - Throws: ``CaptureReadingError`` that names the part or the member of the header.
  package init(
    _ header: StreamFrameHeader, _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    self.init(sequence: header.sequence, name: header.name, capture: Capture(source: .init()))
    capture = try StreamFrameReader(header: header, bytes: bytes, limits: limits).capture()
    scene = header.scene
  }

  /// Encodes the message; O(*n*).
  ///
  /// Non-finite numbers in the header and images without pixels are omitted, as are rasters of the
  /// depth map that differ from it in size.
  package func encoded(_ options: StreamEncodingOptions = StreamEncodingOptions()) -> [UInt8] {
    StreamFrameWriter(self, options).message
  }
}

/// The options for a frame's message.
package struct StreamEncodingOptions: Hashable, Sendable {
  /// The encoding of maps; color keeps its own encoding.
  package var maps: StreamMapEncoding
  /// Whether color is sent.
  package var includesColor: Bool

  /// Creates options.
  package init(maps: StreamMapEncoding = .rice, includesColor: Bool = true) {
    self.maps = maps
    self.includesColor = includesColor
  }
}

/// The lossless encoding of a map's numbers in a message.
package enum StreamMapEncoding: String, Hashable, Sendable, CaseIterable {
  /// The plain numbers.
  case raw
  /// The differences from a prediction in Rice codes; 2 to 3 ms for 640 × 480.
  ///
  /// - Source: `Documentation/decisions/0020-depth-compression.md`.
  case rice
}

extension StreamFrame {
  /// The same message with another sequence number; its images are not changed.
  ///
  /// A client uses it to send frames again to a server that lost the session and counts from 0.
  ///
  /// - Parameters:
  ///   - message: A frame from ``encoded(_:)``.
  ///   - sequence: The new number.
  /// - Returns: The message; O(*n*).
  /// - Precondition: `sequence` is 0 or more.
  /// - Throws: ``CaptureReadingError`` as ``StreamFrameHeader`` does, for bytes that are not a
  ///   message.
  package static func renumbered(
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

  /// The magic bytes, the size of the header, the header and the images after it.
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
