import PlumblineCorrection
package import PlumblineIO
import PlumblineImages
package import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
package import PlumblineVerification
package import PlumblineExport

/// The numbers that turn a frame's depth into points with their ±, to draw or measure them.
package struct FrameScene: Sendable {
  /// The longest side of color beside a scene, in pixels: it fits a phone's memory and any screen.
  static let maximumColorSide = 1600

  /// Whether depth is in meters.
  package var isMetric: Bool
  /// Whether ``rays`` are a camera's own; if not, they only serve the drawing.
  package var isCalibrated: Bool
  /// The viewing rays of the depth map, free of lens distortion.
  package var rays: RayGrid
  /// σ of one sample by its depth, in meters; 0 where it has no unit.
  package var sigma: SigmaCurve
  /// 1 σ of the scale of lengths in percent; `nil` when unknown.
  package var lengthPercent: Double?
  /// What each point has for itself and what all share, for the ± of what is measured on them; `nil`
  /// for relative depth.
  package var errors: MeasurementErrors?
  /// The word of `check`; `nil` when unknown.
  package var verdict: String?
  /// That the depth is an estimate, by which model and fitted to what; `nil` for a measured one.
  package var estimate: EstimateOrigin?

  /// The scene of a capture that was assessed; `nil` without a depth map.
  package init?(_ check: CaptureAnalysis) {
    guard let corrected = check.corrected else { return nil }
    isMetric = corrected.isMetric
    isCalibrated = corrected.calibration != nil
    rays = Self.rays(of: corrected.calibration, size: corrected.depth.size)
    sigma = check.metricSigma ?? SigmaCurve()
    lengthPercent = check.assessment.uncertainty?.lengthPercent
    errors = check.measurementErrors
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

  /// The member `errors` of a scene, as `Documentation/formats/stream.md` describes it.
  package var errorsDocument: JSONValue {
    guard let errors else { return .null }
    func parts(_ curve: SigmaCurve) -> JSONValue {
      .numbers([curve.constantMeters, curve.perMeter, curve.perMeterSquared])
    }
    let shared = errors.shared
    return .object([
      ("sensor", errors.sensor.map(parts) ?? .null),
      ("middleConfidenceFactor", .number(errors.middleConfidenceFactor)),
      ("focalPercent", .number(shared.focalShare.map { 100 * $0 })),
      (
        "principalPointShare",
        .numbers([shared.principalPointShare.x, shared.principalPointShare.y])
      ),
      ("sharedDepth", parts(shared.depth)), ("noiseLength", .number(errors.region.length)),
    ])
  }

  /// The members of `plumbline.scene/2`, as `Documentation/formats/stream.md` describes them.
  package var document: JSONValue {
    .object([
      ("schema", "plumbline.scene/2"),
      ("metric", .bool(isMetric)), ("calibrated", .bool(isCalibrated)),
      ("rayColumns", .integer(rays.columns)), ("rayRows", .integer(rays.rows)),
      ("rays", .array(rays.directions.flatMap { [.number($0.x), .number($0.y)] })),
      ("sigmaConstant", .number(sigma.constantMeters)),
      ("sigmaPerMeter", .number(sigma.perMeter)),
      ("sigmaPerMeterSquared", .number(sigma.perMeterSquared)),
      ("lengthPercent", .number(lengthPercent)), ("errors", errorsDocument),
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

/// An assessed capture as a viewer gets it: depth as it is measured with, the file's own numbers beside
/// it, and what was found out.
///
/// Everything is in the frame of the depth map's stored pixels, cropped to its clean aperture.
struct FrameMessage {
  private let frame: StreamFrame

  /// Puts a message together; color is encoded where it is no JPEG that can go out as it is.
  ///
  /// - Parameters:
  ///   - check: The capture, its color as pixels or as a file.
  ///   - name: What the frame is called.
  ///   - sequence: Its number.
  ///   - limits: What may be spent on its color, and where that is decoded.
  /// - Throws: ``CaptureReadingError`` for color that cannot be decoded or encoded.
  init(
    _ check: CaptureAnalysis, name: String, sequence: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var capture = check.capture
    let orientation = capture.depth?.orientation ?? capture.colorOrientation
    let jpeg = try Self.colorJPEG(of: capture, in: orientation, limits)
    capture.color = nil
    capture.colorFile = jpeg.map { EncodedImage(.jpeg, bytes: $0.bytes) }
    capture.colorSize = jpeg?.size
    capture.colorOrientation = orientation
    capture.mattes = capture.mattes.map { Self.matte($0, in: orientation) }
    var stored: Raster<Float>?
    if let record = capture.depth, let corrected = check.corrected {
      capture.depth = Self.shown(record, corrected)
      stored = Self.storedValues(of: record)
    }
    var frame = StreamFrame(
      sequence: sequence, name: name, capture: capture, scene: FrameScene(check)?.document)
    frame.storedValues = stored
    self.frame = frame
  }

  /// Puts a live frame together, its maps as the camera gave them.
  ///
  /// - Throws: ``CaptureReadingError`` for color that cannot be encoded.
  init(
    live capture: Capture, sequence: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var shown = capture
    let orientation = capture.depth?.orientation ?? capture.colorOrientation
    let jpeg = try Self.colorJPEG(of: capture, in: orientation, limits)
    shown.color = nil
    shown.colorFile = jpeg.map { EncodedImage(.jpeg, bytes: $0.bytes) }
    shown.colorSize = jpeg?.size
    shown.colorOrientation = orientation
    frame = StreamFrame(sequence: sequence, capture: shown)
  }

  /// The message; O(*n*).
  var bytes: [UInt8] { frame.encoded() }

  /// Color of at most 1600 pixels a side as a JPEG, and its size; `nil` for none.
  private static func colorJPEG(
    of capture: Capture, in orientation: ImageOrientation, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> (bytes: [UInt8], size: RasterSize)? {
    let limit = FrameScene.maximumColorSide
    if let file = capture.colorFile, file.kind == .jpeg, let size = capture.colorSize,
      capture.colorOrientation == .up, orientation == .up, max(size.width, size.height) <= limit
    {
      return (file.bytes, size)
    }
    guard let color = try capture.decodedColor(limits: limits) else { return nil }
    let image = color.reduced(toMaximumSide: limit).oriented(
      by: capture.colorOrientation.followed(by: orientation.inverse))
    guard max(image.width, image.height) <= JPEGEncoder.maximumSide else { return nil }
    return (try JPEGEncoder(quality: 80).encoded(image), image.size)
  }

  private static func matte(_ matte: Matte, in orientation: ImageOrientation) -> Matte {
    var turned = matte
    turned.coverage = matte.coverage.oriented(
      by: matte.orientation.followed(by: orientation.inverse))
    turned.orientation = orientation
    return turned
  }

  /// The record with the depths that are measured with, and the camera that belongs to them; codes
  /// stay beside them, with their own rule.
  private static func shown(_ record: DepthRecord, _ corrected: CorrectedDepth) -> DepthRecord {
    var shown = cropped(record)
    shown.cleanAperture = nil
    shown.values = .depth(corrected.depth)
    shown.calibration = corrected.calibration
    if corrected.isMetric { (shown.accuracy, shown.hasUnit) = (.absolute, true) }
    return shown
  }

  /// The file's own numbers where they are other ones than depths; `nil` for depths.
  private static func storedValues(of record: DepthRecord) -> Raster<Float>? {
    let values: Raster<Float>
    switch record.values {
    case .depth: return nil
    case .disparity(let map): values = map.inverseMeters
    case .range(let map): values = map.meters
    }
    return record.cleanAperture.map { values.cropped(to: $0) } ?? values
  }

  /// The record with the rasters beside its values within its clean aperture.
  private static func cropped(_ record: DepthRecord) -> DepthRecord {
    guard let crop = record.cleanAperture, crop.size != record.size else { return record }
    var result = record
    result.residual = nil
    switch record.storedSamples {
    case .uint8(let codes): result.storedSamples = .uint8(codes.cropped(to: crop))
    case .uint16(let codes, let depth):
      result.storedSamples = .uint16(codes.cropped(to: crop), bitDepth: depth)
    case nil: break
    }
    if let confidence = record.confidence, confidence.levels.size == record.size {
      result.confidence = ConfidenceMap(
        levels: confidence.levels.cropped(to: crop), maximumLevel: confidence.maximumLevel)
    }
    if let sigma = record.sigmaMeters, sigma.size == record.size {
      result.sigmaMeters = sigma.cropped(to: crop)
    }
    if let invented = record.inventedPixels, invented.size == record.size {
      result.inventedPixels = invented.cropped(to: crop)
    }
    return result
  }
}
