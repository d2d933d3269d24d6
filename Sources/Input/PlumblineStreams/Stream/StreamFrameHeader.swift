public import PlumblineIO
public import PlumblineImages
public import PlumblineModel

/// The header of a frame's message, which describes the contents without reading any image.
///
/// Its cost is that of its JSON, for any size of the images: it is sufficient for ordering frames,
/// counting lost frames and forwarding them.
public struct StreamFrameHeader: Sendable {
  /// The maximum size of a header in bytes.
  package static let maximumBytes = 1 << 20

  /// The upper bound of ``sequence`` (exclusive): JSON numbers are exact up to it in every
  /// implementation, and the next number and the sum of all lost frames fit an `Int`.
  ///
  /// - Source: RFC 8259, 6.
  package static let sequenceLimit = 1 << 53

  /// One image of the message.
  public struct Part: Hashable, Sendable {
    /// The name of the image, such as `depth` or `matte:hair`.
    public var name: String
    /// The encoding, such as `raw` or `jpeg`.
    public var encoding: String
    /// The type of its numbers, such as `float16`; `nil` for a color file.
    public var samples: String?
    /// The number of columns and rows.
    public var size: RasterSize
    /// The byte range in the message.
    public var place: Range<Int>
  }

  /// The number of the frame in its session, from 0 and below 2⁵³.
  public let sequence: Int
  /// The name in outputs; `nil` to use the sequence number.
  public let name: String?
  /// The time of the exposure on the sender's clock, in seconds from an unknown origin; `nil` when
  /// not given.
  public let timestampSeconds: Double?
  /// The images in the order of the message.
  public let parts: [Part]
  /// The server's results for the frame, as an object; `nil` if there are none.
  public var scene: JSONValue? { json["scene"].flatMap { $0.isNull ? nil : $0 } }

  /// The whole header as JSON.
  package let json: JSONValue
  package let fields: JSONFields

  /// Reads the header of a message and checks that the parts fill the message exactly.
  ///
  /// - Throws: `.malformed`, `.missing`, `.unsupported` and `.limitExceeded`, with the member's
  ///   name.
  public init(
    _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of a message")
    var reader = ByteReader(bytes[...], endianness: .little)
    guard try reader.readBytes(4, as: "the mark PLS1").elementsEqual("PLS1".utf8) else {
      throw CaptureReadingError(
        .malformed, offset: 0, expected: "the mark PLS1", found: printable(bytes.prefix(4)))
    }
    let length = Int(try reader.readUInt32("the size of the header"))
    try limits.require(length, atMost: Self.maximumBytes, "bytes of a header", offset: 4)
    let text = try reader.readBytes(length, as: "the header")
    do throws(JSONReadingError) {
      json = try JSONValue(parsing: text, limits: Self.jsonLimits(limits))
      fields = try JSONFields(json)
      guard try fields.text("type") == "frame" else {
        throw fields.failure(at: "type", expected: "“frame”")
      }
      sequence = try fields.required("sequence", fields.integer)
      guard (0..<Self.sequenceLimit).contains(sequence) else {
        throw fields.failure(at: "sequence", expected: "0 … 2⁵³ − 1", found: "\(sequence)")
      }
      name = try fields.text("name").map { printable(text: $0) }
      timestampSeconds = try fields.number("timestampSeconds")
      if json["scene"] != nil { _ = try fields.fields("scene") }
      parts = try Self.parts(fields, from: reader.offset, to: bytes.count, limits)
    } catch {
      throw CaptureReadingError(error, inside: ["header"])
    }
  }

  /// The limits for a header, which are lower than those for a JSON file.
  static func jsonLimits(_ limits: ReadingLimits) -> JSONLimits {
    var json = limits.json
    json.bytes = min(json.bytes, maximumBytes)
    json.values = min(json.values, 100_000)
    return json
  }

