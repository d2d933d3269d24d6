package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// An image file in a message, `sensor_msgs/msg/CompressedImage`.
package struct CompressedImageMessage: ROSMessage {
  package static let name = "sensor_msgs/msg/CompressedImage"
  package static let definition = ROSDefinition.text(
    "std_msgs/Header header\nstring format\nuint8[] data", with: ROSDefinition.header)

  package var header: ROSHeader
  /// `jpeg` or `png`, or with the pixel type before it, such as `16UC1; compressedDepth png`.
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

  /// Whether it is a depth map with the header of 12 bytes.
  ///
  /// - Source: `compressed_depth_image_transport` of ros-perception/image_transport_plugins.
  package var isCompressedDepth: Bool { format.contains("compressedDepth") }
}

extension CompressedImageMessage {
  /// Decodes a depth map of the transport `compressedDepth`: 4 bytes of a type, two numbers *A*
  /// and *B* in single precision, then a PNG file.
  ///
  /// `16UC1` holds millimeters as they are. `32FC1` holds codes *c* of the reciprocal depth,
  /// `z = A / (c − B)`, 0 not measured. The type says "inverse depth" for both, so that the pixel
  /// type before the semicolon decides.
  /// - Throws: `.unsupported` for the RVL codec and for pixel types beside these two.
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
