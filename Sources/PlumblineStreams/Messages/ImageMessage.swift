package import PlumblineIO

/// An image without compression, `sensor_msgs/msg/Image`.
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
  /// Bytes from the start of one row to that of the next.
  package var step: Int
  package var data: ArraySlice<UInt8>

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

  /// The pixel types that are read.
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

    /// Whether it holds depth, where the topic may say so for gray of 16 bits.
    package func isDepth(topic: String) -> Bool {
      switch self {
      case .float32, .uint16: true
      case .mono16: topic.lowercased().contains("depth")
      default: false
      }
    }

    /// Whether it is what color cameras write.
    var isColor: Bool {
      switch self {
      case .float32, .uint16, .mono16: false
      default: true
      }
    }
  }
}
