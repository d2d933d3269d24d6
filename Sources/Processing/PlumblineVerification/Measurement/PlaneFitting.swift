package import PlumblineModel

extension PlaneMeasurement {
  /// Fits a plane to points by weighted least squares of their depths; `nil` where none fits.
  ///
  /// Cost: O(*n*).
  ///
  /// On the ray r = (x, y, 1) the plane `q·p = 1` lies at depth 1/(q·r). Minimized is
  /// Σ ((z − 1/(q·r))/σ)², in which only z is uncertain, by Gauss–Newton from the solution of the linear
  /// problem Σ ((1/z − q·r)·z²/σ)². The covariance of q is the inverse of the normal matrix, times what
  /// `region` says of noise that neighbors share, and, where residuals are larger than σ and chance
  /// explain, times χ²/(N − 3). A shared error moves each point along its ray by δ = q·D/(q·r), D being
  /// its displacement, and q as least squares answer to those δ.
  ///
  /// - Parameters:
  ///   - points: At least 4, not on a line.
  ///   - shared: The errors that they share.
  ///   - noise: The curve of the points' own σ, where there is one. The weights are then those of the
  ///     fitted depth: one from the measured depth would favor points whose noise makes them seem near.
  ///   - region: What neighbors' noise has in common.
  ///   - area: The pixels that the points are spread over; their number without.
  /// - Source: GUM, H.3 (least squares with uncertainties); R. T. Birge, Physical Review 40 (1932) 207,
  ///   for the factor; Gauss–Newton as in any text.
  package init?(
    fitting points: [MeasurementPoint], _ shared: SharedErrors, noise: SigmaCurve? = nil,
    region: RegionNoise = .independent, area: Double? = nil
  ) {
    guard points.count >= 4 else { return nil }
    var fit = PlaneDescent(points, noise)
    guard let inverse = fit.solve() else { return nil }
    let middle = fit.middle
    // From coordinates about the middle of the rays to those of the camera, for vectors and covariance.
    func carried(_ vector: SIMD3<Double>) -> SIMD3<Double> {
      [vector.x, vector.y, vector.z - vector.x * middle.x - vector.y * middle.y]
    }
    coefficients = carried(fit.solution)
    guard coefficients.dot(coefficients) > 0, coefficients.dot(coefficients).isFinite else {
      return nil
    }
    let area = area ?? Double(points.count)
    let growth = fit.growth * region.growth(count: points.count, area: area)
    let slope = fit.growth * region.slopeGrowth(count: points.count, area: area)
    // About the middle of the rays the first two are slopes and the third is the depth there.
    let roots = SIMD3(slope.squareRoot(), slope.squareRoot(), growth.squareRoot())
    let half = (0..<3).map { carried(inverse[$0] * roots * roots[$0]) }
    let rows = [half.map(\.x), half.map(\.y), half.map(\.z)].map { SIMD3($0[0], $0[1], $0[2]) }
    covariance = rows.map { carried($0) }
    let coefficients = coefficients
    sharedChanges = (0..<SharedErrors.count).map { index in
      let right = fit.right { point, ray in
        let displacement = shared.displacement(index, of: point.position)
        return coefficients.dot(displacement) / coefficients.dot(ray)
      }
      let change = inverse[0] * right.x + inverse[1] * right.y + inverse[2] * right.z
      return carried(change)
    }
    count = points.count
    noiseRatio = fit.knowsSigma ? fit.excess.squareRoot() : nil
    flatnessMeters = fit.flatness(of: coefficients, growth: growth)
  }
}

/// The least squares of one plane, in coordinates about the middle of its rays for precision.
private struct PlaneDescent {
  static let steps = 6

  let points: [MeasurementPoint]
  let noise: SigmaCurve?
  let middle: SIMD2<Double>
  let knowsSigma: Bool
  var solution = SIMD3<Double>.zero
  /// χ² over N − 3.
  private(set) var excess = 0.0

  init(_ points: [MeasurementPoint], _ noise: SigmaCurve?) {
    self.points = points
    self.noise = noise
    let sum = points.reduce(SIMD2<Double>.zero) { $0 + SIMD2($1.ray.x, $1.ray.y) }
    middle = sum / Double(points.count)
    knowsSigma = points.allSatisfy { ($0.sensorSigma ?? 0) > 0 }
  }

  private func row(_ point: MeasurementPoint) -> SIMD3<Double> {
    [point.ray.x - middle.x, point.ray.y - middle.y, 1]
  }

  /// σ of a point whose depth is the fitted one; 1 for all where it is unknown.
  private func sigma(_ point: MeasurementPoint, at fitted: Double) -> Double {
    guard knowsSigma, let own = point.sensorSigma else { return 1 }
    guard let noise else { return own }
    let there = noise.sigmaMeters(atDepth: point.position.z)
    return there > 0 ? own * noise.sigmaMeters(atDepth: fitted) / there : own
  }

