public import PlumblineModel

/// A prediction compared with the truth.
public struct DepthEvaluation: Sendable {
  /// The settings of a comparison.
  public struct Settings: Sendable, Hashable {
    /// The part of the map that is compared.
    public var crop = EvaluationCrop.none
    /// The largest true depth that counts, in meters; `nil` for the crop's own bound.
    public var capMeters: Double?
    /// The alignment of the prediction with the truth.
    public var alignment = EvaluationAlignment.none
    /// Whether the alignment is made in reciprocal depth, as relative models need.
    public var isAlignedInDisparity = false

    /// Creates settings that compare the whole map without alignment.
    public init() {}
  }

  /// The settings that were used.
  public let settings: Settings
  /// The largest true depth that counted, in meters; infinite for no bound.
  public let capMeters: Double
  /// The factor by which predictions were multiplied, in the space of the alignment.
  public let scale: Double
  /// The offset that was then added, in m or 1/m.
  public let shift: Double
  /// The errors over all pixels.
  public let errors: DepthErrors
  /// The errors by true depth; bands without a pixel are left out.
  public let bands: [(band: DistanceBand, errors: DepthErrors)]
  /// How well edges agree.
  public let boundary: BoundaryScore
  /// The number of true pixels within crop and cap.
  public let truthCount: Int
  /// The number of these for which nothing was predicted.
  public let missingCount: Int
  /// The size that the prediction had.
  public let predictionSize: RasterSize
  /// The aligned prediction on the truth's grid, in meters; NaN where missing.
  public let prediction: Raster<Float>
  /// The truth within crop and cap, in meters; NaN elsewhere.
  public let truth: Raster<Float>

  /// Compares a prediction with the truth.
  ///
  /// A prediction of another size of the same shape is brought to the truth's grid: linear in reciprocal
  /// depth between pixel centers, missing where one of the four is. The truth is never resampled.
  /// Aligned predictions are clamped to 1 mm and the cap, as benchmarks do.
  ///
  /// - Parameters:
  ///   - prediction: Depths in meters, or in a unit of their own where an alignment gives them one.
  ///   - truth: True depths in meters.
  ///   - settings: The settings of the comparison.
  /// - Throws: `.mismatch` for another shape, `.missing` where no pixel has both, `.degenerate` where the
  ///   alignment is determined by nothing. O(*n* log *n*).
  package init(
    _ prediction: DepthMap, truth: DepthMap, settings: Settings = Settings()
  ) throws(EstimationError) {
    let size = truth.size
    guard size.pixelCount > 0, prediction.size.pixelCount > 0,
      abs(prediction.size.aspectRatio / size.aspectRatio - 1) < 0.01
    else {
      throw EstimationError(
        .mismatch, expected: "a prediction of the truth's shape, \(size)",
        found: "\(prediction.size)")
    }
    let cap = settings.capMeters ?? settings.crop.capMeters ?? .infinity
    let masked = Self.masked(truth, by: settings.crop, cap: cap)
    let resampled = prediction.size == size ? prediction.meters.packed : prediction.scaled(to: size)
    let truthCount = masked.samples.count { !$0.isNaN }
    let line = try Self.line(
      from: resampled, to: masked, settings: settings, truthCount: truthCount)
    let aligned = Self.aligned(resampled, by: line, settings: settings, cap: cap)
    var pairs: [(prediction: Double, truth: Double)] = []
    for (value, real) in zip(aligned.samples, masked.samples) where !real.isNaN && !value.isNaN {
      pairs.append((Double(value), Double(real)))
    }
    guard let errors = DepthErrors.of(pairs) else {
      throw EstimationError(.missing, expected: "a predicted pixel", found: "none")
    }
    self.settings = settings
    capMeters = cap
    (scale, shift) = line
    self.errors = errors
    bands = DistanceBand.all.compactMap { band in
      DepthErrors.of(pairs.filter { band.contains($0.truth) }).map { (band, $0) }
    }
    boundary = BoundaryScore.compared(aligned, truth: masked)
    self.truthCount = truthCount
    missingCount = truthCount - pairs.count
    predictionSize = prediction.size
    self.prediction = aligned
    self.truth = masked
  }

