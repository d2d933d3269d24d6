package import PlumblineModel
import PlumblineNumerics
import PlumblineVision

/// The small turn and scale of a right camera that bring matched points onto common rows.
///
/// Points of the right image lie lower than those of the left one by a + b·x + c·y, x and y counted from
/// the principal point: a is a pitch, b a roll and c a difference of the focal lengths. A turn about the
/// vertical, which would move all disparities, leaves the rows nearly alone and is not looked for.
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
  /// By which share the right image is larger.
  package private(set) var scale: Number
  /// The number of points that agree with it.
  package private(set) var pointCount: Int
  private let focal: Double
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
    focal = camera.focalLength.x
    size = camera.size
    let rows = matches.map { match in
      let place = match.right - camera.principalPoint
      return RowShift(x: place.x, y: place.y, shift: match.right.y - match.left.y)
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
    pitch = Number(value: fit.values[0] / focal, sigma: fit.sigmas[0] / focal)
    roll = Number(value: fit.values[1], sigma: fit.sigmas[1])
    scale = Number(value: fit.values[2], sigma: fit.sigmas[2])
  }

  /// Whether one of the three moves points by more than three of its standard deviations and more than
  /// ``leastPixels``.
  package var isNeeded: Bool {
    let reach = SIMD2(Double(size.width), Double(size.height)) / 2
    return [(pitch, focal), (roll, reach.x), (scale, reach.y)].contains { number, pixels in
      abs(number.value) > 3 * number.sigma && abs(number.value) * pixels > Self.leastPixels
    }
  }

  /// The calibration of a rectification with the right camera turned and scaled; its center stays.
  package func applied(to rectification: StereoRectification) -> StereoCalibration {
    var result = rectification.calibration
    // A turn ω of rectified rays moves v by −ω.x + ω.z·u: it has to move by −a/f − b·u. The rotation from
    // the left camera to the right one is divided by the turn, since rays of the right one are
    // multiplied by it.
    guard let turn = Rotation(axisAngle: SIMD3(pitch.value, 0, -roll.value)) else { return result }
    let rectifiedFromRight = rectification.rectifiedFromRight
    let own = rectifiedFromRight.inverse * turn.inverse * rectifiedFromRight
    result.rightFromLeft = RigidTransform(
      rotation: own * result.rightFromLeft.rotation,
      translation: own * result.rightFromLeft.translation)
    result.right.intrinsics.focalLength *= 1 + scale.value
    return result
  }
}

/// A point of the right image and how much lower it lies than in the left one, in pixels.
private struct RowShift {
  var x, y, shift: Double
}

/// A line over the image with its points.
private struct RowFit {
  var values: [Double]
  var sigmas = [0.0, 0, 0]
  var count = 0
  var spread = SIMD2<Double>.zero
  /// The distance in pixels beyond which a point is wrong.
  var limit: Double

  func misses(_ row: RowShift) -> Double {
    row.shift - values[0] - values[1] * row.x - values[2] * row.y
  }
}

extension RowCorrection {
  /// The median shift, with a limit wide enough for turns of a degree.
  private static func start(_ rows: [RowShift], height: Int) -> RowFit? {
    guard let middle = rows.map(\.shift).sorted().middleOfSorted else { return nil }
    return RowFit(values: [middle, 0, 0], limit: max(3, Double(height) / 50))
  }

  /// Least squares over the points within the limit, and the limit of the next: three standard
  /// deviations by the median deviation, at least half a pixel.
  private static func refined(_ rows: [RowShift], _ fit: RowFit) -> RowFit? {
    let near = rows.filter { abs(fit.misses($0)) <= fit.limit }
    guard near.count >= leastPoints else { return nil }
    var normal = SymmetricMatrix(count: 3)
    var right = [0.0, 0, 0]
    var (sum, squares) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    for row in near {
      let terms = [1, row.x, row.y]
      for i in 0..<3 {
        for j in 0..<3 { normal[i, j] += terms[i] * terms[j] }
        right[i] += terms[i] * row.shift
      }
      sum += SIMD2(row.x, row.y)
      squares += SIMD2(row.x * row.x, row.y * row.y)
    }
    guard let factor = normal.damped(by: 1e-12).cholesky else { return nil }
    var next = fit
    next.values = factor.solve(right)
    let misses = near.map { next.misses($0) }
    let variance = misses.reduce(0) { $0 + $1 * $1 } / Double(near.count - 3)
    let inverse = factor.inverse
    next.sigmas = (0..<3).map { max(0, inverse[$0, $0] * variance).squareRoot() }
    let deviation = misses.map { abs($0) }.sorted().middleOfSorted ?? 0
    next.limit = max(0.5, min(fit.limit, 3 * deviation / 0.6745))
    let count = Double(near.count), mean = sum / count
    let spread = squares / count - mean * mean
    next.spread = SIMD2(max(0, spread.x).squareRoot(), max(0, spread.y).squareRoot())
    next.count = near.count
    return next
  }
}
