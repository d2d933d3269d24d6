package import PlumblineModel

/// The errors that all points of a capture share: one standard deviation of each, all independent.
///
/// Three are the camera's (focal length, principal point in columns and in rows), three are those of
/// depth (a part of `z`, a constant, a part of `z²`). Each moves every point at once by a displacement
/// that is known up to one factor, so that lengths between near points hardly change by it, and a
/// factor on depth changes no angle.
package struct SharedErrors: Hashable, Sendable {
  /// The number of errors; those below ``calibrationCount`` are the camera's.
  static let count = 6
  /// The number of errors that are the camera's.
  static let calibrationCount = 3

  /// The focal length's, as a share of it; `nil` when unknown.
  package var focalShare: Double?
  /// The principal point's in focal lengths, so in units of the ray; 0 where nothing is known of it.
  package var principalPointShare: SIMD2<Double>
  /// The depth's, in meters by depth; its three parts are independent errors.
  package var depth: SigmaCurve
  /// Whether ``depth`` is known; `false` for points of a file that does not say what they share.
  package var isDepthKnown = true

  /// Errors of which nothing is known.
  package static let unknown = {
    var errors = SharedErrors(focalShare: nil, depth: SigmaCurve())
    errors.isDepthKnown = false
    return errors
  }()

  /// One error, by which all lengths are wrong by a share, as of points that several cameras saw.
  ///
  /// - Parameter share: One standard deviation, without unit.
  /// - Returns: That error as one of scale, and none of the camera.
  package static func lengths(share: Double) -> SharedErrors {
    SharedErrors(focalShare: 0, depth: SigmaCurve(perMeter: share))
  }

  /// Creates the errors from their parts; all at least 0.
  package init(
    focalShare: Double?, principalPointShare: SIMD2<Double> = .zero, depth: SigmaCurve
  ) {
    self.focalShare = focalShare
    self.principalPointShare = principalPointShare
    self.depth = depth
  }

  /// How one error moves a point when it is one standard deviation.
  ///
  /// A focal length that is too long by φ puts a point of depth `z` too near to the axis by φ of its
  /// distance from it; a principal point that is off by `c` focal lengths moves it by `c·z` the other
  /// way; an error of depth moves it along its ray.
  ///
  /// - Parameters:
  ///   - index: Which error, below ``count``.
  ///   - point: In the camera frame, meters; `z` above 0. In any frame, where lengths alone are wrong by
  ///     a share.
  /// - Returns: Meters. O(1).
  /// - Source: the derivatives of `x = (u − cx)·z/f`, `Documentation/conventions.md`.
  func displacement(_ index: Int, of point: SIMD3<Double>) -> SIMD3<Double> {
    let z = point.z
    switch index {
    case 0: return SIMD3(point.x, point.y, 0) * -(focalShare ?? 0)
    case 1: return [-z * principalPointShare.x, 0, 0]
    case 2: return [0, -z * principalPointShare.y, 0]
    case 3: return point * depth.perMeter
    case 4: return depth.constantMeters == 0 ? .zero : point * (depth.constantMeters / z)
    default: return point * (depth.perMeterSquared * z)
    }
  }
}
