package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// An uncompressed image, `sensor_msgs/msg/Image`.
package struct ImageMessage: ROSMessage {
  package static let name = "sensor_msgs/msg/Image"
  package static let definition = ROSDefinition.text(
    """
    std_msgs/Header header
    uint32 height
    uint32 width
    string encoding
    uint8 is_bigendian
    uint32 step
    uint8[] data
    """, with: ROSDefinition.header)

  package var header: ROSHeader
  package var height: Int
  package var width: Int
  /// The pixel type, such as `32FC1`; see ``ImageMessage/Encoding``.
  package var encoding: String
  package var isBigEndian: Bool
  /// The row stride in bytes.
  package var step: Int
  package var data: ArraySlice<UInt8>
  /// The meters of one depth code, which RealSense's SDK appends in a format version of its own; 0
  /// for images of color, `nil` for all other images.
  ///
  /// - Source: librealsense, `third-party/realsense-file/…/sensor_msgs/Image.h` and `ros_writer.cpp`:
  ///   a 32-bit float behind the pixels where the header's frame is `1`, used for the version.
  package private(set) var depthUnits: Float?

  package init(
    header: ROSHeader, height: Int, width: Int, encoding: Encoding, data: ArraySlice<UInt8>
  ) {
    self.header = header
    self.height = height
    self.width = width
    self.encoding = encoding.rawValue
    isBigEndian = false
    step = width * encoding.bytesPerPixel
    self.data = data
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    height = Int(try reader.readUInt32("the height"))
    width = Int(try reader.readUInt32("the width"))
    encoding = try reader.readString("the encoding")
    isBigEndian = try reader.readBool("is_bigendian")
    step = Int(try reader.readUInt32("the step"))
    data = try reader.readBytes("the pixels")
    if reader.serialization == .ros1, header.frame == "1", reader.remaining == 4 {
      depthUnits = Float(bitPattern: try reader.readUInt32("the depth units"))
    }
  }

  package var byteCountEstimate: Int { data.count + 256 }

  package func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(UInt32(height))
    writer.write(UInt32(width))
    writer.write(encoding)
    writer.write(isBigEndian)
    writer.write(UInt32(step))
    writer.write(data)
  }

  /// The supported pixel types.
  ///
  /// - Source: `sensor_msgs/image_encodings.hpp` of ROS 2; REP 118 for the units of depth (`32FC1`
  ///   in meters, `16UC1` in millimeters).
  package enum Encoding: String {
    case float32 = "32FC1"
    case uint16 = "16UC1"
    case mono8
    case mono16
    case rgb8
    case bgr8
    case rgba8
    case bgra8
    case uint8 = "8UC1"
    case uint8x3 = "8UC3"

    package var bytesPerPixel: Int {
      switch self {
      case .mono8, .uint8: 1
      case .uint16, .mono16: 2
      case .rgb8, .bgr8, .uint8x3: 3
      case .float32, .rgba8, .bgra8: 4
      }
    }

    /// Whether it contains depth; for 16-bit gray the topic decides.
    package func isDepth(topic: String) -> Bool {
      switch self {
      case .float32, .uint16: true
      case .mono16: topic.lowercased().contains("depth")
      default: false
      }
    }

    /// Whether it is a pixel type of color cameras.
    var isColor: Bool {
      switch self {
      case .float32, .uint16, .mono16: false
      default: true
      }
    }
  }
}

extension ImageMessage {
  /// Creates an image of single-precision numbers.
  package init(header: ROSHeader, _ raster: Raster<Float>) {
    self.init(header: header, raster, .float32)
  }

  /// Creates a color image.
  package init(header: ROSHeader, _ raster: Raster<RGB8>) {
    self.init(header: header, raster, .rgb8)
  }

  /// - Precondition: A sample has the byte size of the encoding; the host is little-endian, like
  ///   every supported system.
  private init<Sample>(header: ROSHeader, _ raster: Raster<Sample>, _ encoding: Encoding) {
    precondition(MemoryLayout<Sample>.stride == encoding.bytesPerPixel)
    self.init(
      header: header, height: raster.height, width: raster.width, encoding: encoding,
      data: raster.packed.samples.withUnsafeBytes { Array($0) }[...])
  }

