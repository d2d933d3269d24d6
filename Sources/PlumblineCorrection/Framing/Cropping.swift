public import PlumblineModel

/// Cuts a rectangle out of the map, and moves the camera's numbers along.
///
/// The color image stays whole and keeps its own calibration. Pixels outside of the rectangle are
/// lost; undoing it gives the others back in their places.
public struct Cropping: CaptureCorrection, Hashable {
  /// The rectangle in pixels of the stored map; `nil` for the file's own clean aperture.
  public var rectangle: PixelRectangle?

  /// `cropped`.
  public let name = "cropped"

  /// Creates the step; `nil` applies the crop that the file itself states.
  public init(to rectangle: PixelRectangle? = nil) { self.rectangle = rectangle }

  /// Cuts the map.
  ///
  /// - Throws: ``CorrectionError`` without a map or a rectangle, or for one that is not inside.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
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
        name, "\(rectangle.size) at (\(rectangle.x), \(rectangle.y)) of \(record.size)"),
      before: capture, after: after, effect: CorrectionEffect(before: .none, after: .none),
      depthMap: map,
      undoing:
        "placing the map at (\(rectangle.x), \(rectangle.y)) of \(record.size), missing around it")
  }
}