  private static func parts(
    _ fields: JSONFields, from start: Int, to end: Int, _ limits: ReadingLimits
  ) throws(JSONReadingError) -> [Part] {
    let listed = try fields.required("parts", fields.list)
    guard listed.count <= limits.auxiliaryImages else {
      throw JSONReadingError(
        .limitExceeded, path: ["parts"], expected: "at most \(limits.auxiliaryImages) parts",
        found: "\(listed.count)")
    }
    var parts: [Part] = []
    var names: Set<String> = []
    var place = start
    for part in listed {
      let name = try part.required("name", part.text)
      guard names.insert(name).inserted else {
        throw part.failure(
          at: "name", expected: "each name once",
          found: "“\(printable(text: name.prefix(40)))” again")
      }
      let count = try part.required("bytes", part.integer)
      guard count >= 0, count <= end - place else {
        throw part.failure(
          at: "bytes", expected: "0 to \(end - place) bytes, as many as are left",
          found: "\(count)")
      }
      let width = try part.required("width", part.integer)
      let height = try part.required("height", part.integer)
      guard width > 0, height > 0, !width.multipliedReportingOverflow(by: height).overflow else {
        throw part.failure(
          expected: "a width and a height above 0", found: "\(width) × \(height)")
      }
      parts.append(
        Part(
          name: printable(text: name), encoding: try part.required("encoding", part.text),
          samples: try part.text("samples"), size: RasterSize(width: width, height: height),
          place: place..<place + count))
      place += count
    }
    guard place == end else {
      throw fields.failure(
        at: "parts", expected: "an end at byte \(place), where the last part ends",
        found: "\(end) bytes")
    }
    return parts
  }
}

extension DepthRecord {
  /// The object `depth` of a header, which describes the values.
  func streamJSON(colorOrientation: ImageOrientation) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("kind", .string(values.parts.kind)), ("accuracy", .string(accuracy.rawValue)),
    ]
    if !hasUnit { members.append(("hasUnit", false)) }
    if let isFiltered { members.append(("filtered", .bool(isFiltered))) }
    if let isRectified { members.append(("rectified", .bool(isRectified))) }
    if let quality { members.append(("quality", .string(quality))) }
    members.append(("storedType", .string(storedType)))
    if let nativeType { members.append(("nativeType", .string(nativeType))) }
    if let part = cleanAperture {
      members.append(
        (
          "cleanAperture",
          .array([part.x, part.y, part.size.width, part.size.height].map { .integer($0) })
        ))
    }
    if orientation != colorOrientation {
      members.append(("orientation", .integer(orientation.rawValue)))
    }
    if let calibration { members.append(("calibration", calibration.streamJSON)) }
    return .object(members)
  }

  /// Applies the object `depth`, except the kind.
  ///
  /// - Throws: `.malformed` for members of another type or out of range.
  package mutating func apply(stream fields: JSONFields) throws(JSONReadingError) {
    accuracy = try fields.text("accuracy").flatMap { Accuracy(rawValue: $0) } ?? .unknown
    hasUnit = try fields.flag("hasUnit") ?? true
    isFiltered = try fields.flag("filtered")
    isRectified = try fields.flag("rectified")
    quality = try fields.text("quality").map { printable(text: $0) }
    nativeType = try fields.text("nativeType").map { printable(text: $0) }
    if let numbers = try fields.numbers("cleanAperture", count: 4...4) {
      let whole = numbers.compactMap { Int(exactly: $0) }
      guard whole.count == 4, whole.allSatisfy({ (0...1_000_000).contains($0) }), whole[2] > 0,
        whole[3] > 0
      else {
        throw fields.failure(
          at: "cleanAperture", expected: "x, y, width and height in pixels", found: "\(numbers)")
      }
      let part = PixelRectangle(x: whole[0], y: whole[1], width: whole[2], height: whole[3])
      guard part.isInside(size) else {
        throw fields.failure(
          at: "cleanAperture", expected: "a part of \(size)", found: "\(numbers)")
      }
      cleanAperture = part
    }
    if let calibration = try fields.fields("calibration") {
      self.calibration = try CameraCalibration(stream: calibration)
    }
  }
}

extension DepthRecord.Values {
  /// The values of any kind.
  package var raster: Raster<Float> { parts.raster }
}

extension ImageOrientation {
  /// Reads the member `orientation`; `nil` if it is absent.
  ///
  /// - Throws: `.malformed` for anything but 1 to 8.
  package static func stream(_ fields: JSONFields) throws(JSONReadingError) -> ImageOrientation? {
    guard let value = try fields.integer("orientation") else { return nil }
    guard let orientation = ImageOrientation(rawValue: value) else {
      throw fields.failure(at: "orientation", expected: "1 to 8", found: "\(value)")
    }
    return orientation
  }
}
