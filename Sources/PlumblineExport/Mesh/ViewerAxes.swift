import PlumblineModel

/// The axes of viewers: `x` right, `y` up, `z` towards the viewer; glTF's, and USD's with `upAxis` Y.
///
/// `viewerFromCamera` is half a turn around `x`: handedness stays, and so do triangles. The camera is
/// at the origin and looks along −z, as glTF's and USD's own cameras do.
/// - Source: Khronos Group, *glTF 2.0 Specification*, 3.4 and 3.10.
enum ViewerAxes {
  /// The statement about the axes in file headers.
  static let statement = "viewer: x right, y up, z toward the viewer; the camera is at the origin"

  /// A point or direction of the camera's frame in these axes; exact.
  static func viewer(_ point: PackedPoint) -> PackedPoint {
    // From 0, since −0 would be written as another number.
    PackedPoint(x: point.x, y: 0 - point.y, z: 0 - point.z)
  }

  /// The least and the maximum coordinates of points.
  static func bounds(_ points: [PackedPoint]) -> (low: PackedPoint, high: PackedPoint) {
    guard var low = points.first else {
      let zero = PackedPoint(x: 0, y: 0, z: 0)
      return (zero, zero)
    }
    var high = low
    for point in points {
      low = PackedPoint(x: min(low.x, point.x), y: min(low.y, point.y), z: min(low.z, point.z))
      high = PackedPoint(x: max(high.x, point.x), y: max(high.y, point.y), z: max(high.z, point.z))
    }
    return (low, high)
  }
}
