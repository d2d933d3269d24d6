import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// Writes a point cloud as lines of numbers: `x y z`, with color `red green blue` from 0 to 255, with
/// uncertainty `sigma`.
///
/// Numbers are the shortest decimals that give the same float again. Lines that begin with `#` state
/// columns, unit, frame and origin; see `Documentation/formats/xyz.md`.
struct XYZWriter: Sendable {
  let cloud: PointCloud
  let comments: [String]

  /// The lines of comments.
  var header: [UInt8] {
    var columns = "x y z"
    if cloud.colors != nil { columns += " red green blue" }
    if cloud.sigmaMeters != nil { columns += " sigma" }
    return (comments + ["columns \(columns)"]).flatMap { Array("# \($0)\n".utf8) }
  }

  /// The lines of points.
  func lines(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count * 48)
    let space = UInt8(ascii: " ")
    for index in range {
      let point = cloud.positions[index]
      bytes += point.x.description.utf8
      for value in [point.y, point.z] {
        bytes.append(space)
        bytes += value.description.utf8
      }
      if let color = cloud.colors?[index] {
        for code in [color.red, color.green, color.blue] {
          bytes.append(space)
          bytes += code.description.utf8
        }
      }
      if let sigma = cloud.sigmaMeters?[index] {
        bytes.append(space)
        bytes += sigma.description.utf8
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
