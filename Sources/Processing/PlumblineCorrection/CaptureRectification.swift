public import PlumblineModel

/// Resamples color image and depth map so that straight lines are straight, or the other way.
///
/// Color is interpolated bilinearly; depth takes the nearest pixel, holes stay holes, and every
/// value is one that was measured. Both keep their size and pinhole. What the lens moved out of the
/// frame is black in color and missing in depth, and pixels that no longer show are lost: measuring
/// needs no resampling, since ``CorrectedDepth`` moves the points themselves.
public struct CaptureRectification: CaptureCorrection, Hashable {
  /// The parts to resample: `color`, `depth`, or both.
  public var parts: CaptureParts
  /// Whether distortion is taken away or, with a camera that has it, put back.
  package var direction: PixelMap.Direction
  /// The lens that is put back; `nil` takes the capture's own.
  public var lens: CameraCalibration?

  /// `rectified`, or `distorted` for the other direction.
  public var name: String { kind.rawValue }

  private var kind: ProvenanceStep.Kind { direction == .rectifying ? .rectified : .distorted }

  /// Creates the step that takes distortion away.
  public init(_ parts: CaptureParts) {
    self.parts = parts
    self.direction = .rectifying
  }

  /// Creates the step that puts a camera's distortion back.
  public init(distorting parts: CaptureParts, by lens: CameraCalibration) {
    self.parts = parts
    self.direction = .distorting
    self.lens = lens
  }

  /// Resamples the parts.
  ///
  /// - Throws: ``CorrectionError`` without a map, a calibration of its shape, or a distortion, and
  ///   for a lens that folds the image.
  public func application(to capture: Capture) throws(CorrectionError) -> CorrectionApplication {
    try application(to: capture, by: plan(for: capture))
  }

  /// Resamples the parts by a plan that was made for a capture of the same cameras and sizes.
  ///
  /// - Throws: ``CorrectionError`` without a map, or without an image to resample.
  /// - Precondition: The plan has the sizes of the capture.
  package func application(
    to capture: Capture, by plan: RectificationPlan
  ) throws(CorrectionError) -> CorrectionApplication {
    let record = try capture.requiredDepth(for: name)
    var after = capture
    var details: [String] = []
    if let moved = plan.depth {
      after.depth = record.gathered(by: moved)
      after.depth?.isRectified = direction == .rectifying
      after.depth?.calibration =
        direction == .rectifying ? record.calibration?.rectified : lens ?? record.calibration
      after.colorCalibration = colorCamera(besideMapOf: capture)
      details.append("depth nearest, \(plan.lostCount) of \(record.size.pixelCount) pixels lost")
    }
    if let (plan, own) = plan.color, let color = capture.color {
      after.color = plan.resampled(color)
      after.colorCalibration = direction == .rectifying ? own.rectified : own
      let outside = plan.outside.reduce(0) { $0 + $1.count }
      details.append(
        "color \(color.size) bilinear, \(outside) pixels outside are black"
          + after.leaveOutCompanions())
    }
    guard !details.isEmpty else {
      throw CorrectionError(
        .missing, step: name, expected: "an image to resample", found: "no color image")
    }
    let detail =
      details.joined(separator: "; ") + "; up to \(plan.movement.pixels.fixed(2)) px "
      + "(\(plan.movement.percent.fixed(2)) %) of the map"
    // How good the lens's own numbers are is not known here; nearest costs half a pixel.
    var effect = CorrectionEffect(before: CorrectionEffect.Deviation())
    effect.before.pixels = plan.movement.pixels
    effect.before.lengthPercent = plan.movement.percent
    effect.before.zMillimeters = record.hasMeters ? 0 : nil
    effect.after.pixels = parts.contains(.depth) ? 0.5 : 0
    return CorrectionApplication(
      ProvenanceStep(kind, detail), before: capture, after: after, effect: effect,
      depthMap: plan.depth,
      undoing: "putting each depth back where it came from, and the color image before it")
  }

  /// The camera of a color image that is not resampled while the map is.
  ///
  /// An image that stays keeps the lens that the map's numbers described; one that is only a file was
  /// not resampled either. Without an image, what is said of its camera is said of rectified pixels,
  /// as the map's is: nothing with the old lens is left that could be applied to the map.
  private func colorCamera(besideMapOf capture: Capture) -> CameraCalibration? {
    guard parts.contains(.color), capture.colorFile == nil else {
      return capture.colorCalibration ?? capture.colorCameraAsStored
    }
    guard direction == .distorting else { return capture.colorCalibration?.rectified }
    let described = capture.depth.flatMap { record in
      lens.map { Capture.turned($0, from: record, to: capture) }
    }
    return capture.colorCalibration.map { described ?? $0 }
  }

