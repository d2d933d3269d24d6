import PlumblineCorrection
public import PlumblineIO
public import PlumblineModel
import PlumblineVerification
public import PlumblineViewer

/// The numbers that turn a frame's depth into points with their ±, to draw or measure them.
public struct FrameScene: Sendable {
  /// The longest side of color beside a scene, in pixels: it fits a phone's memory and any screen.
  static let maximumColorSide = 1600

  /// Whether depth is in meters.
  public var isMetric: Bool
  /// Whether ``rays`` are a camera's own; if not, they only serve the drawing.
  public var isCalibrated: Bool
  /// The viewing rays of the depth map, free of lens distortion.
  public var rays: RayGrid
  /// σ of one sample by its depth, in meters; 0 where it has no unit.
  public var sigma: SigmaCurve
  /// 1 σ of the scale of lengths in percent; `nil` when unknown.
  public var lengthPercent: Double?
  /// The word of `check`; `nil` when unknown.
  public var verdict: String?
  /// That the depth is an estimate, by which model and fitted to what; `nil` for a measured one.
  public var estimate: EstimateOrigin?

  /// The scene of a capture that was assessed; `nil` without a depth map.
  public init?(_ check: CaptureCheck) {
    guard let corrected = check.corrected else { return nil }
    isMetric = corrected.isMetric
    isCalibrated = corrected.calibration != nil
    rays = Self.rays(of: corrected.calibration, size: corrected.depth.size)
    sigma = check.metricSigma ?? SigmaCurve()
    lengthPercent = check.assessment.uncertainty?.lengthPercent
    verdict = check.assessment.verdict.rawValue
    estimate = check.capture.estimate
  }

  /// The focal length of a map without a calibration: a field of view of 60° along the longer side.
  static func usualFocalLengthPixels(of size: RasterSize) -> Double {
    Double(max(size.width, size.height)) * 0.866
  }

  /// The rays of a map through its camera.
  ///
  /// Without a camera they are those of a field of view of 60° along the longer side.
  static func rays(of camera: CameraCalibration?, size: RasterSize) -> RayGrid {
    let focal = usualFocalLengthPixels(of: size)
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    return RayGrid(size: size) { x, y in
      let pixel = SIMD2(x, y)
      guard let camera else { return (pixel - middle) / focal }
      let undistorted = camera.distortion?.undistorted(pixel) ?? pixel
      return (undistorted - camera.intrinsics.principalPoint) / camera.intrinsics.focalLength
    }
  }

  /// The members of `plumbline.scene/2`, as `Documentation/formats/stream.md` describes them.
  public var document: JSONValue {
    .object([
      ("schema", "plumbline.scene/2"),
      ("metric", .bool(isMetric)), ("calibrated", .bool(isCalibrated)),
      ("rayColumns", .integer(rays.columns)), ("rayRows", .integer(rays.rows)),
      ("rays", .array(rays.directions.flatMap { [.number($0.x), .number($0.y)] })),
      ("sigmaConstant", .number(sigma.constantMeters)),
      ("sigmaPerMeter", .number(sigma.perMeter)),
      ("sigmaPerMeterSquared", .number(sigma.perMeterSquared)),
      ("lengthPercent", .number(lengthPercent)),
      ("verdict", .string(verdict)),
      (
        "estimate",
        estimate.map {
          .object([("model", .string($0.model)), ("fittedTo", .string($0.fittedTo))])
        } ?? .null
      ),
    ])
  }
}
