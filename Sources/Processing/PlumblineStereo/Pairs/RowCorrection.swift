package import PlumblineModel
import PlumblineNumerics
import PlumblineVision

/// The small turn and scale of a right camera that bring matched points onto common rows.
///
/// Points of the right image lie lower than those of the left one by a + b·x + c·y + q·x·y/f, x and y
/// counted from the principal point: a is a pitch, b a roll, c a difference of the focal lengths and q a
/// turn about the vertical. That turn would move all disparities, of which rows say nothing: its right
/// principal point is moved with it, so that disparities in the middle stay those that the file gives.
package struct RowCorrection: Sendable {
  /// A number with one standard deviation.
  package struct Number: Sendable, Hashable {
    /// The number.
    package var value: Double
    /// One standard deviation of it, in its unit.
    package var sigma: Double
  }

  /// The turn about the rectified x axis, in radians; above 0 the right image lies too low.
  package private(set) var pitch: Number
  /// The turn about the optical axis, in radians; above 0 rows of the right image descend to the right.
  package private(set) var roll: Number
  /// The turn about the vertical, in radians; above 0 rows of the right image diverge to the right.
  package private(set) var yaw: Number
  /// By which share the right image is larger.
  package private(set) var scale: Number
  /// The number of points that agree with it.
  package private(set) var pointCount: Int
  /// The focal length of the rectified cameras, in pixels.
  package let focalPixels: Double
  private let size: RasterSize

  /// The fewest points that are fitted.
  package static let leastPoints = 40
  /// The effect in pixels below which nothing is corrected, at the middle of an edge of the image.
  package static let leastPixels = 0.15

  /// Fits the rows of points, some of them wrong.
  ///
  /// The result is `nil` for fewer than ``leastPoints`` points that agree, less than half of all, or
  /// points that do not extend over the image.
  ///
  /// - Parameters:
  ///   - matches: Points in pixels of the rectified images.
  ///   - camera: The rectified right camera.
  package init?(_ matches: [PairMatch], camera: PinholeIntrinsics) {
    focalPixels = camera.focalLength.x
    size = camera.size
    let rows = matches.map { match in
      let place = match.right - camera.principalPoint
      return RowShift(
        terms: [1, place.x, place.y, place.x * place.y / camera.focalLength.x],
        shift: match.right.y - match.left.y)
    }
    guard var fit = Self.start(rows, height: size.height) else { return nil }
    for _ in 0..<6 {
      guard let next = Self.refined(rows, fit) else { return nil }
      fit = next
    }
    guard fit.count >= Self.leastPoints, 2 * fit.count >= matches.count,
      fit.spread.x > Double(size.width) / 10, fit.spread.y > Double(size.height) / 10
    else { return nil }
    pointCount = fit.count
    pitch = Number(value: fit.values[0] / focalPixels, sigma: fit.sigmas[0] / focalPixels)
    roll = Number(value: fit.values[1], sigma: fit.sigmas[1])
    scale = Number(value: fit.values[2], sigma: fit.sigmas[2])
    yaw = Number(value: fit.values[3], sigma: fit.sigmas[3])
  }

  /// Whether one of the four is more than three of its standard deviations, and moves points at the middle
  /// of an edge (of a quarter for the yaw) by more than ``leastPixels``.
  package var isNeeded: Bool {
    let reach = SIMD2(Double(size.width), Double(size.height)) / 2
    let corner = reach.x * reach.y / (4 * focalPixels)
    let effects = [(pitch, focalPixels), (roll, reach.x), (scale, reach.y), (yaw, corner)]
    return effects.contains { number, pixels in
      abs(number.value) > 3 * number.sigma && abs(number.value) * pixels > Self.leastPixels
    }
  }

  /// By how many pixels the disparities at the left and right edges depend on what moves the rows: a yaw,
  /// which is undone, or a distortion of the lenses that moves rows alike and columns not.
  package var ambiguityAtEdgePixels: Double {
    let reach = Double(size.width) / 2
    return abs(yaw.value) * reach * reach / focalPixels
  }

  /// One standard deviation of disparities from that difference, in pixels.
  ///
  /// It is the root mean square over the width, either cause being as likely: the difference grows with the
  /// square of the distance from the middle, whose square is a fifth of the edge's in the mean; half of that.
  package var ambiguityPixels: Double { ambiguityAtEdgePixels / 10.squareRoot() }

  /// The calibration of a rectification with the right camera turned and scaled; its center stays.
  package func applied(to rectification: StereoRectification) -> StereoCalibration {
    var result = rectification.calibration
    // A turn ω of rectified rays moves v by −ω.x + ω.z·u + ω.y·u·v: it has to move by −a/f − b·u − q·u·v.
    // The rotation from the left camera to the right one is divided by the turn, since rays of the right
    // one are multiplied by it.
    guard let turn = Rotation(axisAngle: SIMD3(pitch.value, -yaw.value, -roll.value)) else {
      return result
    }
    let rectifiedFromRight = rectification.rectifiedFromRight
    let own = rectifiedFromRight.inverse * turn.inverse * rectifiedFromRight
    result.rightFromLeft = RigidTransform(
      rotation: own * result.rightFromLeft.rotation,
      translation: own * result.rightFromLeft.translation)
    result.right.intrinsics.focalLength *= 1 + scale.value
    let across = rectifiedFromRight.inverse * SIMD3(yaw.value, 0, 0)
    result.right.intrinsics.principalPoint -=
      SIMD2(across.x, across.y) * result.right.intrinsics.focalLength
    return result
  }
}

