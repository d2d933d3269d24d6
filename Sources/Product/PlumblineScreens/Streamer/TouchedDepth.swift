import Plumbline
import PlumblineCorrection
public import PlumblineModel
import PlumblineVerification

/// The depth at one place of a live frame, with its ±.
public struct TouchedDepth: Hashable, Sendable {
  /// What is known of the depth.
  public enum Reading: Hashable, Sendable {
    /// Meters along the optical axis from the camera's center, with one standard deviation in meters;
    /// `nil` where the sensor's noise is not known.
    case meters(Double, sigma: Double?)
    /// Meters that the sensor itself rates as so uncertain that no ± holds.
    case distrusted(Double)
    /// A number without a unit, which only compares with others of the same frame.
    case relative(Double)
    /// Not measured at this pixel.
    case missing
  }

  /// The pixel of the depth map as stored.
  public let pixel: SIMD2<Int>
  /// What is known there.
  public let reading: Reading

  /// One line, such as `0.523 m ± 0.004 m along the optical axis`.
  public var text: String {
    switch reading {
    case .meters(let depth, let sigma?):
      "\(depth.fixed(3)) m ± \(sigma.fixed(3)) m along the optical axis"
    case .meters(let depth, nil): "\(depth.fixed(3)) m along the optical axis, ± unknown"
    case .distrusted(let depth):
      "\(depth.fixed(3)) m, which the sensor itself distrusts: no ± holds"
    case .relative(let depth): "\(depth.fixed(3)) without a unit: this depth is relative"
    case .missing: "not measured here"
    }
  }
}

/// Reads the depth where a person touches, frame after frame.
///
/// The ± is that of the viewer's live image: it is found when the camera's kind changes, at most once
/// a second when its numbers move, and adapted to the confidence of the pixel.
public struct TouchedDepthReader: Sendable {
  /// The touched place; `nil` for none.
  public var place: TouchedPlace?
  private var scenes = LiveSceneFinder()
  private var scene: FrameScene?

  /// Starts without a place and without a frame.
  public init() {}

  /// Reads the depth of the next frame at ``place``.
  ///
  /// - Parameters:
  ///   - capture: The frame; its color is not needed.
  ///   - isMirror: Whether the image in which the place was touched is shown mirrored.
  /// - Returns: `nil` where no place is touched, and for a frame without a depth map. Cost: O(*n*).
  public mutating func next(_ capture: Capture, isMirror: Bool) -> TouchedDepth? {
    if place == nil { return nil }
    if let found = scenes.scene(of: capture, at: .now) { scene = found }
    guard let place, let record = capture.depth, let mapping = PixelMapping(capture),
      let corrected = try? CorrectedDepth(
        record, isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected)
    else { return nil }
    let size = SIMD2(Double(mapping.photoSize.width), Double(mapping.photoSize.height))
    let photo = NamedPixel.photo(place.unmirrored(isMirror) * size - 0.5)
    guard let located = try? mapping.located(photo) else { return nil }
    return TouchedDepth(
      pixel: located.depth, reading: reading(at: located.depth, corrected, record))
  }

  private func reading(
    at pixel: SIMD2<Int>, _ corrected: CorrectedDepth, _ record: DepthRecord
  ) -> TouchedDepth.Reading {
    let first = record.cleanAperture.map { SIMD2($0.x, $0.y) } ?? .zero
    let (x, y) = (pixel.x - first.x, pixel.y - first.y)
    guard corrected.depth.meters.contains(x: x, y: y) else { return .missing }
    let depth = Double(corrected.depth.meters[x, y])
    guard depth.isFinite, depth > 0 else { return .missing }
    guard corrected.isMetric, let scene, scene.isMetric else { return .relative(depth) }
    if let own = corrected.sigmaMeters, own[x, y] >= 0 {
      return .meters(depth, sigma: Double(own[x, y]))
    }
    guard let errors = scene.errors, let full = errors.sensorSigma(atDepth: depth) else {
      return .meters(depth, sigma: nil)
    }
    let whole = scene.sigma.sigmaMeters(atDepth: depth)
    guard let confidence = record.confidence, confidence.levels.size == record.size else {
      return .meters(depth, sigma: whole)
    }
    let level = (value: confidence.levels[pixel.x, pixel.y], maximum: confidence.maximumLevel)
    guard let own = errors.sensorSigma(atDepth: depth, confidence: level) else {
      return .distrusted(depth)
    }
    return .meters(depth, sigma: max(whole * whole - full * full + own * own, 0).squareRoot())
  }
}
