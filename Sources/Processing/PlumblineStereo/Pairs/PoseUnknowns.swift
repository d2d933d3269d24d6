package import PlumblineModel
import PlumblineNumerics
internal import PlumblineVision

/// What is not known of a camera whose calibration is assumed: one standard deviation each.
package struct CameraUnknowns: Sendable, Hashable {
  /// Of each coordinate of the principal point, in pixels.
  package var principalPointPixels: Double
  /// Of the focal length, relative to it.
  package var focalShare: Double
  /// Of the first radial coefficient of the lens, for radii in focal lengths; without unit.
  package var radial: Double

  /// The ± of an assumed principal point, as a share of the longer side.
  ///
  /// - Source: this project's assumption: 13 px of 640; the two cameras of OpenCV's board pairs have theirs 22
  ///   and 6 px beside the middle of 640 columns, 6 and 10 px beside that of the rows.
  package static let principalPointShare = 0.02
  /// The ± of the radial coefficient of a lens of which nothing is known.
  ///
  /// - Source: this project's assumption, between the 0.05 of ``RowFit``, whose files come from cameras that
  ///   correct their lenses, and the −0.27 of OpenCV's board cameras, which do not: lenses spread evenly from
  ///   −0.3 to 0 have 0.17.
  package static let usualRadial = 0.15

  /// By how much lenses of one kind differ, as a share of what is not known of their kind.
  ///
  /// - Source: 0.05, as ``RowFit`` has it for the right lens against the left one.
  package static let ownRadialShare = 1.0 / 3

  /// What is not known of a camera of which only a focal length is, with its ±.
  package init(size: RasterSize, focalShare: Double) {
    principalPointPixels = Self.principalPointShare * Double(max(size.width, size.height))
    self.focalShare = focalShare
    radial = Self.usualRadial
  }
}

/// How far a pose moves by what is not known of its two cameras.
///
/// The principal points are independent of each other; the focal length and the distortion of the lens count as
/// those of both cameras, which are mostly of one kind, and a smaller part of the distortion is each lens's own.
/// Each moves all rays, and by the normal equations the pose that fits them best: to first order, which makes the ± of the
/// yaw too small for lenses that bend much, see `Documentation/stereo.md`.
struct PoseUnknowns {
  let left: CameraUnknowns?
  let right: CameraUnknowns?
  /// The focal lengths, in pixels.
  let focal: (left: Double, right: Double)

  /// The variances of the rotation's three and the direction's two parameters, in square radians, as
  /// ``EpipolarModel/moved(by:)`` takes them.
  ///
  /// - Parameters:
  ///   - model: The pose.
  ///   - rays: The pairs that agree with it.
  /// - Returns: Five numbers; 0 for cameras that are known. O(*n*).
  func variances(of model: EpipolarModel, _ rays: [EpipolarModel.Rays]) -> [Double] {
    var sum = [Double](repeating: 0, count: 5)
    let causes = causes
    guard !causes.isEmpty else { return sum }
    let basis = model.tangents
    var normal = SymmetricMatrix(count: 5)
    var rights = [[Double]](repeating: sum, count: causes.count)
    for pair in rays {
      let slopes = model.row(pair, basis).slopes
      let moves = causes.map { model.distanceSlope(pair, $0(pair)) }
      for i in 0..<5 {
        for j in 0..<5 { normal[i, j] += slopes[i] * slopes[j] }
        for (cause, move) in moves.enumerated() { rights[cause][i] += slopes[i] * move }
      }
    }
    guard let factor = normal.damped(by: 1e-9).cholesky else { return sum }
    for right in rights {
      for (index, shift) in factor.solve(right).enumerated() { sum[index] += shift * shift }
    }
    return sum
  }

  /// How each unknown moves the two rays of a point by one standard deviation.
  private var causes: [(EpipolarModel.Rays) -> RayChange] {
    var causes: [(EpipolarModel.Rays) -> RayChange] = []
    if let left {
      let move = left.principalPointPixels / focal.left
      causes.append { _ in RayChange(left: [move, 0, 0]) }
      causes.append { _ in RayChange(left: [0, move, 0]) }
    }
    if let right {
      let move = right.principalPointPixels / focal.right
      causes.append { _ in RayChange(right: [move, 0, 0]) }
      causes.append { _ in RayChange(right: [0, move, 0]) }
    }
    guard left != nil || right != nil else { return [] }
    let radial = (left: left?.radial ?? 0, right: right?.radial ?? 0)
    let share = (left: left?.focalShare ?? 0, right: right?.focalShare ?? 0)
    causes.append {
      RayChange(left: $0.left.bend * radial.left, right: $0.right.bend * radial.right)
    }
    let own = CameraUnknowns.ownRadialShare
    causes.append { RayChange(left: $0.left.bend * (own * radial.left)) }
    causes.append { RayChange(right: $0.right.bend * (own * radial.right)) }
    causes.append {
      RayChange(left: $0.left.across * share.left, right: $0.right.across * share.right)
    }
    return causes
  }
}

/// How the two rays of a point change, in units of `(x, y, 1)`'s plane.
struct RayChange {
  var left: SIMD3<Double> = .zero
  var right: SIMD3<Double> = .zero
}

extension SIMD3<Double> {
  /// How the ray `(x, y, 1)` moves as it is lengthened across the axis.
  var across: SIMD3<Double> { SIMD3(x, y, 0) }
  /// How it moves with the first radial coefficient of a lens.
  var bend: SIMD3<Double> { across * (x * x + y * y) }
}
