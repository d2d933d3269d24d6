package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// One capture as a binary message of a live stream: `plumbline.stream/1`.
///
/// Everything that `Documentation/formats/stream.md` lists survives: maps bit by bit, color as the
/// bytes that it came in. A sender's provenance, findings, gain maps and uncertainties do not travel.
///
/// ```swift
/// let message = StreamFrame(sequence: 17, capture: capture).encoded()
/// let frame = try StreamFrame(message)
/// ```
package struct StreamFrame: Sendable {
  /// The version of messages that this reads and writes.
  package static let schema = "plumbline.stream/1"
  /// The media type of such a message in HTTP.
  package static let mediaType = "application/vnd.plumbline.frame"

  /// Which frame of its session this is, from 0; a number left out is a lost frame.
  package var sequence: Int
  /// The name in findings and outputs; `nil` for its sequence.
  package var name: String?
  /// The capture; color that came as a file is its bytes, not decoded.
  package var capture: Capture
  /// What a server found out about the frame, an object; `nil` where nothing was.
  package var scene: JSONValue?
  /// The file's own numbers where ``capture`` has depths that were computed from them and no codes;
  /// written to be shown beside the depth, at its size, and ignored by readers.
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
  /// Sizes, sums and names are checked before memory is taken for any part. Depth that is not finite
  /// and above 0 comes out missing, as from every reader.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - limits: `auxiliaryPixels` bounds a map, `colorPixels` the color, `decodedBytes` all together.
  /// - Throws: ``CaptureReadingError`` that names the part or the member of the header.
  package init(
    _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try self.init(StreamFrameHeader(bytes, limits: limits), bytes, limits: limits)
  }

  /// Reads the parts of a message whose header is read already; O(*n*).
  ///
  /// - Parameters:
  ///   - header: The header of the same bytes.
  ///   - bytes: The message.
  ///   - limits: As of ``init(_:limits:)``.
  /// - Throws: ``CaptureReadingError`` that names the part or the member of the header.
  package init(
    _ header: StreamFrameHeader, _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    self.init(sequence: header.sequence, name: header.name, capture: Capture(source: .init()))
    capture = try StreamFrameReader(header: header, bytes: bytes, limits: limits).capture()
    scene = header.scene
  }

  /// The message; O(*n*).
  ///
  /// Numbers of the header that are not finite and images without pixels are left out, as are rasters
  /// that belong to the depth map and have another size than it.
  package func encoded(_ options: StreamEncodingOptions = StreamEncodingOptions()) -> [UInt8] {
    StreamFrameWriter(self, options).message
  }
}

/// The options for a frame's message.
package struct StreamEncodingOptions: Hashable, Sendable {
  /// The encoding of maps; color keeps the form that it has.
  package var maps: StreamMapEncoding
  /// Whether color is sent.
  package var includesColor: Bool

  /// Creates options.
  package init(maps: StreamMapEncoding = .rice, includesColor: Bool = true) {
    self.maps = maps
    self.includesColor = includesColor
  }
}

/// How the numbers of a map are stored in a message, without loss of a bit.
package enum StreamMapEncoding: String, Hashable, Sendable, CaseIterable {
  /// One number after the other.
  case raw
  /// What differs from a prediction, in as few bits as Rice's codes need; 2 to 3 ms for 640 × 480.
  ///
  /// - Source: `Documentation/decisions/0020-depth-compression.md`.
  case rice
}

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
