import PlumblineModel
import PlumblineNumerics

/// The ± of a fitted depth at each distance: the residuals at measured positions and the ± of the line.
///
/// Few positions are a small sample. Their ± is that of a prediction by least squares, widened by
/// Student's distribution so that ± 2 σ covers 95 % and ± 1 σ at least 68 %.
/// - Source: prediction interval of linear regression, such as N. Draper, H. Smith, *Applied
///   Regression Analysis*, 1998, 3.1.
struct FitSigma {
  /// σ of the residuals at ascending depths, never falling.
  private var knots: [(meters: Double, sigma: Double)] = []
  private let kind: FitKind
  private let line: RobustLine

  /// The number of positions from which on a band of depths has a σ of its own.
  private static let enough = 20

  init(
    bands: [FitBand], residuals: FitResiduals, heldOut: FitResiduals?, kind: FitKind,
    line: RobustLine, places: [FitPlace]
  ) {
    self.kind = kind
    self.line = line
    for band in bands where band.residuals.count >= Self.enough {
      knots.append((band.medianMeters, band.residuals.sigmaMillimeters / 1000))
    }
    if knots.isEmpty {
      few = FewPlaces(kind.samples(places), line, kind)
      floor = places.map(\.sample.sigmaMeters).upperMedian ?? .nan
      return
    }
    // If positions that were left out of the fit are missed by more, that error applies elsewhere.
    if let left = heldOut?.sigmaPercent, residuals.sigmaPercent > 0 {
      let factor = max(1, left / residuals.sigmaPercent)
      for index in knots.indices { knots[index].sigma *= factor }
    }
    for index in knots.indices.dropFirst() {
      knots[index].sigma = max(knots[index].sigma, knots[index - 1].sigma)
    }
  }

  /// The small sample, where no band has enough positions.
  private var few: FewPlaces?
  /// The smallest ± of a small sample, in meters: that of the distances themselves.
  private var floor = 0.0

  /// One standard deviation at a depth, in meters; NaN if there are too few positions to know it.
  func meters(atDepth depth: Double) -> Double {
    guard depth > 0 else { return .nan }
    if let few {
      let sigma = few.sigma(atDepth: depth)
      return sigma.isNaN ? sigma : max(sigma, floor)
    }
    guard let first = knots.first, let last = knots.last else { return .nan }
    var sigma: Double
    if depth >= last.meters {
      sigma = last.sigma * depth / last.meters
    } else if depth <= first.meters {
      sigma = first.sigma
    } else {
      sigma = last.sigma
      for (low, high) in zip(knots, knots.dropFirst()) where depth < high.meters {
        let share = (depth - low.meters) / (high.meters - low.meters)
        sigma = low.sigma + share * (high.sigma - low.sigma)
        break
      }
    }
    let lineSigma = lineSigma(atDepth: depth)
    return (sigma * sigma + lineSigma * lineSigma).squareRoot()
  }

  /// The part of the ± at a depth that comes from the ± of scale and shift, in meters.
  private func lineSigma(atDepth depth: Double) -> Double {
    let target = kind.space == .depth ? depth : 1 / depth
    let x = (target - line.shift) / line.scale
    let covariance = line.covariance
    let variance = covariance.scale * x * x + 2 * covariance.both * x + covariance.shift
    let sigma = max(variance, 0).squareRoot()
    return kind.space == .depth ? sigma : sigma * depth * depth
  }

  /// The ± of every depth of a map; NaN where missing.
  ///
  /// O(*n*): read from a table that is finer than 1 %.
  func sigmas(of depth: DepthMap) -> Raster<Float> {
    var most: Float = 0
    for value in depth.meters.samples where value > most && value < .infinity { most = value }
    let count = 2048
    let step = Double(most) / Double(count)
    guard step > 0 else { return depth.meters.map { _ in .nan } }
    let table = (0...count + 1).map { Float(meters(atDepth: max(Double($0), 0.5) * step)) }
    let scale = Float(1 / step)
    return table.withUnsafeBufferPointer { table in
      depth.meters.map { value in
        guard value > 0 else { return .nan }
        let place = value * scale
        let low = min(Int(place), count)
        return table[low] + (place - Float(low)) * (table[low + 1] - table[low])
      }
    }
  }
}

/// The ± of a fit to few positions: that of a prediction by least squares.
///
/// In the space of the line, the error of each position has the same unknown σ, times the factor by which
/// the model's error is multiplied there. Its estimate has as many degrees of freedom as there are more
/// positions than unknowns.
struct FewPlaces {
  private let kind: FitKind
  private let line: RobustLine
  /// σ of the model's error, times Student's factor; NaN without a degree of freedom.
  private let model: Double
  /// The inverse of the normal equations; times σ² it is the covariance of the line.
  private let inverse: (scale: Double, both: Double, shift: Double)

  init(_ samples: [RobustLine.Sample], _ line: RobustLine, _ kind: FitKind) {
    self.kind = kind
    self.line = line
    var (xx, x1, one, squares) = (0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      let weight = 1 / (sample.modelShare * sample.modelShare)
      let residual = line.scale * sample.x + line.shift - sample.target
      xx += weight * sample.x * sample.x
      x1 += weight * sample.x
      one += weight
      squares += weight * residual * residual
    }
    let hasShift = kind.shape == .scaleAndShift
    let freedom = samples.count - (hasShift ? 2 : 1)
    model =
      freedom < 1
      ? .nan : (squares / Double(freedom)).squareRoot() * Self.studentFactor(freedom)
    let determinant = xx * one - x1 * x1
    inverse =
      hasShift
      ? (one / determinant, -x1 / determinant, xx / determinant) : (1 / xx, 0, 0)
  }

  /// The factor by which the ± of a small sample is widened: half of the 97.7 % quantile of Student's
  /// distribution, so that two standard deviations cover what they should.
  ///
  /// One standard deviation alone would need less, but one number has to serve both.
  /// - Source: tabulated for 1 to 3; else the expansion of Abramowitz and Stegun, 26.7.5, at 2.
  static func studentFactor(_ freedom: Int) -> Double {
    let tabulated = [6.984, 2.264, 1.653]
    if freedom <= tabulated.count { return tabulated[max(freedom, 1) - 1] }
    let n = Double(freedom)
    return 1 + 1.25 / n + 1.531 / (n * n) + 1.430 / (n * n * n)
  }

  /// One standard deviation of a fitted depth, in meters.
  func sigma(atDepth depth: Double) -> Double {
    let isDepth = kind.space == .depth
    let target = isDepth ? depth : 1 / depth
    let x = (target - line.shift) / line.scale
    let share = isDepth ? depth : 1
    let variance = inverse.scale * x * x + 2 * inverse.both * x + inverse.shift
    let sigma = model * (share * share + max(variance, 0)).squareRoot()
    return isDepth ? sigma : sigma * depth * depth
  }
}
