package import PlumblineModel

/// Undoes the zoom between ARKit's depth map and color image, by the exact map of pixels.
///
/// On some devices both come from one sensor, but the map shows a smaller window of it than the
/// image: a window of 3088×2316 inside one of 3248×2436, each scaled to 640×480. The pixel `x` of
/// the map is then the pixel `((o + (x + ½)·Wd/w)·w/Wc) − ½` of the image, *o* being where the small
/// window starts in the large one. The map is resampled onto the image's grid, nearest, missing at
/// the border, and its focal length and principal point follow by the same line.
/// - Source: arXiv 2201.10865, eq. 3 and 4, with pixel centers and the window's real position as in
///   `Documentation/corrections.md`; that paper's own listing is bilinear and shifts to the
///   principal point.
package struct ZoomAlignment: CaptureCorrection, Hashable {
  /// The window of the sensor that the depth map shows, in sensor pixels.
  package var depthWindow: RasterSize
  /// The window that the color image shows.
  package var colorWindow: RasterSize
  /// Where the depth window's first corner lies in the color window, in sensor pixels.
  package var offset: SIMD2<Double>
  /// Whether the map's calibration already is that of the color window, so that it stays.
  package var calibrationIsThatOfColor: Bool
  /// Whether the map goes from the color image's grid back to its own.
  package var isReversed: Bool

  /// `zoom-aligned`.
  package let name = ProvenanceStep.Kind.zoomAligned.rawValue

  /// Creates the step from the windows.
  ///
  /// - Precondition: Neither window is empty.
  package init(
    depthWindow: RasterSize, colorWindow: RasterSize, offset: SIMD2<Double>,
    calibrationIsThatOfColor: Bool = false, isReversed: Bool = false
  ) {
    precondition(depthWindow.pixelCount > 0 && colorWindow.pixelCount > 0, "an empty window")
    self.depthWindow = depthWindow
    self.colorWindow = colorWindow
    self.offset = offset
    self.calibrationIsThatOfColor = calibrationIsThatOfColor
    self.isReversed = isReversed
  }

  /// Creates the step from the two cameras of one sensor: principal points say where the windows
  /// lie.
  ///
  /// - Returns: `nil` unless the focal lengths agree within 0.5 %, as those of one sensor do: sizes
  ///   are windows then and not scales.
  package init?(
    depth: PinholeIntrinsics, color: PinholeIntrinsics, calibrationIsThatOfColor: Bool = false
  ) {
    let ratio = depth.focalLength / color.focalLength
    guard abs(ratio.x - 1) < 0.005, abs(ratio.y - 1) < 0.005, depth.size.pixelCount > 0,
      color.size.pixelCount > 0
    else { return nil }
    self.init(
      depthWindow: depth.size, colorWindow: color.size,
      offset: color.principalPoint - depth.principalPoint,
      calibrationIsThatOfColor: calibrationIsThatOfColor)
  }

  /// The published windows of the front cameras of iPad Pro 12.9 2nd and 4th generation.
  ///
  /// - Parameter isFlipped: Whether rows are mirrored against the sensor, as ARKit delivers them: the
  ///   window then starts 58 rows from the other side instead of 62.
  /// - Returns: The step; its calibration is the depth window's.
  /// - Source: arXiv 2201.10865, tables 3 and 4; offsets from its principal points.
  package static func arkitFrontCamera(isFlipped: Bool = false) -> ZoomAlignment {
    ZoomAlignment(
      depthWindow: RasterSize(width: 3088, height: 2316),
      colorWindow: RasterSize(width: 3248, height: 2436), offset: [80, isFlipped ? 58 : 62])
  }

  /// The line from the map's pixels to the image's: `scale·x + shift`, for maps of a size.
  package func line(for size: RasterSize) -> (scale: SIMD2<Double>, shift: SIMD2<Double>) {
    let map = SIMD2(Double(size.width), Double(size.height))
    let small = SIMD2(Double(depthWindow.width), Double(depthWindow.height))
    let large = SIMD2(Double(colorWindow.width), Double(colorWindow.height))
    let scale = small / large
    let shift = (offset * map / large) + 0.5 * scale - 0.5
    return isReversed ? (1 / scale, -shift / scale) : (scale, shift)
  }

  /// Resamples the map and rewrites its camera.
  ///
  /// - Throws: ``CorrectionError`` without a map, or for windows of another shape than it.
  package func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    for window in [depthWindow, colorWindow] {
      guard record.size.pixelCount > 0,
        abs(window.aspectRatio / record.size.aspectRatio - 1) < 0.01
      else {
        throw CorrectionError(
          .mismatch, step: name, expected: "a map of the shape of the window \(window)",
          found: "\(record.size)")
      }
    }
    let (scale, shift) = line(for: record.size)
    let map = NearestPixelMap(
      PixelMap(sourceSize: record.size, size: record.size, scale: 1 / scale, offset: -shift / scale)
    )
    var after = capture
    after.depth = record.gathered(by: map)
    if let reference = record.calibration, !calibrationIsThatOfColor {
      let own = try record.calibrationOfMap(for: name)
      after.depth?.calibration = own.moved(scale: scale, shift: shift)
      after.depth?.calibrationUncertainty = record.calibrationUncertainty?.scaled(
        from: reference.intrinsics.size, to: record.size)
    }
    let last = SIMD2(Double(record.size.width - 1), Double(record.size.height - 1))
    let corners = [SIMD2(0, 0), SIMD2(last.x, 0), SIMD2(0, last.y), last]
    let largest = corners.map { corner -> Double in
      let movement = corner * scale + shift - corner
      return (movement * movement).sum().squareRoot()
    }
    var effect = CorrectionEffect(before: CorrectionEffect.Deviation())
    effect.before.pixels = largest.max()
    // Color and map disagree by the scale; lengths do where the numbers are the other window's.
    effect.before.lengthPercent = calibrationIsThatOfColor ? 100 * (1 / scale.x - 1) : 0
    effect.before.zMillimeters =
      calibrationIsThatOfColor
      ? record.medianMeters.map { 1000 * $0 * (1 - scale.x) } : record.medianMeters.map { _ in 0 }
    effect.after.pixels = 0.5
    let detail =
      "x' = \(scale.x)·x + \(shift.x), y' = \(scale.y)·y + \(shift.y) px, nearest; window "
      + "\(depthWindow) at (\(offset.x), \(offset.y)) of \(colorWindow)"
      + (isReversed ? ", back" : "")
    return CorrectionApplication(
      ProvenanceStep(.zoomAligned, detail), before: capture, after: after, effect: effect,
      depthMap: map,
      undoing: "putting each pixel back where it came from; \(map.lostCount) pixels are lost")
  }
}

extension CameraCalibration {
  /// The camera of an image whose pixels moved along `scale·x + shift`.
  func moved(scale: SIMD2<Double>, shift: SIMD2<Double>) -> CameraCalibration {
    var copy = self
    copy.intrinsics.focalLength *= scale
    copy.intrinsics.principalPoint = intrinsics.principalPoint * scale + shift
    copy.pixelSizeMillimeters = pixelSizeMillimeters.map { $0 / scale.x }
    if var lens = distortion {
      lens.center = lens.center * scale + shift
      lens.maximumRadius *= scale.x
      lens.pixelSizeMillimeters /= scale.x
      copy.distortion = lens
    }
    return copy
  }
}