  /// The truth within crop and cap; NaN elsewhere.
  private static func masked(
    _ truth: DepthMap, by crop: EvaluationCrop, cap: Double
  ) -> Raster<Float> {
    let rectangle = crop.rectangle(in: truth.size)
    var masked = Raster(size: truth.size, repeating: Float.nan)
    for y in 0..<rectangle.size.height {
      for x in 0..<rectangle.size.width {
        let value = truth.meters[rectangle.x + x, rectangle.y + y]
        if Double(value) > EvaluationCrop.leastMeters, Double(value) < cap, value.isFinite {
          masked[rectangle.x + x, rectangle.y + y] = value
        }
      }
    }
    return masked
  }

  /// The scale and shift that bring a prediction to the truth.
  ///
  /// - Throws: `.missing` where no pixel has both, `.degenerate` where nothing determines them.
  private static func line(
    from prediction: Raster<Float>, to truth: Raster<Float>, settings: Settings, truthCount: Int
  ) throws(EstimationError) -> (scale: Double, shift: Double) {
    var raw: [(prediction: Double, truth: Double)] = []
    for (value, real) in zip(prediction.samples, truth.samples) where !real.isNaN && value > 0 {
      if value < .infinity { raw.append((Double(value), Double(real))) }
    }
    guard !raw.isEmpty else {
      throw EstimationError(
        .missing, expected: "pixels with a prediction and a truth above 1 mm",
        found: "none of \(truthCount) true ones")
    }
    let line = settings.alignment.line(
      settings.isAlignedInDisparity ? raw.map { (1 / $0.prediction, 1 / $0.truth) } : raw)
    guard let line else {
      throw EstimationError(
        .degenerate, expected: "predictions that differ, for scale and shift",
        found: "\(raw.count) alike")
    }
    return line
  }

  /// A prediction by scale and shift, clamped to 1 mm and the cap; NaN where missing.
  private static func aligned(
    _ prediction: Raster<Float>, by line: (scale: Double, shift: Double), settings: Settings,
    cap: Double
  ) -> Raster<Float> {
    let inverse = settings.isAlignedInDisparity
    let isAsIs = settings.alignment == .none
    let (least, most) = (EvaluationCrop.leastMeters, cap.isFinite ? cap : .greatestFiniteMagnitude)
    return prediction.map { value -> Float in
      guard value > 0, value < .infinity else { return .nan }
      if isAsIs, cap == .infinity { return value }
      var depth = Double(value)
      if !isAsIs {
        if inverse {
          let disparity = line.scale / depth + line.shift
          depth = disparity > 0 ? 1 / disparity : most
        } else {
          depth = line.scale * depth + line.shift
        }
      }
      return Float(min(max(depth, least), min(most, Double(Float.greatestFiniteMagnitude))))
    }
  }
}

extension DepthMap {
  /// The depths at another size, linear in reciprocal depth between pixel centers; beyond the outermost
  /// ones they stay.
  func scaled(to target: RasterSize) -> Raster<Float> {
    let inverse = meters.map { 1 / $0 }
    let (source, samples) = (inverse.size, inverse.samples)
    func axis(_ from: Int, _ to: Int) -> [(low: Int, high: Int, share: Float)] {
      (0..<to).map { index in
        let place = min(
          max((Double(index) + 0.5) * Double(from) / Double(to) - 0.5, 0), Double(from - 1))
        let low = Int(place)
        return (low, min(low + 1, from - 1), Float(place - Double(low)))
      }
    }
    let columns = axis(source.width, target.width)
    let rows = axis(source.height, target.height)
    return Raster(size: target) { x, y in
      let (column, row) = (columns[x], rows[y])
      func line(_ y: Int) -> Float {
        let low = samples[y * source.width + column.low]
        // A neighbor with weight 0 does not count, even if it is missing.
        if column.share == 0 { return low }
        return low + column.share * (samples[y * source.width + column.high] - low)
      }
      let upper = line(row.low)
      let value = row.share == 0 ? upper : upper + row.share * (line(row.high) - upper)
      return value > 0 ? 1 / value : .nan
    }
  }
}
