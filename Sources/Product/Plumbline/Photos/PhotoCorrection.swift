public import PlumblineCorrection
import PlumblineImages
import PlumblineModel
import PlumblineRecordings

/// The corrections of a photo before it is saved back.
public struct PhotoCorrection: Sendable {
  /// The corrections, by default those that the findings suggest; `nil` for none but the distances.
  public var corrector: CaptureCorrector?
  /// None, one or two distances that make a relative map metric.
  public var knownDistances: [KnownDistance]
  /// Further such distances, at pixels as users name them; they come after ``knownDistances``.
  public var measuredDistances: [MeasuredDistance] = []

  /// Creates the default: what the findings suggest.
  public init(
    corrector: CaptureCorrector? = CaptureCorrector(), knownDistances: [KnownDistance] = []
  ) {
    self.corrector = corrector
    self.knownDistances = knownDistances
  }

  /// The result of correcting a photo.
  struct Result {
    var depth: PhotoDepthSource
    /// The image, where a correction moved its pixels.
    var color: Raster<RGB8>?
    var notes: [String]
  }

  /// Corrects a photo.
  ///
  /// - Throws: ``CaptureReadingError``, ``CorrectionError``, ``DistanceFitError``, ``PixelError``.
  func result(for photo: [UInt8], fileName: String, threads: Int) throws -> Result {
    let color = corrector == nil ? CaptureReader.ColorRequest.none : .full
    var reader = CaptureReader(color: color, threads: threads)
    // The corrected image gets the photo's own profile.
    reader.keepsOwnColors = true
    var capture = try reader.capture(from: photo)
    var sigma: Double?
    let located = try capture.located(measuredDistances)
    let knownDistances = knownDistances + located.map(\.known)
    if !knownDistances.isEmpty, let record = capture.depth {
      // The assessment of the relative map with its distances knows the ± of both.
      var analyzer = CaptureAnalyzer()
      analyzer.knownDistances = knownDistances
      let judged = try analyzer.analyze(capture, fileName: fileName)
      if let median = judged.assessment.statistics?.medianMeters {
        let total = judged.assessment.uncertainty?.total.sigmaMeters(atDepth: median)
        sigma = total.map { $0 / (median * median) }
      }
      let fit = try DistanceFit(knownDistances, in: record.disparities)
      capture.depth = record.scaled(by: fit)
      capture.provenance.append(ProvenanceStep(.scaledByDistance, fit.description))
    }
    let check = try CaptureAnalyzer().analyze(capture, fileName: fileName)
    func source(_ check: CaptureAnalysis) throws -> PhotoDepthSource {
      var source = try PhotoDepthSource(check)
      source.disparitySigma = sigma
      source.attachedOrigin = sigma == nil ? nil : "the photo's own map, scaled by known distances"
      return source
    }
    let places = located.map { distance in
      "known distance \(distance.meters.fixed(3)) m at \(distance.pixel.text)"
        + (distance.storedDepth.map { ", stored as \($0.fixed(3))" } ?? ", where nothing is stored")
    }
    guard let corrector else {
      return Result(depth: try source(check), color: nil, notes: places)
    }
    let result = try corrector.correct(check)
    let isMoved = result.after.capture.color.map { $0 != capture.color } ?? false
    var notes = result.applications.map { "\($0.step.name): \($0.step.detail)" }
    notes += places
    if notes.isEmpty, knownDistances.isEmpty { notes = ["nothing had to be corrected"] }
    return Result(
      depth: try source(result.after), color: isMoved ? result.after.capture.color : nil,
      notes: notes)
  }
}

extension DepthRecord {
  /// The map as reciprocal numbers, whatever it is stored as.
  fileprivate var disparities: DisparityMap {
    switch values {
    case .disparity(let map): map
    case .depth(let map): map.disparityMap
    case .range(let map): DepthMap(meters: map.meters).disparityMap
    }
  }

  /// The map with the line of a fit applied: absolute from here on.
  ///
  /// Codes of disparities stay what they are, and only the rule that gives them meaning changes.
  fileprivate func scaled(by fit: DistanceFit) -> DepthRecord {
    var record = self
    record.accuracy = .absolute
    record.hasUnit = true
    record.sigmaMeters = sigmaMeters.flatMap {
      $0.size == size ? fit.applied(to: $0, of: disparities.depthMap) : nil
    }
    guard case .disparity(let map) = values else {
      record.values = .depth(fit.applied(to: disparities.depthMap))
      record.storedSamples = nil
      record.quantization = nil
      return record
    }
    if let codes = storedSamples, let rule = quantization {
      // As photos print it, so that what is written means what is read.
      func end(_ value: Double) -> Double {
        ((fit.scale * value + fit.offset) * 1e6).rounded() / 1e6
      }
      let scaled = LinearQuantization(
        minimumCode: rule.minimumCode, maximumCode: rule.maximumCode,
        minimumValue: end(rule.minimumValue), maximumValue: end(rule.maximumValue))
      record.quantization = scaled
      record.values = .disparity(DisparityMap(inverseMeters: scaled.values(of: codes)))
    } else {
      let (scale, offset) = (Float(fit.scale), Float(fit.offset))
      record.values = .disparity(
        DisparityMap(inverseMeters: map.inverseMeters.map { scale * $0 + offset }))
    }
    return record
  }
}
