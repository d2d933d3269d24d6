import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Recordings in memory, and captures that use every field of the format.
enum MCAPSamples {
  /// A recording of some captures as a file.
  static func file(
    _ captures: [Capture], motion: [MotionSample] = [], axes: WorldAxes = .yUp,
    options: MCAPRecordingOptions = MCAPRecordingOptions(), isFinished: Bool = true
  ) throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = try MCAPRecordingWriter(
      file: try output.makeFile("a.mcap"), header: RecordingHeader(worldAxes: axes, origin: "test"),
      options: options)
    for (index, capture) in captures.enumerated() {
      try writer.append(capture, name: "frame-\(index)")
    }
    try writer.append(motion: motion)
    if isFinished {
      try writer.finish()
    } else {
      try writer.flush()
    }
    return try output.folder.bytes(of: "a.mcap")
  }

  /// Opens a file in memory.
  static func recording(
    _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws -> Recording {
    guard let recording = try Recording(source: MemoryBytes(bytes), limits: limits) else {
      throw CaptureReadingError(.unsupported, expected: "an MCAP file", found: "another")
    }
    return recording
  }

  /// Captures with everything that a depth record can say; numbers by a seed.
  static func full(_ seed: UInt64) -> Capture {
    var generator = SeededGenerator(seed: seed)
    func number() -> Double { Double.random(in: 0.1...0.9, using: &generator) }
    let size = RasterSize(width: 7, height: 5)
    var capture = SampleCaptures.frame(Int(seed % 100))
    capture.source.lensModel = "front \u{1F4F7}"
    capture.source.system = "26.1"
    capture.source.isGeometryCorrected = seed % 2 == 0
    capture.source.capturedAt = "2026-01-02T03:04:05Z"
    capture.colorOrientation = .right
    capture.timestampSeconds = 1e5 * number()
    capture.provenance = [ProvenanceStep(.dequantized, "a = \(number())")]
    capture.findings = [
      Finding(
        .depthFiltered, .caution, "smoothed", effect: .init(zMillimeters: number()),
        evidence: "Filtered", correction: .available)
    ]
    let calibration = fullCalibration(number(), number(), number())
    capture.colorCalibration = calibration
    let raster = Raster<Float>(size: size) { x, y in
      x == y ? .nan : Float.random(in: 0.2...4, using: &generator)
    }
    let values: DepthRecord.Values =
      switch seed % 3 {
      case 0: .depth(DepthMap(meters: raster))
      case 1: .disparity(DisparityMap(inverseMeters: raster))
      default: .range(RangeMap(meters: raster))
      }
    var record = DepthRecord(values: values, storedType: "L008", accuracy: .relative)
    record.calibration = calibration
    record.calibrationUncertainty = CalibrationUncertainty(
      focalLengthPixels: [number(), number()], principalPointPixels: nil,
      radialTerms: seed % 2 == 0 ? [] : [number()], basis: "23 views")
    let codes8 = Raster<UInt8>(size: size) { x, y in UInt8(x + y) }
    let codes16 = Raster<UInt16>(size: size) { x, y in UInt16(300 * x + y) }
    record.storedSamples = seed % 2 == 0 ? .uint8(codes8) : .uint16(codes16, bitDepth: 12)
    record.quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: number(), maximumValue: 3 + number())
    record.nativeType = "hdis"
    record.hasUnit = seed % 4 != 0
    record.isFiltered = true
    record.quality = "low"
    record.isRectified = false
    record.cleanAperture = PixelRectangle(x: 1, y: 2, width: 4, height: 3)
    record.orientation = .leftMirrored
    record.confidence = ConfidenceMap(
      levels: Raster(size: size) { x, _ in UInt8(x) }, maximumLevel: 6)
    record.sigmaMeters = raster.map { $0 / 100 }
    record.inventedPixels = raster.map { $0 > 2 ? UInt8(1) : 0 }
    capture.depth = record
    return capture
  }

  /// A camera with a table in one direction and a polynomial in the other, about its own center.
  static func fullCalibration(_ a: Double, _ b: Double, _ c: Double) -> CameraCalibration {
    let size = RasterSize(width: 70, height: 50)
    var lens = LensDistortion(
      center: [34 + a, 25 + b], size: size, pixelSizeMillimeters: 0.001 * c,
      distorting: .table((0..<42).map { Float(a) * Float($0) / 4096 }),
      undistorting: .coefficients([0, -a, b, c]))
    lens.maximumRadius += a
    return CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [60 + a, 61 + b], principalPoint: [34 + b, 24 + c], size: size),
      pixelSizeMillimeters: 0.0013 + a / 1e6, distortion: lens,
      extrinsics: CameraExtrinsics(
        rotation: Rotation(x: [0, 1, 0], y: [-1, 0, 0], z: [0, 0, 1]),
        translationMillimeters: [a, b, c]))
  }
}
