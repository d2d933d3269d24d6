import PlumblineModel
import PlumblineNumerics

/// A point in both images, x/z and y/z of each rectified camera.
struct RowPoint {
  var left: SIMD2<Double>
  var right: SIMD2<Double>

  /// Points in pixels of rectified images as rays.
  static func points(_ matches: [PairMatch], _ rectification: StereoRectification) -> [RowPoint] {
    let (left, right) = (rectification.left, rectification.right)
    return matches.map { match in
      RowPoint(
        left: (match.left - left.principalPoint) / left.focalLength.x,
        right: (match.right - right.principalPoint) / right.focalLength.x)
    }
  }
}

/// The least squares of ``RowCorrection``: by how much rows of the right image differ from those that
/// the left one predicts.
///
/// Predicted is the row at the column where the point was found. So the noise of rows is in the difference
/// alone; in a slope it would make distortions that contract the images look better than they are.
struct RowFit {
  /// The numbers, in the order of ``values``.
  enum Part: Int, CaseIterable {
    case pitch, roll, scale, yaw, ownRadial
  }

  /// The numbers that are fitted.
  var values = [Double](repeating: 0, count: Part.allCases.count)
  /// The variances and covariances of all numbers, those that are not fitted included.
  var covariance = SymmetricMatrix(count: Part.allCases.count)
  /// The indices of the points that agree.
  var agreeing: [Int] = []
  /// The root mean square by which rows move, focal lengths.
  var move = 0.0
  /// One standard deviation of disparities, the root mean square over the points, in focal lengths.
  var disparitySigma = 0.0
  /// The distance in focal lengths beyond which a point is wrong.
  private var limit: Double

  /// One standard deviation of the coefficients of a lens of which nothing is said, before points say more:
  /// images of phones are free of distortion but for about that.
  /// - Source: decision 0053, with the coverage by simulated pairs.
  static let radialPrior = 0.05
  /// The same of turns and scale: nothing is known.
  private static let freePrior = 1.0
  /// One standard deviation of disparities per yaw, in focal lengths per radian.
  ///
  /// A real yaw moves all disparities by as much as a focal length per radian, which is not undone; a
  /// distortion that moves rows alike leaves them in the middle. The share holds both.
  /// - Source: decision 0053, with the coverage by simulated pairs and the evidence of a real one.
  private static let openShare = 1.5
  /// A start that takes turns of a degree for wrong points would be lost.
  private static let startLimit = 0.03

  private init() { limit = Self.startLimit }

  /// By how much a point lies lower in the right image than predicted, in focal lengths.
  func miss(_ point: RowPoint) -> Double { point.right.y - predictedRow(point) }

  /// Finds the fit to points, some of them wrong.
  ///
  /// Turns and scale come first; the distortion of the right lens follows.
  ///
  /// - Parameters:
  ///   - points: Points in both images.
  ///   - hasRadial: Whether distortions are fitted.
  ///   - pixel: The size of a pixel in focal lengths.
  /// - Returns: The fit; `nil` where it is lost.
  static func best(of points: [RowPoint], hasRadial: Bool, pixel: Double) -> RowFit? {
    var fit = RowFit()
    let turns = [Part.pitch, .roll, .scale, .yaw]
    for _ in 0..<3 { guard fit.refine(points, turns, pixel) else { return nil } }
    let parts = hasRadial ? Part.allCases : turns
    for _ in 0..<3 { guard fit.refine(points, parts, pixel) else { return nil } }
    guard fit.assess(points, parts) else { return nil }
    return fit
  }

  /// One step of Gauss and Newton over the points within the limit, and the next limit: three standard
  /// deviations by the median, at least half a pixel.
  private mutating func refine(_ points: [RowPoint], _ parts: [Part], _ pixel: Double) -> Bool {
    let misses = points.map { miss($0) }
    // At first all may lie too low or too high.
    let isFirst = agreeing.isEmpty
    let middle = isFirst ? misses.sorted().middleOfSorted ?? 0 : 0
    agreeing = points.indices.filter { abs(misses[$0] - middle) <= limit }
    guard agreeing.count > 2 * parts.count else { return false }
    let variance = isFirst ? pixel * pixel : variance(misses, parts.count)
    let (normal, right) = equations(points, misses, parts, variance)
    guard let factor = normal.cholesky else { return false }
    for (part, step) in zip(parts, factor.solve(right)) {
      guard step.isFinite, abs(step) < 0.5 else { return false }
      values[part.rawValue] += step
    }
    let sizes = agreeing.map { abs(miss(points[$0])) }.sorted()
    limit = max(3 * (sizes.middleOfSorted ?? 0) / 0.6745, pixel / 2)
    return true
  }

