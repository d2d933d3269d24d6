package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// An encoded image in a message, `sensor_msgs/msg/CompressedImage`.
package struct CompressedImageMessage: ROSMessage {
  package static let name = "sensor_msgs/msg/CompressedImage"
  package static let definition = ROSDefinition.text(
    "std_msgs/Header header\nstring format\nuint8[] data", with: ROSDefinition.header)

  package var header: ROSHeader
  /// `jpeg` or `png`, possibly after a pixel type, such as `16UC1; compressedDepth png`.
  package var format: String
  package var data: ArraySlice<UInt8>

  package init(header: ROSHeader, format: String, data: [UInt8]) {
    self.header = header
    self.format = format
    self.data = data[...]
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    format = try reader.readString("the format")
    data = try reader.readBytes("the image file")
  }

  package var byteCountEstimate: Int { data.count + 256 }

  package func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(format)
    writer.write(data)
  }

  /// Whether it is a depth map with the 12-byte header of `compressedDepth`.
  ///
  /// - Source: `compressed_depth_image_transport` of ros-perception/image_transport_plugins.
  package var isCompressedDepth: Bool { format.contains("compressedDepth") }
}

extension CompressedImageMessage {
  /// Decodes a depth map of the transport `compressedDepth`: 4 bytes for a type, two
  /// single-precision numbers *A* and *B*, then a PNG file.
  ///
  /// `16UC1` contains millimeters. `32FC1` contains codes *c* of the reciprocal depth,
  /// `z = A / (c − B)`, where 0 is not measured. The type is "inverse depth" for both, so the pixel
  /// type before the semicolon decides.
  /// - Throws: `.unsupported` for the RVL codec and for other pixel types.
  /// - Source: `codec.cpp` and `compression_common.h` of `compressed_depth_image_transport`, and
  ///   ros-perception/image_transport_plugins#44 for the type.
  package func depth(
    topic: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> (map: DepthMap, codes: Raster<UInt16>, isInverse: Bool) {
    let path = [printable(text: topic)]
    var reader = ByteReader(data, endianness: .little, path: path)
    try reader.skip(4, as: "the type of compression")
    let a = Float(bitPattern: try reader.readUInt32("the scale of codes"))
    let b = Float(bitPattern: try reader.readUInt32("the offset of codes"))
    let file = try reader.readBytes(reader.remaining)
    guard PNGImage.recognizes(file) else {
      throw CaptureReadingError(
        .unsupported, path: path, offset: file.startIndex,
        expected: "a PNG file behind 12 bytes (\(printable(text: format.prefix(40))))",
        found: printable(file.prefix(8)))
    }
    guard case .gray(.uint16(let codes, _)) = try PNGImage(file, limits: limits) else {
      throw CaptureReadingError(
        .unsupported, path: path, expected: "gray of 16 bits", found: "another PNG image")
    }
    let pixelType = format.prefix { $0 != ";" }
    switch pixelType {
    case "16UC1", "mono16":
      return (DepthMap(millimeters: codes), codes, false)
    case "32FC1":
      guard a.isFinite, b.isFinite else {
        throw reader.malformed(
          expected: "two finite numbers before the PNG file", found: "\(a), \(b)")
      }
      let meters = codes.map { $0 == 0 ? DepthMap.missing : a / (Float($0) - b) }
      return (DepthMap(meters: meters), codes, true)
    default:
      throw CaptureReadingError(
        .unsupported, path: path, expected: "depth of 16UC1 or 32FC1",
        found: printable(text: format.prefix(40)))
    }
  }
}

/// The color image of a message: its size and, if requested, its pixels or its file.
package struct MessageColor {
  package private(set) var size: RasterSize?
  package private(set) var pixels: Raster<RGB8>?
  package private(set) var file: EncodedImage?
  package private(set) var findings: [Finding] = []

  /// Decodes the color of a message; a damaged image is ignored and becomes a finding.
  ///
  /// - Throws: Only `.limitExceeded`.
  package init(
    _ message: ROSPayload, isCompressed: Bool, topic: String,
    request: CaptureReader.ColorRequest, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    do throws(CaptureReadingError) {
      if isCompressed {
        try decode(CompressedImageMessage(message, topic: topic), request, limits)
      } else {
        let image = try ImageMessage(message, topic: topic)
        guard request != .none else {
          size = RasterSize(width: image.width, height: image.height)
          return
        }
        set(try image.color(topic: topic, limits: limits), request)
      }
    } catch {
      if error.reason == .limitExceeded { throw error }
      findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: printable(text: topic)))
    }
  }

  private mutating func decode(
    _ message: CompressedImageMessage, _ request: CaptureReader.ColorRequest,
    _ limits: ReadingLimits
  ) throws(CaptureReadingError) {
    if PNGImage.recognizes(message.data) {
      if request == .none || request.takes(.png) {
        // The reader of headers rejects shorter headers.
        let header = message.data.dropFirst(16).prefix(13)
        size = try PNGHeader(header, maximumPixels: limits.colorPixels, limits: limits).size
        if request != .none { file = EncodedImage(.png, bytes: Array(message.data)) }
        return
      }
      let image = try PNGImage(message.data, maximumPixels: limits.colorPixels, limits: limits)
      set(image.colorRaster, request)
    } else if JPEGFile.recognizes(message.data) {
      let bytes = Array(message.data)
      let isStored = request.takes(.jpeg)
      let photo = try CaptureReader(limits: limits, color: isStored ? .none : request, threads: 1)
        .capture(from: bytes)
      if isStored { file = EncodedImage(.jpeg, bytes: bytes) }
      size = photo.colorSize
      pixels = photo.color
      findings += photo.findings
    } else {
      throw CaptureReadingError(
        .unsupported, expected: "a JPEG or PNG file",
        found: "\(printable(text: message.format.prefix(40))): \(printable(message.data.prefix(8)))"
      )
    }
  }

  private mutating func set(_ color: Raster<RGB8>, _ request: CaptureReader.ColorRequest) {
    size = color.size
    pixels = request.reduced(color)
  }
}