  /// Descends; the columns of the inverse of the normal matrix, `nil` where no plane fits.
  mutating func solve() -> [SIMD3<Double>]? {
    var step = linearized { point, row in
      let depth = point.position.z
      return (row * -(depth * depth), -depth, sigma(point, at: depth))
    }
    for _ in 0..<Self.steps {
      guard let found = step else { return nil }
      solution += found.change
      let change = found.change.dot(found.change) / solution.dot(solution)
      if found.isOfDescent, change <= 1e-20 { break }
      step = descent()
    }
    guard let last = step else { return nil }
    excess = last.squares / Double(points.count - 3)
    return last.inverse
  }

  private func descent() -> Step? {
    var found = linearized { point, row in
      let fitted = 1 / solution.dot(row)
      guard fitted > 0, fitted.isFinite else { return nil }
      return (row * -(fitted * fitted), point.position.z - fitted, sigma(point, at: fitted))
    }
    found?.isOfDescent = true
    return found
  }

  private struct Step {
    var change: SIMD3<Double>
    var inverse: [SIMD3<Double>]
    var squares: Double
    var isOfDescent = false
  }

  /// One solution of the normal equations for derivative, residual and σ of each point.
  private func linearized(
    _ parts: (MeasurementPoint, SIMD3<Double>) -> (SIMD3<Double>, Double, Double)?
  ) -> Step? {
    var columns = [SIMD3<Double>](repeating: .zero, count: 3)
    var right = SIMD3<Double>.zero
    var squares = 0.0
    for point in points {
      guard let (derivative, residual, sigma) = parts(point, row(point)) else { return nil }
      let weight = 1 / (sigma * sigma)
      for axis in 0..<3 { columns[axis] += derivative * (derivative[axis] * weight) }
      right += derivative * (residual * weight)
      squares += residual * residual * weight
    }
    guard let inverse = Self.inverse(columns) else { return nil }
    let change = inverse[0] * right.x + inverse[1] * right.y + inverse[2] * right.z
    return Step(change: change, inverse: inverse, squares: squares)
  }

  /// The right side of the normal equations for movements of the points along their rays, in meters.
  func right(_ movement: (MeasurementPoint, SIMD3<Double>) -> Double) -> SIMD3<Double> {
    points.reduce(SIMD3<Double>.zero) { sum, point in
      let row = row(point)
      let fitted = 1 / solution.dot(row)
      let sigma = sigma(point, at: fitted)
      return sum + row * (-(fitted * fitted) * movement(point, point.ray) / (sigma * sigma))
    }
  }

  /// By how much the residuals' variance is larger than stated: 1 unless χ² is beyond three of its own
  /// standard deviations, √(2 ν) of ν; without a σ, the variance of the residuals itself.
  var growth: Double {
    guard knowsSigma else { return excess }
    let freedom = Double(points.count - 3)
    return excess > 1 + 3 * (2 / freedom).squareRoot() ? excess : 1
  }

  /// The root of the mean square of the distances from the plane.
  ///
  /// A square of normal noise with standard deviation s has the mean s² and the variance 2 s⁴. Thus the
  /// standard deviation of their mean's root is √(2 Σ s⁴)/(2 √(N Σ s²)), with s the σ across the plane.
  /// - Source: moments of the χ² distribution.
  func flatness(of q: SIMD3<Double>, growth: Double) -> (value: Double, sigma: Double) {
    let size = q.dot(q).squareRoot()
    let count = Double(points.count)
    var (squares, variance, fourth) = (0.0, 0.0, 0.0)
    for point in points {
      let along = q.dot(point.ray)
      let distance = (q.dot(point.position) - 1) / size
      squares += distance * distance
      let across = along / size * sigma(point, at: 1 / along)
      let noise = growth * across * across
      variance += noise
      fourth += noise * noise
    }
    let value = (squares / count).squareRoot()
    return (value, variance > 0 ? (2 * fourth / (count * variance)).squareRoot() / 2 : 0)
  }

  /// The columns of the inverse of a symmetric matrix by Cramer's rule, after its diagonal was brought to
  /// 1; `nil` where columns hardly differ.
  private static func inverse(_ columns: [SIMD3<Double>]) -> [SIMD3<Double>]? {
    let scale = SIMD3(
      1 / columns[0].x.squareRoot(), 1 / columns[1].y.squareRoot(), 1 / columns[2].z.squareRoot())
    guard (0..<3).allSatisfy({ scale[$0].isFinite && scale[$0] > 0 }) else { return nil }
    let m = (0..<3).map { columns[$0] * scale * scale[$0] }
    let determinant = m[0].dot(m[1].cross(m[2]))
    guard determinant > 1e-9 else { return nil }
    let cofactors = [m[1].cross(m[2]), m[2].cross(m[0]), m[0].cross(m[1])]
    return (0..<3).map { cofactors[$0] / determinant * scale * scale[$0] }
  }
}