  /// Computes the covariance of `parts` and what follows from it.
  private mutating func assess(_ points: [RowPoint], _ parts: [Part]) -> Bool {
    let misses = points.map { miss($0) }
    agreeing = points.indices.filter { abs(misses[$0]) <= limit }
    guard agreeing.count > 2 * parts.count else { return false }
    let variance = variance(misses, parts.count)
    guard let factor = equations(points, misses, parts, variance).normal.cholesky else {
      return false
    }
    let inverse = factor.inverse
    covariance = SymmetricMatrix(count: Part.allCases.count)
    for (i, a) in parts.enumerated() {
      for (j, b) in parts.enumerated() {
        covariance[a.rawValue, b.rawValue] = inverse[i, j] * variance
      }
    }
    var (moves, sigmas) = (0.0, 0.0)
    for point in agreeing.map({ points[$0] }) {
      let row = predictedRow(point) - point.left.y
      moves += row * row
      let slopes = Self.disparitySlopes(point)
      sigmas += zip(slopes, covariance * slopes).reduce(0) { $0 + $1.0 * $1.1 }
    }
    move = (moves / Double(agreeing.count)).squareRoot()
    let open = Self.openShare * value(.yaw)
    disparitySigma = max(0, sigmas / Double(agreeing.count) + open * open).squareRoot()
    return true
  }

  private func variance(_ misses: [Double], _ count: Int) -> Double {
    let squares = agreeing.reduce(0) { $0 + misses[$1] * misses[$1] }
    return max(squares / Double(agreeing.count - count), 1e-12)
  }

  /// The normal equations in units of the variance, with what is known of each number beforehand.
  private func equations(
    _ points: [RowPoint], _ misses: [Double], _ parts: [Part], _ variance: Double
  ) -> (normal: SymmetricMatrix, right: [Double]) {
    var normal = SymmetricMatrix(count: parts.count)
    var right = [Double](repeating: 0, count: parts.count)
    for index in agreeing {
      let all = rowSlopes(points[index])
      let slopes = parts.map { all[$0.rawValue] }
      for i in slopes.indices {
        for j in slopes.indices { normal[i, j] += slopes[i] * slopes[j] }
        right[i] += slopes[i] * misses[index]
      }
    }
    for (i, part) in parts.enumerated() {
      let prior = part == .ownRadial ? Self.radialPrior : Self.freePrior
      normal[i, i] += variance / (prior * prior)
      right[i] -= variance / (prior * prior) * values[part.rawValue]
    }
    return (normal, right)
  }
}

extension RowFit {
  private func value(_ part: Part) -> Double { values[part.rawValue] }

  /// The row of the right image where a point is expected at the column at which it was found.
  private func predictedRow(_ point: RowPoint) -> Double {
    let row = point.left.y
    let radial = value(.ownRadial)
    let (a, b, q) = (value(.pitch), value(.roll), value(.yaw))
    var predicted = row
    for _ in 0..<4 {
      let ray = Self.undistorted([point.right.x, predicted], radial) / (1 + value(.scale))
      // To first order of the turn, whose squares are below a thousandth.
      let depth = 1 + q * ray.x + a * ray.y
      predicted += row - (ray.y - b * ray.x - a) / depth
    }
    return predicted
  }

  /// How the predicted row changes with each number.
  private func rowSlopes(_ point: RowPoint) -> [Double] {
    let x = point.right.x, y = predictedRow(point)
    return [1 + y * y, x, y, x * y, y * (x * x + y * y)]
  }

  /// How a disparity changes with each number, in the order of the parts; in the middle a yaw changes none,
  /// since the right principal point is moved with it.
  private static func disparitySlopes(_ point: RowPoint) -> [Double] {
    let (x, y) = (point.right.x, point.right.y)
    return [x * y, -y, x, x * x, x * (x * x + y * y)]
  }

  /// The ray of an ideal camera through a point of an image with one radial term.
  private static func undistorted(_ point: SIMD2<Double>, _ radial: Double) -> SIMD2<Double> {
    guard radial != 0 else { return point }
    var ray = point
    for _ in 0..<6 { ray = point / (1 + radial * (ray * ray).sum()) }
    return ray
  }
}
