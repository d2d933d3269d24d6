package import PlumblineModel

/// Parts of a capture that a correction may concern.
public struct CaptureParts: OptionSet, Hashable, Sendable {
  /// One bit for each part.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The color image.
  public static let color = CaptureParts(rawValue: 1)
  /// The depth map.
  public static let depth = CaptureParts(rawValue: 2)
  /// The camera's numbers.
  public static let calibration = CaptureParts(rawValue: 4)
  /// Everything.
  public static let all: CaptureParts = [.color, .depth, .calibration]

  /// The parts in words, such as `color, depth`.
  public var words: String {
    let names = [(Self.color, "color"), (.depth, "depth"), (.calibration, "calibration")]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

extension Capture {
  /// Leaves out what is drawn on the color image's grid and is not moved along with it, and says so
  /// in a finding.
  ///
  /// - Returns: What the provenance says of it; empty when there was nothing.
  mutating func leaveOutCompanions() -> String {
    guard !mattes.isEmpty || gainMap != nil else { return "" }
    let names = mattes.map(\.kind.rawValue) + (gainMap == nil ? [] : ["gain map"])
    findings.append(
      Finding(
        .imageCompanionsLeftOut, .note,
        "the pixels of the color image were moved; mattes and gain map are left out of the result: "
          + names.joined(separator: ", "),
        evidence: "\(names.count) images on the color image's grid"))
    mattes = []
    gainMap = nil
    return "; mattes and gain map, which do not fit any more, are left out"
  }
}

/// Cuts a rectangle out of the map, and moves the camera's numbers along.
///
/// The color image stays whole and keeps its own calibration. Pixels outside of the rectangle are
/// lost; undoing it gives the others back in their places.
package struct Cropping: CaptureCorrection, Hashable {
  /// The rectangle in pixels of the stored map; `nil` for the file's own clean aperture.
  package var rectangle: PixelRectangle?

  /// `cropped`.
  package let name = ProvenanceStep.Kind.cropped.rawValue

  /// Creates the step; `nil` applies the crop that the file itself states.
  package init(to rectangle: PixelRectangle? = nil) { self.rectangle = rectangle }

  /// Cuts the map.
  ///
  /// - Throws: ``CorrectionError`` without a map or a rectangle, or for one that is not inside.
  package func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    guard let rectangle = rectangle ?? record.cleanAperture else {
      throw CorrectionError(
        .missing, step: name, expected: "a crop in the file", found: "none")
    }
    guard rectangle.isInside(record.size), rectangle.size.pixelCount > 0 else {
      throw CorrectionError(
        .mismatch, step: name, expected: "a rectangle inside the \(record.size) map",
        found: "\(rectangle.size) at (\(rectangle.x), \(rectangle.y))")
    }
    var after = capture
    let map = NearestPixelMap(of: record.size) { $0.cropped(to: rectangle) }
    after.depth = record.gathered(by: map)
    after.depth?.cleanAperture = nil
    if let reference = record.calibration {
      if reference.intrinsics.matchesAspect(of: record.size) {
        after.depth?.calibration = reference.scaled(to: record.size).cropped(to: rectangle)
        after.depth?.calibrationUncertainty = record.calibrationUncertainty?.scaled(
          from: reference.intrinsics.size, to: record.size)
        if capture.colorCalibration == nil { after.colorCalibration = capture.colorCameraAsStored }
      } else if !reference.intrinsics.matchesAspect(of: rectangle.size) {
        throw CorrectionError(
          .mismatch, step: name, expected: "a calibration of the shape of the map or its crop",
          found: "\(reference.intrinsics.size)")
      }
    }
    return CorrectionApplication(
      ProvenanceStep(
        .cropped, "\(rectangle.size) at (\(rectangle.x), \(rectangle.y)) of \(record.size)"),
      before: capture, after: after, effect: CorrectionEffect(before: .none, after: .none),
      depthMap: map,
      undoing:
        "placing the map at (\(rectangle.x), \(rectangle.y)) of \(record.size), missing around it")
  }
}

/// Brings the map, and with it the color image, to another size of the same shape.
///
/// The map takes the nearest pixel: means across an edge would be depths of nothing. Color is the
/// mean of the covered area where it shrinks and bilinear where it grows. The camera's numbers
/// follow by `c' = (c + ½)·s − ½`, `f' = f·s`.
/// - Source: `Documentation/decisions/0001-pixel-centers-are-integers.md`.
package struct Scaling: CaptureCorrection, Hashable {
  /// The new size of the map.
  package var size: RasterSize
  /// The parts to scale; `color` brings the color image to the same size.
  package var parts: CaptureParts

  /// `scaled`.
  package let name = ProvenanceStep.Kind.scaled.rawValue

  /// Creates the step.
  package init(to size: RasterSize, parts: CaptureParts = [.color, .depth]) {
    self.size = size
    self.parts = parts
  }

  /// Scales the parts.
  ///
  /// - Throws: ``CorrectionError`` without a map, for another shape, or for an empty size.
  package func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
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
      .scaled, "\(parts.words) from \(record.size) to \(size), map nearest" + companions)
    // Nearest moves a surface by at most half a pixel of the coarser grid.
    let half = 0.5 * max(1, Double(size.width) / Double(record.size.width))
    var effect = CorrectionEffect(before: .none, after: .none)
    effect.after.pixels = parts.contains(.depth) ? half : 0
    return CorrectionApplication(
      step, before: capture, after: after, effect: effect, depthMap: map,
      undoing: "putting each pixel back where it came from; the color image before it")
  }
}