/// A point of the right image and how much lower it lies than in the left one, in pixels.
private struct RowShift {
  /// 1, x, y and x·y/f.
  var terms: [Double]
  var shift: Double
}

/// A surface of shifts over the image with its points.
private struct RowFit {
  var values: [Double]
  var sigmas = [0.0, 0, 0, 0]
  var count = 0
  var spread = SIMD2<Double>.zero
  /// The distance in pixels beyond which a point is wrong.
  var limit: Double

  func misses(_ row: RowShift) -> Double {
    row.terms.indices.reduce(row.shift) { $0 - values[$1] * row.terms[$1] }
  }
}

extension RowCorrection {
  /// The median shift, with a limit wide enough for turns of a degree.
  private static func start(_ rows: [RowShift], height: Int) -> RowFit? {
    guard let middle = rows.map(\.shift).sorted().middleOfSorted else { return nil }
    return RowFit(values: [middle, 0, 0, 0], limit: max(3, Double(height) / 50))
  }

  /// Least squares over the points within the limit, and the limit of the next: three standard
  /// deviations by the median deviation, at least half a pixel.
  private static func refined(_ rows: [RowShift], _ fit: RowFit) -> RowFit? {
    let near = rows.filter { abs(fit.misses($0)) <= fit.limit }
    guard near.count >= leastPoints else { return nil }
    var normal = SymmetricMatrix(count: 4)
    var right = [0.0, 0, 0, 0]
    var (sum, squares) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    for row in near {
      let place = SIMD2(row.terms[1], row.terms[2])
      for i in 0..<4 {
        for j in 0..<4 { normal[i, j] += row.terms[i] * row.terms[j] }
        right[i] += row.terms[i] * row.shift
      }
      sum += place
      squares += place * place
    }
    guard let factor = normal.damped(by: 1e-12).cholesky else { return nil }
    var next = fit
    next.values = factor.solve(right)
    let misses = near.map { next.misses($0) }
    let variance = misses.reduce(0) { $0 + $1 * $1 } / Double(near.count - 4)
    let inverse = factor.inverse
    next.sigmas = (0..<4).map { max(0, inverse[$0, $0] * variance).squareRoot() }
    let deviation = misses.map { abs($0) }.sorted().middleOfSorted ?? 0
    next.limit = max(0.5, min(fit.limit, 3 * deviation / 0.6745))
    let count = Double(near.count), mean = sum / count
    let spread = squares / count - mean * mean
    next.spread = SIMD2(max(0, spread.x).squareRoot(), max(0, spread.y).squareRoot())
    next.count = near.count
    return next
  }
}