  /// The pixel type of the image.
  ///
  /// - Throws: `.unsupported` for an unsupported type.
  package func knownEncoding(topic: String) throws(CaptureReadingError) -> Encoding {
    guard let known = Encoding(rawValue: encoding) else {
      throw CaptureReadingError(
        .unsupported, path: [printable(text: topic), "encoding"],
        expected: "32FC1, 16UC1, mono8, mono16, rgb8, bgr8, rgba8 or bgra8",
        found: printable(text: encoding.prefix(32)))
    }
    return known
  }

  /// The size, after checking that all pixels are present.
  ///
  /// - Throws: `.malformed` if rows overlap or the data end before the last pixel;
  ///   `.limitExceeded`.
  func checkedSize(
    _ encoding: Encoding, atMost limit: Int, topic: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> RasterSize {
    let path = [printable(text: topic)]
    _ = try limits.pixelCount(width: width, height: height, atMost: limit, path: path)
    let row = width * encoding.bytesPerPixel
    // A step has 32 bits and a height is at most the pixel limit, so nothing overflows.
    guard step >= row, data.count >= step * (height - 1) + row else {
      throw CaptureReadingError(
        .malformed, path: path,
        expected: "\(height) rows of \(row) bytes or more",
        found:
          "a step of \(step) and \(data.count) bytes")
    }
    return RasterSize(width: width, height: height)
  }

  /// The bytes of all pixels, row after row without padding; O(*n*), or O(1) without padding.
  private func packedBytes(_ encoding: Encoding) -> ArraySlice<UInt8> {
    let row = width * encoding.bytesPerPixel
    guard step > row else { return data.prefix(row * height) }
    var packed: [UInt8] = []
    packed.reserveCapacity(row * height)
    for y in 0..<height {
      let start = data.startIndex + y * step
      packed += data[start..<start + row]
    }
    return packed[...]
  }

  /// The values in single precision; the encoding must be `32FC1`.
  package func floats(
    topic: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Raster<Float> {
    let size = try checkedSize(
      .float32, atMost: limits.auxiliaryPixels, topic: topic, limits: limits)
    return Raster(
      size: size,
      samples: CDRReader.floats(packedBytes(.float32), isLittleEndian: !isBigEndian))
  }

  /// The unsigned 16-bit values; the encoding must be `16UC1` or `mono16`.
  package func codes(
    topic: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Raster<UInt16> {
    let size = try checkedSize(
      .uint16, atMost: limits.auxiliaryPixels, topic: topic, limits: limits)
    return Raster(
      size: size,
      samples: CDRReader.uint16s(packedBytes(.uint16), isLittleEndian: !isBigEndian))
  }

  /// The color; gray becomes equal channels, 16 bits are reduced to the upper eight, alpha is
  /// dropped.
  package func color(
    topic: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Raster<RGB8> {
    let known = try knownEncoding(topic: topic)
    let size = try checkedSize(known, atMost: limits.colorPixels, topic: topic, limits: limits)
    let bytes = packedBytes(known)
    let start = bytes.startIndex
    let step = known.bytesPerPixel
    // The indices of red, green and blue in a pixel.
    let (red, green, blue): (Int, Int, Int)
    switch known {
    case .rgb8, .rgba8: (red, green, blue) = (0, 1, 2)
    // OpenCV's images have blue first; `8UC3` is their type without a stated meaning.
    case .bgr8, .bgra8, .uint8x3: (red, green, blue) = (2, 1, 0)
    case .mono8, .uint8: (red, green, blue) = (0, 0, 0)
    case .mono16, .uint16:
      let upper = isBigEndian ? 0 : 1
      (red, green, blue) = (upper, upper, upper)
    case .float32:
      throw CaptureReadingError(
        .unsupported, path: [printable(text: topic)], expected: "a color image",
        found: "an image of 32FC1")
    }
    return Raster(size: size) { x, y in
      let index = start &+ (y &* size.width &+ x) &* step
      return RGB8(
        red: bytes[index &+ red], green: bytes[index &+ green], blue: bytes[index &+ blue])
    }
  }
}
