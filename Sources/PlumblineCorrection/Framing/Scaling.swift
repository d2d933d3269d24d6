public import PlumblineModel

/// Brings the map, and with it the color image, to another size of the same shape.
///
/// The map takes the nearest pixel: means across an edge would be depths of nothing. Color is the
/// mean of the covered area where it shrinks and bilinear where it grows. The camera's numbers
/// follow by `c' = (c + ½)·s − ½`, `f' = f·s`.
/// - Source: `Documentation/decisions/0001-pixel-centers-are-integers.md`.
public struct Scaling: CaptureCorrection, Hashable {
  /// The new size of the map.
  public var size: RasterSize
  /// The parts to scale; `color` brings the color image to the same size.
  public var parts: CaptureParts

  /// `scaled`.
  public let name = "scaled"

  /// Creates the step.
  public init(to size: RasterSize, parts: CaptureParts = [.color, .depth]) {
    self.size = size
    self.parts = parts
  }

  /// Scales the parts.
  ///
  /// - Throws: ``CorrectionError`` without a map, for another shape, or for an empty size.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    guard record.cleanAperture == nil else {
      throw CorrectionError(
        .unsupported, step: name, expected: "a map whose own crop was applied first",
        found: "a clean aperture")
    }
    guard size.pixelCount > 0, record.size.pixelCount > 0,
      abs(size.aspectRatio / record.size.aspectRatio - 1) < 0.01
    else {
      throw CorrectionError(
        .mismatch, step: name, expected: "a size of the shape of the \(record.size) map",
        found: "\(size)")
    }
    var after = capture
    var map: NearestPixelMap?
    if parts.contains(.depth) {
      let moved = NearestPixelMap(of: record.size) { $0.scaledNearest(to: size) }
      after.depth = record.gathered(by: moved)
      if let reference = record.calibration, reference.intrinsics.matchesAspect(of: record.size) {
        // Through the map's own size, so that rounded sizes cannot shift the numbers.
        after.depth?.calibration = reference.scaled(to: record.size).scaled(to: size)
        after.depth?.calibrationUncertainty = record.calibrationUncertainty?.scaled(
          from: reference.intrinsics.size, to: size)
      }
      map = moved
    }
    var companions = ""
    if parts.contains(.color), let color = capture.color {
      let stored = record.orientation.swapsAxes == capture.colorOrientation.swapsAxes
      let target = stored ? size : size.transposed
      after.color = color.scaled(to: target)
      after.colorSize = target
      if let own = capture.colorCalibration, own.intrinsics.matchesAspect(of: target) {
        after.colorCalibration = own.scaled(to: target)
      }
      companions = after.leaveOutCompanions()
    }
    let step = ProvenanceStep(
      name, "\(parts.words) from \(record.size) to \(size), map nearest" + companions)
    // Nearest moves a surface by at most half a pixel of the coarser grid.
    let half = 0.5 * max(1, Double(size.width) / Double(record.size.width))
    var effect = CorrectionEffect(before: .none, after: .none)
    effect.after.pixels = parts.contains(.depth) ? half : 0
    return CorrectionApplication(
      step, before: capture, after: after, effect: effect, depthMap: map,
      undoing: "putting each pixel back where it came from; the color image before it")
  }
}
