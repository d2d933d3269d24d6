/// An upright box in an image.
public struct FaceBox: Sendable, Hashable {
  /// Its center, in pixels of the image; (0, 0) is the center of the first one.
  public var center: SIMD2<Float>
  /// Its width and height in pixels.
  public var size: SIMD2<Float>

  /// Creates a box from its parts.
  public init(center: SIMD2<Float>, size: SIMD2<Float>) {
    self.center = center
    self.size = size
  }

  /// The least box around points.
  ///
  /// - Precondition: There is a point.
  public init(around points: [SIMD2<Float>]) {
    precondition(!points.isEmpty, "no box is around nothing")
    var low = points[0]
    var high = points[0]
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    self.init(center: (low + high) / 2, size: high - low)
  }

  /// The upper left corner.
  public var lowest: SIMD2<Float> { center - size / 2 }
  /// The lower right corner.
  public var highest: SIMD2<Float> { center + size / 2 }

  /// The area shared with another box over the area of both, from 0 to 1; 0 where neither has any.
  public func overlap(_ other: FaceBox) -> Float {
    let shared = pointwiseMin(highest, other.highest) - pointwiseMax(lowest, other.lowest)
    let area = max(shared.x, 0) * max(shared.y, 0)
    let union = size.x * size.y + other.size.x * other.size.y - area
    return union > 0 ? area / union : 0
  }
}
