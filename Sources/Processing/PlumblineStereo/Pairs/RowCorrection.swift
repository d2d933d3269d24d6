import PlumblineModel
import PlumblineNumerics
import PlumblineVision

/// The turn, the scale and the distortion of a right camera that bring matched points onto common rows.
///
/// A turn about the vertical and a distortion that both lenses share move rows alike, but columns not: the
/// one moves all disparities, the other those at the edges. So the right principal point is moved with the
/// turn, disparities in the middle stay those that the file gives, and what both leave open is in
/// ``disparitySigmaPixels``.
package struct RowCorrection: Sendable {
  /// A number with one standard deviation.
  package struct Number: Sendable, Hashable {
    /// The number.
    package var value: Double
    /// One standard deviation of it, in its unit.
    package var sigma: Double
  }

  /// The turn about the rectified x axis, in radians; above 0 the right image lies too low.
  package let pitch: Number
  /// The turn about the optical axis, in radians; above 0 rows of the right image descend to the right.
  package let roll: Number
  /// The turn about the vertical, in radians; above 0 rows of the right image diverge to the right.
  package let yaw: Number
  /// By which share the right image is larger.
  package let scale: Number
  /// The first radial coefficient of the right lens less that of the left one; 0 where lenses are
  /// given.
  package let ownRadial: Number
  /// The number of points that agree with it.
  package let pointCount: Int
  /// The root mean square by which it moves the rows of these points, in pixels.
  package let movePixels: Double
  /// One standard deviation of pixel disparities from what the rows leave open, the root mean square over
  /// the points.
  package let disparitySigmaPixels: Double
  /// The focal length of the rectified cameras, in pixels.
  package let focalPixels: Double
  private let fit: RowFit

  /// The fewest points that are fitted.
  package static let leastPoints = 40
  /// The root mean square in pixels below which nothing is corrected.
  package static let leastPixels = 0.1

  init(_ fit: RowFit, focalPixels: Double) {
    func number(_ part: RowFit.Part) -> Number {
      let index = part.rawValue
      return Number(
        value: fit.values[index],
        sigma: max(0, fit.covariance[index, index]).squareRoot())
    }
    pitch = number(.pitch)
    roll = number(.roll)
    yaw = number(.yaw)
    scale = number(.scale)
    ownRadial = number(.ownRadial)
    pointCount = fit.agreeing.count
    movePixels = fit.move * focalPixels
    disparitySigmaPixels = fit.disparitySigma * focalPixels
    self.focalPixels = focalPixels
    self.fit = fit
  }

  /// By how many pixels points lie lower in the right image than it predicts.
  ///
  /// For points that were not fitted.
  package func misses(
    of matches: [PairMatch], _ rectification: StereoRectification
  ) -> [Double] {
    RowPoint.points(matches, rectification).map { focalPixels * fit.miss($0) }
  }

  /// Fits the rows of points, some of them wrong.
  ///
  /// - Parameters:
  ///   - matches: Points in pixels of the rectified images.
  ///   - rectification: The geometry under which they were found. Distortions are fitted only where it
  ///     gives neither camera a lens.
  /// - Returns: `nil` for fewer than ``leastPoints`` points that agree, less than half of all, or points
  ///   that do not extend over the image.
  package static func fitted(
    to matches: [PairMatch], _ rectification: StereoRectification
  ) -> RowCorrection? {
    let right = rectification.right
    let focal = right.focalLength.x
    let points = RowPoint.points(matches, rectification)
    let isFree =
      rectification.calibration.left.lens == .none && rectification.calibration.right.lens == .none
    guard let fit = RowFit.best(of: points, hasRadial: isFree, pixel: 1 / focal),
      fit.agreeing.count >= leastPoints, 2 * fit.agreeing.count >= matches.count
    else { return nil }
    let places = fit.agreeing.map { points[$0].right * focal }
    let mean = places.reduce(.zero, +) / Double(places.count)
    let squares = places.reduce(SIMD2<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) }
    let spread = squares / Double(places.count)
    guard spread.x.squareRoot() > Double(right.size.width) / 10,
      spread.y.squareRoot() > Double(right.size.height) / 10
    else { return nil }
    return RowCorrection(fit, focalPixels: focal)
  }

  /// Whether one of the numbers is more than three of its standard deviations, and rows move by more than
  /// ``leastPixels``.
  package var isNeeded: Bool {
    movePixels > Self.leastPixels
      && [pitch, roll, yaw, scale, ownRadial].contains {
        abs($0.value) > 3 * $0.sigma
      }
  }

  /// The calibration of a rectification with the right camera turned, scaled and distorted; its center
  /// stays.
  package func applied(to rectification: StereoRectification) -> StereoCalibration {
    var result = rectification.calibration
    // The rotation from the left camera to the right one is divided by the turn, since rays of the right
    // one are multiplied by it.
    let turn = Rotation(axisAngle: [pitch.value, -yaw.value, -roll.value]) ?? .identity
    let rectifiedFromRight = rectification.rectifiedFromRight
    let own = rectifiedFromRight.inverse * turn.inverse * rectifiedFromRight
    result.rightFromLeft = RigidTransform(
      rotation: own * result.rightFromLeft.rotation,
      translation: own * result.rightFromLeft.translation)
    let enlarged = 1 + scale.value
    result.right.intrinsics.focalLength *= enlarged
    let across = rectifiedFromRight.inverse * SIMD3(yaw.value, 0, 0)
    result.right.intrinsics.principalPoint -=
      SIMD2(across.x, across.y) * result.right.intrinsics.focalLength
    if ownRadial.value != 0 {
      result.right.lens = .polynomial(
        radial: [ownRadial.value * enlarged * enlarged, 0, 0], tangential: .zero)
    }
    return result
  }
}
