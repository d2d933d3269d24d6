package import PlumblineModel
import PlumblineNumerics

/// One position of an image whose depth was measured.
package struct FitSample: Sendable, Hashable {
  /// The position in the image as stored, in pixels, not necessarily whole.
  package var pixel: SIMD2<Double>
  /// The depth there along the optical axis, in meters.
  package var meters: Double
  /// One standard deviation of the measurement, in meters.
  package var sigmaMeters: Double

  /// Creates a sample.
  ///
  /// - Precondition: Depth and ± are finite, the depth above 0, the ± at least 0.
  package init(pixel: SIMD2<Double>, meters: Double, sigmaMeters: Double) {
    precondition(meters > 0 && meters.isFinite, "\(meters) m is no depth")
    precondition(sigmaMeters >= 0 && sigmaMeters.isFinite, "\(sigmaMeters) m is no ±")
    self.pixel = pixel
    self.meters = meters
    self.sigmaMeters = sigmaMeters
  }

  /// The measured pixels of a depth map of the same field of view as an image.
  ///
  /// Pixel centers are matched by `(u + ½)·s − ½`. Of more than `limit` measured pixels every *n*-th in
  /// the order of rows is taken.
  ///
  /// - Parameters:
  ///   - depth: The map, turned as the image is stored.
  ///   - sigma: The ± of its depths.
  ///   - untrusted: Pixels to leave out, such as those of no confidence: any but 0 there.
  ///   - imageSize: The image as stored.
  ///   - limit: How many at the most; one or more.
  /// - Returns: Samples in the order of rows. Cost: O(*n*).
  package static func samples(
    of depth: DepthMap, sigma: SigmaCurve, untrusted: Raster<UInt8>? = nil,
    imageSize: RasterSize, limit: Int = 20_000
  ) -> [FitSample] {
    precondition(limit >= 1, "\(limit) samples")
    let size = depth.size
    let marks = untrusted.flatMap { $0.size == size ? $0 : nil }
    var places: [Int] = []
    for y in 0..<size.height {
      for x in 0..<size.width where depth.meters[x, y] > 0 && depth.meters[x, y] < .infinity {
        if let marks, marks[x, y] != 0 { continue }
        places.append(y * size.width + x)
      }
    }
    let scale = SIMD2(
      Double(imageSize.width) / Double(max(size.width, 1)),
      Double(imageSize.height) / Double(max(size.height, 1)))
    let step = (places.count + limit - 1) / limit
    return stride(from: 0, to: places.count, by: max(step, 1)).map { index in
      let (x, y) = (places[index] % size.width, places[index] / size.width)
      let meters = Double(depth.meters[x, y])
      return FitSample(
        pixel: (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5, meters: meters,
        sigmaMeters: sigma.sigmaMeters(atDepth: meters))
    }
  }
}

/// The measurements that an estimate is fitted to.
public enum FitTarget: Sendable, Hashable {
  /// The depth of a sensor in the same capture.
  case sensorDepth
  /// So many distances that the user measured.
  case distances(Int)
  /// The corners of a board of known size.
  case board

  /// The name of the target in messages.
  package var words: String {
    switch self {
    case .sensorDepth: "sensor depth"
    case .distances(let count): count == 1 ? "one distance" : "\(count) distances"
    case .board: "a board"
    }
  }
}

/// The residuals between a fitted estimate and measurements.
public struct FitResiduals: Sendable, Hashable {
  /// The number of positions compared.
  public var count: Int
  /// The median of estimate minus measurement, in millimeters.
  public var medianMillimeters: Double
  /// The median absolute deviation from that median, in millimeters.
  public var deviationMillimeters: Double
  /// The root mean square, outliers included, in millimeters.
  public var rmsMillimeters: Double
  /// The root mean square as a share of the depth, outliers included, in percent.
  public var rmsPercent: Double
  /// The 68.3 % quantile of the absolute residual, in millimeters: σ, were residuals normal.
  public var sigmaMillimeters: Double
  /// The 68.3 % quantile of the absolute residual as a share of the depth, in percent.
  public var sigmaPercent: Double

  /// Summarizes pairs of depths in meters, estimate first; `nil` for none.
  ///
  /// O(*n* log *n*).
  init?(_ pairs: [(estimate: Double, measured: Double)]) {
    let residuals = pairs.map { ($0.estimate - $0.measured) * 1000 }.sorted()
    let shares = pairs.map { ($0.estimate / $0.measured - 1) * 100 }
    guard let median = residuals.middleOfSorted,
      let deviation = residuals.map({ abs($0 - median) }).upperMedian
    else { return nil }
    count = pairs.count
    medianMillimeters = median
    deviationMillimeters = deviation
    let total = Double(pairs.count)
    rmsMillimeters = (residuals.reduce(0) { $0 + $1 * $1 } / total).squareRoot()
    rmsPercent = (shares.reduce(0) { $0 + $1 * $1 } / total).squareRoot()
    sigmaMillimeters = Self.sigma(residuals)
    sigmaPercent = Self.sigma(shares)
  }

  private static func sigma(_ values: [Double]) -> Double {
    let sorted = values.map { abs($0) }.sorted()
    return sorted[min(sorted.count * 683 / 1000, sorted.count - 1)]
  }
}

/// A range of depths, for numbers by distance.
public struct DistanceBand: Sendable, Hashable {
  /// The start of the band, in meters; included.
  public var fromMeters: Double
  /// Where it ends, in meters; belongs to the next one; infinite for the last.
  public var toMeters: Double

  /// The bands of every table: from 0 to 0.5, 1, 2, 3, 5, 10, 20, 40 and 80 m, and beyond.
  public static let all: [DistanceBand] = {
    let edges: [Double] = [0, 0.5, 1, 2, 3, 5, 10, 20, 40, 80, .infinity]
    return zip(edges, edges.dropFirst()).map { DistanceBand(fromMeters: $0, toMeters: $1) }
  }()

  /// Whether a depth lies in it.
  public func contains(_ meters: Double) -> Bool { meters >= fromMeters && meters < toMeters }
}

/// The residuals of one range of measured depths.
public struct FitBand: Sendable, Hashable {
  /// The range.
  public var band: DistanceBand
  /// The median of the measured depths in it, in meters.
  public var medianMeters: Double
  /// The residuals in the band.
  public var residuals: FitResiduals

  /// The bands that hold a position.
  static func bands(_ pairs: [(estimate: Double, measured: Double)]) -> [FitBand] {
    DistanceBand.all.compactMap { band in
      let inside = pairs.filter { band.contains($0.measured) }
      guard let median = inside.map(\.measured).upperMedian,
        let residuals = FitResiduals(inside)
      else { return nil }
      return FitBand(band: band, medianMeters: median, residuals: residuals)
    }
  }
}
