import CKernels
public import PlumblineModel
import PlumblineNumerics

/// A depth map with what filters need to know of each of its pixels; what a filter takes and gives.
///
/// Frame: the pixels of the depth map. A pixel's σ is missing (NaN) exactly where its depth is.
public struct DepthFrame: Sendable {
  /// Meters along the optical axis; NaN where missing.
  public internal(set) var depth: DepthMap
  /// One standard deviation of each depth's own noise, in meters; NaN where missing.
  public internal(set) var sigmaMeters: Raster<Float>
  /// The sensor's confidence of each pixel; `nil` when not given.
  public internal(set) var confidence: ConfidenceMap?
  /// 1 where no sensor measured but a filter filled in, 0 elsewhere; `nil` for nowhere.
  ///
  /// The confidence of these pixels is 0.
  public internal(set) var inventedPixels: Raster<UInt8>?
  /// The color image of the same field of view, of any size; `nil` for none.
  public var color: Raster<RGB8>?

  /// Collects a map, the law of its noise and what else is known; O(*n*).
  ///
  /// - Parameters:
  ///   - depth: The map.
  ///   - sigma: One standard deviation of the sensor's noise at each depth.
  ///   - confidence: The sensor's own trust; dropped unless it has the map's size.
  ///   - color: The color image of the same field of view.
  ///   - inventedPixels: Those that a filter filled before; dropped unless of the map's size.
  public init(
    depth: DepthMap, sigma: SigmaCurve, confidence: ConfidenceMap? = nil,
    color: Raster<RGB8>? = nil, inventedPixels: Raster<UInt8>? = nil
  ) {
    let meters = depth.meters.packed
    var sigmas = [Float](repeating: 0, count: meters.size.pixelCount)
    plb_filter_sigma(
      meters.samples, sigmas.count, Float(sigma.constantMeters), Float(sigma.perMeter),
      Float(sigma.perMeterSquared), &sigmas)
    self.init(
      depth: depth, sigmaMeters: Raster(size: meters.size, samples: sigmas),
      confidence: confidence, color: color, inventedPixels: inventedPixels)
  }

  /// Collects a map and the ± of each pixel; pixels without a finite ± become missing; O(*n*).
  ///
  /// - Precondition: The ± has the map's size.
  public init(
    depth: DepthMap, sigmaMeters: Raster<Float>, confidence: ConfidenceMap? = nil,
    color: Raster<RGB8>? = nil, inventedPixels: Raster<UInt8>? = nil
  ) {
    precondition(sigmaMeters.size == depth.size, "a ± of \(sigmaMeters.size) for \(depth.size)")
    var sigmas = sigmaMeters.packed
    var meters = depth.meters.packed
    plb_filter_reliable(&meters.samples, &sigmas.samples, sigmas.samples.count)
    self.depth = DepthMap(meters: meters)
    self.sigmaMeters = sigmas
    self.confidence = confidence.flatMap {
      $0.levels.size == meters.size
        ? ConfidenceMap(levels: $0.levels, maximumLevel: $0.maximumLevel) : nil
    }
    self.inventedPixels = inventedPixels.flatMap { $0.size == meters.size ? $0.packed : nil }
    self.color = color
  }

  /// The number of columns and rows.
  public var size: RasterSize { depth.size }

  /// One standard deviation of each depth with the error that the whole map shares, such as that of its
  /// scale: the root of both variances; O(*n*).
  ///
  /// - Parameter shared: One standard deviation of the shared error at each depth.
  /// - Returns: Meters; NaN where the depth is missing.
  package func totalSigmaMeters(shared: SigmaCurve) -> Raster<Float> {
    let meters = depth.meters.packed.samples
    let own = sigmaMeters.packed.samples
    let total = [Float](unsafeUninitializedCapacity: own.count) { buffer, count in
      count = own.count
      guard let start = buffer.baseAddress else { return }
      plb_filter_total_sigma(
        own, meters, own.count, shared.constantMeters, shared.perMeter, shared.perMeterSquared,
        start)
    }
    return Raster(size: size, samples: total)
  }

  /// Makes σ and marks missing where the depth is by now.
  mutating func finish(_ name: String, _ detail: String) -> DepthFilterReport {
    var measured: Int64 = 0
    let removed = plb_filter_finish(
      depth.meters.samples, &sigmaMeters.samples, size.pixelCount, &measured)
    if removed > 0, var marks = inventedPixels {
      for index in marks.samples.indices where depth.meters.samples[index].isNaN {
        marks.samples[index] = 0
      }
      inventedPixels = marks
    }
    return DepthFilterReport(
      name: name, detail: detail, measuredPixels: Int(measured), removedPixels: Int(removed))
  }

  /// Compares with how it was and marks what is new as invented.
  mutating func finish(
    from before: DepthMap, _ name: String, _ detail: String
  ) -> DepthFilterReport {
    var changes = plb_filter_changes()
    plb_filter_compare(before.meters.samples, depth.meters.samples, size.pixelCount, &changes)
    if changes.invented > 0 {
      var marks = inventedPixels ?? Raster(size: size, repeating: 0)
      for index in marks.samples.indices
      where before.meters.samples[index].isNaN && !depth.meters.samples[index].isNaN {
        marks.samples[index] = 1
        confidence?.levels.samples[index] = 0
      }
      inventedPixels = marks
    }
    return DepthFilterReport(
      name: name, detail: detail, measuredPixels: Int(changes.measured),
      removedPixels: Int(changes.removed), inventedPixels: Int(changes.invented),
      movedPixels: Int(changes.moved), worstMoveMillimeters: changes.worst * 1000,
      meanMoveMillimeters: changes.moved == 0 ? 0 : changes.sum / Double(changes.moved) * 1000)
  }

  /// The color image at the size of the map; `nil` without one.
  var guide: Raster<RGB8>? {
    guard let color, color.size.pixelCount > 0, size.pixelCount > 0 else { return nil }
    return color.scaled(to: size)
  }
}

extension RasterSize {
  static let zero = RasterSize(width: 0, height: 0)
}

extension SigmaCurve {
  /// The noise between neighboring pixels of a map, where the sensor is unknown: a constant noise
  /// of the inverse depth; `nil` for a map with fewer than 100 rows of three measured neighbors.
  ///
  /// From the median size of second differences along rows, which planes do not have: edges and
  /// curved surfaces are rare enough not to count. Noise that a producer smoothed away is not seen,
  /// so this is a lower bound. O(*n* log *n*).
  /// - Source: for independent noise the second difference has the variance 6σ²; the median of a
  ///   normal distribution's size is 0.6745 σ.
  public init?(noiseOf depth: DepthMap) {
    let map = depth.meters
    var sizes: [Float] = []
    for y in 0..<map.height {
      let row = map.row(y)
      for x in row.indices.dropFirst().dropLast() {
        let bend = 1 / row[x - 1] - 2 / row[x] + 1 / row[x + 1]
        if !bend.isNaN { sizes.append(abs(bend)) }
      }
    }
    guard sizes.count >= 100, let median = sizes.upperMedian else { return nil }
    self.init(perMeterSquared: Double(median) / 0.6745 / 6.0.squareRoot())
  }
}
