import PlumblineModel
import PlumblineNumerics

/// The ± of a fitted depth by its distance: what is left at measured places, and the ± of the line.
///
/// Few positions are a small sample: their ± is that of a prediction by least squares, with the
/// quantile of Student's distribution that makes twice the ± hold 95 % and once the ± at least 68
/// %.
/// - Source: prediction interval of linear regression, such as N. Draper, H. Smith, *Applied
///   Regression Analysis*, 1998, 3.1.
struct FitSigma {
  /// σ of the residuals at ascending depths, never falling.
  private var knots: [(meters: Double, sigma: Double)] = []
  private let kind: FitKind
  private let line: RobustLine

  /// A band speaks for itself from so many positions on.
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
    // Where positions left out are missed by more, that is what holds elsewhere.
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
  /// No ± of a small sample is below that of the distances themselves, in meters.
  private var floor = 0.0

  /// One standard deviation at a depth, in meters; NaN where nothing is left to tell it by.
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

  /// What the ± of scale and shift costs at a depth, in meters.
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
