import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// Writes a point cloud as binary PCD 0.7, the format of the Point Cloud Library.
///
/// Fields `x y z` as floats; with color `rgb`, four bytes that the library reads as a float: blue,
/// green, red and 0; with uncertainty `sigma`. Comments state unit, frame and origin; see
/// `Documentation/formats/pcd.md`.
/// - Source: Point Cloud Library, *The PCD (Point Cloud Data) file format*, version 0.7.
struct PCDWriter: Sendable {
  let cloud: PointCloud
  let comments: [String]

  /// The header with its last line feed, in ASCII.
  var header: [UInt8] {
    var fields = ["x", "y", "z"]
    if cloud.colors != nil { fields.append("rgb") }
    if cloud.sigmaMeters != nil { fields.append("sigma") }
    func each(_ word: String) -> String { fields.map { _ in word }.joined(separator: " ") }
    let lines =
      ["# .PCD v0.7 - Point Cloud Data file format"] + comments.map { "# \($0)" } + [
        "VERSION 0.7", "FIELDS \(fields.joined(separator: " "))", "SIZE \(each("4"))",
        "TYPE \(each("F"))", "COUNT \(each("1"))", "WIDTH \(cloud.count)", "HEIGHT 1",
        "VIEWPOINT 0 0 0 1 0 0 0", "POINTS \(cloud.count)", "DATA binary",
      ]
    return lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }

  /// The size of one point in bytes.
  var stride: Int {
    12 + (cloud.colors == nil ? 0 : 4) + (cloud.sigmaMeters == nil ? 0 : 4)
  }

  /// The bytes of points one after another.
  func records(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count * stride) { buffer, count in
      let output = UnsafeMutableRawBufferPointer(buffer)
      for (record, index) in range.enumerated() {
        var offset = record * stride
        let point = cloud.positions[index]
        for value in [point.x, point.y, point.z] {
          output.store(value, at: offset)
          offset += 4
        }
        if let color = cloud.colors?[index] {
          for code in [color.blue, color.green, color.red, 0] {
            output[offset] = code
            offset += 1
          }
        }
        if let sigma = cloud.sigmaMeters?[index] { output.store(sigma, at: offset) }
      }
      count = range.count * stride
    }
  }
}
