/// A distance that the user measured: the depth of one pixel's surface.
public struct KnownDistance: Hashable, Sendable {
  /// The column, in pixels of the depth map as stored.
  public var x: Int
  /// The row, in pixels of the depth map as stored.
  public var y: Int
  /// The distance from the camera's plane along the optical axis, in meters.
  public var meters: Double

  /// Creates a distance.
  ///
  /// - Precondition: The distance is finite and above 0.
  public init(x: Int, y: Int, meters: Double) {
    precondition(meters > 0 && meters.isFinite, "\(meters) m is no distance")
    self.x = x
    self.y = y
    self.meters = meters
  }
}

/// An error when distances cannot make a map metric.
package enum DistanceFitError: Error, Sendable, Hashable {
  /// The pixel lies outside the map.
  case outside(KnownDistance, width: Int, height: Int)
  /// Nothing was measured in the 5×5 pixels around.
  case notMeasured(KnownDistance)
  /// The two surfaces are as near as the map can tell, so no line goes through them.
  case tooSimilar(KnownDistance, KnownDistance)
  /// The farther surface has the larger disparity: a pixel or a distance is wrong.
  case reversed(KnownDistance, KnownDistance)
  /// There were none or more than two.
  case count(Int)
}

extension DistanceFitError: CustomStringConvertible {
  /// One sentence that says what to change.
  package var description: String {
    switch self {
    case .outside(let known, let width, let height):
      "pixel \(known.x),\(known.y) lies outside the depth map of \(width)×\(height) as stored"
    case .notMeasured(let known):
      "nothing was measured around pixel \(known.x),\(known.y) of the map as stored; choose another "
        + "one"
    case .tooSimilar(let first, let second):
      "the surfaces at \(first.x),\(first.y) and \(second.x),\(second.y) of the map as stored differ by "
        + "less than 2 % in disparity; choose one near and one far surface"
    case .reversed(let first, let second):
      "the distances at \(first.x),\(first.y) and \(second.x),\(second.y) of the map as stored are in the "
        + "opposite order of what it shows; check both"
    case .count(let count): "one or two distances are needed, not \(count)"
    }
  }
}
