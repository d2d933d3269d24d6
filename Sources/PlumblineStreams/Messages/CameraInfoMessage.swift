package import PlumblineIO
import PlumblineModel

/// A camera's numbers for one image, `sensor_msgs/msg/CameraInfo`.
package struct CameraInfoMessage: ROSMessage {
  package static let name = "sensor_msgs/msg/CameraInfo"
  package static let definition = ROSDefinition.text(
    """
    std_msgs/Header header
    uint32 height
    uint32 width
    string distortion_model
    float64[] d
    float64[9] k
    float64[9] r
    float64[12] p
    uint32 binning_x
    uint32 binning_y
    sensor_msgs/RegionOfInterest roi
    """,
    with: ROSDefinition.header + [
      (
        name: "sensor_msgs/RegionOfInterest",
        fields: "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify"
      )
    ])

  package var header: ROSHeader
  package var height: Int
  package var width: Int
  /// `plumb_bob`, `rational_polynomial`, `equidistant`, or empty for one that is not said.
  var distortionModel: String
  /// The model's terms: k1, k2, p1, p2, k3 and on.
  package var d: [Double]
  /// The camera of the image, row after row.
  package var k: [Double]
  /// The turn from the camera to the rectified one, row after row.
  package var r: [Double]
  /// The projection of the rectified camera, row after row.
  package var p: [Double]
  /// How many pixels were put together, across and down; 0 is 1.
  var binning: SIMD2<UInt32> = .zero
  /// The window of the full image: x, y, height, width; all 0 for the whole.
  package var window: SIMD4<UInt32> = .zero

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    height = Int(try reader.readUInt32("the height"))
    width = Int(try reader.readUInt32("the width"))
    distortionModel = try reader.readString("the distortion model")
    d = try reader.readDoubles("D", atMost: 64)
    k = try reader.readDoubles(count: 9, "K")
    r = try reader.readDoubles(count: 9, "R")
    p = try reader.readDoubles(count: 12, "P")
    binning.x = try reader.readUInt32("the binning")
    binning.y = try reader.readUInt32("the binning")
    for index in 0..<4 { window[index] = try reader.readUInt32("the window") }
    _ = try reader.readBool("the window")
  }

  package func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(UInt32(height))
    writer.write(UInt32(width))
    writer.write(distortionModel)
    writer.write(d)
    writer.write(array: k)
    writer.write(array: r)
    writer.write(array: p)
    writer.write(binning.x)
    writer.write(binning.y)
    for index in 0..<4 { writer.write(window[index]) }
    writer.write(false)
  }
}