  /// Where each pixel of the result lies, which depends on cameras and sizes alone; O(*n*).
  ///
  /// - Throws: As ``application(to:)``.
  package func plan(for capture: Capture) throws(CorrectionError) -> RectificationPlan {
    let record = try capture.requiredDepth(for: name)
    let isRectified = record.isRectified ?? capture.source.isGeometryCorrected
    guard direction == .distorting || isRectified != true else {
      throw CorrectionError(
        .unsupported, step: name, expected: "pixels that still have their distortion",
        found: "rectified ones, by the device or by a step before")
    }
    var lensRecord = record
    if let lens { lensRecord.calibration = lens }
    let camera = try lensRecord.calibrationOfMap(for: name)
    guard let distortion = camera.distortion, !distortion.isZero else {
      throw CorrectionError(.missing, step: name, expected: "a lens distortion", found: "none")
    }
    guard distortion.isPlausible else {
      throw CorrectionError(
        .unsupported, step: name, expected: "a lens that keeps the order of points",
        found: "one that folds the image")
    }
    var plan = RectificationPlan(
      movement: distortion.largestMovement(direction, in: record.size))
    let places = PixelMap(direction, camera)
    if parts.contains(.depth), let places {
      let moved = NearestPixelMap(places)
      plan.depth = moved
      plan.lostCount = moved.lostCount
    }
    if parts.contains(.color), let color = capture.color {
      let described = lens.map { Capture.turned($0, from: record, to: capture) }
      plan.color = try colorPlan(
        color.size, described, of: capture, like: places.map { ($0, camera) })
    }
    return plan
  }

  /// The plan of the color image by its own camera, which often is that of the map.
  private func colorPlan(
    _ size: RasterSize, _ lens: CameraCalibration?, of capture: Capture,
    like map: (places: PixelMap, camera: CameraCalibration)?
  ) throws(CorrectionError) -> (BilinearPlan, camera: CameraCalibration) {
    guard let own = lens ?? capture.colorCalibration ?? capture.colorCameraAsStored,
      own.intrinsics.matchesAspect(of: size)
    else {
      throw CorrectionError(
        .mismatch, step: name, expected: "a calibration of the shape of the color image",
        found: "\(size)")
    }
    let camera = own.scaled(to: size)
    guard size.width >= 2, size.height >= 2,
      let places = camera == map?.camera ? map?.places : PixelMap(direction, camera)
    else {
      throw CorrectionError(
        .missing, step: name, expected: "a lens distortion of the color image", found: "none")
    }
    return (BilinearPlan(places), own)
  }
}

/// Which pixel of map and image each pixel of a rectified one is: the same for all frames of one camera.
package struct RectificationPlan: Sendable {
  /// The largest movement of a pixel of the map, in pixels and in percent.
  let movement: (pixels: Double, percent: Double)
  /// The plan of the map; `nil` where it is not resampled.
  var depth: NearestPixelMap?
  /// How many stored pixels of the map show no more.
  var lostCount = 0
  /// The plan of the color image and the camera it is made by; `nil` where it is not resampled.
  var color: (BilinearPlan, camera: CameraCalibration)?
}

extension Capture {
  /// The camera of the color image in the orientation of its own stored pixels, from the map's
  /// numbers: AVFoundation promises that both show the same field of view.
  var colorCameraAsStored: CameraCalibration? {
    guard let record = depth, let calibration = record.calibration else { return nil }
    return Self.turned(calibration, from: record, to: self)
  }

  fileprivate static func turned(
    _ calibration: CameraCalibration, from record: DepthRecord, to capture: Capture
  ) -> CameraCalibration {
    let turn = record.orientation.followed(by: capture.colorOrientation.inverse)
    return turn == .up ? calibration : calibration.oriented(by: turn)
  }
}

extension CameraCalibration {
  /// The same camera for rectified pixels.
  var rectified: CameraCalibration {
    var copy = self
    copy.distortion = distortion?.withoutMovement
    return copy
  }
}

extension LensDistortion {
  /// The largest movement along the border of an image, in pixels and in percent of the distance
  /// from the center.
  func largestMovement(
    _ direction: PixelMap.Direction, in size: RasterSize
  ) -> (pixels: Double, percent: Double) {
    let last = SIMD2(Double(size.width - 1), Double(size.height - 1))
    var worst = (pixels: 0.0, percent: 0.0)
    for step in 0...64 {
      let share = Double(step) / 64
      let border = [
        last * [share, 0], last * [share, 1], last * [0, share], last * [1, share],
      ]
      for pixel in border {
        let moved = direction == .rectifying ? undistorted(pixel) : distorted(pixel)
        let movement = moved - pixel
        let radius = pixel - center
        let length = (movement * movement).sum().squareRoot()
        let distance = (radius * radius).sum().squareRoot()
        worst.pixels = max(worst.pixels, length)
        if distance > 0 { worst.percent = max(worst.percent, 100 * length / distance) }
      }
    }
    return worst
  }
}
