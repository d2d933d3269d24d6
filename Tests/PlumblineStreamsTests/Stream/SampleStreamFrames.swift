import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineStreams
/// Frames with everything that a message can hold.
enum SampleStreamFrames {
  static let size = RasterSize(width: 21, height: 9)

  /// A map of any kind by its seed: halves, singles, or codes of 8 or 16 bits with their line.
  static func frame(_ seed: UInt64) -> StreamFrame {
    var generator = SeededGenerator(seed: seed)
    var capture = SampleCaptures.frame(Int(seed))
    capture.source.lensModel = "back “LiDAR” <lens>"
    capture.source.system = "iOS 26"
    capture.source.isGeometryCorrected = seed % 2 == 0
    capture.colorOrientation = ImageOrientation.allCases[Int(seed % 8)]
    if seed % 3 > 0 {
      let kind = EncodedImage.Kind.allCases[Int(seed % 3)]
      capture.color = nil
      capture.colorFile = EncodedImage(kind, bytes: (0..<50).map { UInt8(5 * $0) })
    }
    capture.depth = record(seed, &generator)
    capture.depth?.orientation = seed % 4 == 0 ? .left : capture.colorOrientation
    capture.colorCalibration = seed % 2 == 0 ? calibration(seed) : nil
    capture.mattes = [
      Matte(
        kind: .hair, coverage: Raster(size: size) { x, y in UInt8(x > 5 && y > 3 ? 255 : 7 * x) },
        orientation: .down),
      Matte(
        kind: .skin, coverage: Raster(size: size, repeating: 0),
        orientation: capture.colorOrientation),
    ]
    return StreamFrame(
      sequence: Int(seed), name: seed % 2 == 0 ? "frame \(seed)" : nil, capture: capture,
      scene: seed % 5 == 0
        ? ["schema": "plumbline.scene/2", "metric": true, "rays": [0.5, -0.25]] : nil)
  }

  private static func calibration(_ seed: UInt64) -> CameraCalibration {
    let camera = PinholeIntrinsics(
      focalLength: [2881.155, 2880.5 + Double(seed) / 3], principalPoint: [1536.593, 1149.325],
      size: RasterSize(width: 3088, height: 2316))
    let table = RadialMagnification.table((0..<42).map { Float($0 * $0) * -1.7e-6 })
    let percents = RadialMagnification.coefficients([0, 0.01, -0.0003, 1e-6, 0, 0, 0, 0])
    let isTable = seed % 2 == 0
    var lens = LensDistortion(
      center: [1540.25, 1150.125], size: camera.size, pixelSizeMillimeters: isTable ? 0 : 0.001,
      distorting: isTable ? table : percents, undistorting: seed % 3 == 0 ? nil : table)
    lens.maximumRadius += 0.5
    return CameraCalibration(
      intrinsics: camera, pixelSizeMillimeters: 0.001, distortion: lens,
      extrinsics: CameraExtrinsics(
        rotation: Rotation(x: [0, 1, 0], y: [-1, 0, 0], z: [0, 0, 1]),
        translationMillimeters: [11.5, -0.25, 0]))
  }

  private static func record(
    _ seed: UInt64, _ generator: inout SeededGenerator
  ) -> DepthRecord {
    let random = Raster(size: size) { _, _ in generator.next() }
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 0.493652, maximumValue: 3.402344)
    let bytes = random.map { UInt8(truncatingIfNeeded: $0 >> 20) }
    let millimeters = random.map { $0 % 9 == 0 ? UInt16(0) : UInt16($0 % 5000) }
    let floats = random.map {
      $0 % 9 == 0 ? DepthMap.missing : Float($0 % 1_000_003) / 317_000 + 0.2
    }
    var record: DepthRecord
    switch seed % 5 {
    case 0:
      let values = DisparityMap(inverseMeters: rule.values(of: .uint8(bytes)))
      record = DepthRecord(values: .disparity(values), storedType: "L008", accuracy: .relative)
      record.storedSamples = .uint8(bytes)
      record.quantization = rule
      record.nativeType = "hdis"
    case 1:
      record = DepthRecord(
        values: .depth(DepthMap(millimeters: millimeters)), storedType: "u16", accuracy: .absolute)
      record.storedSamples = .uint16(millimeters, bitDepth: 13)
      record.quantization = LinearQuantization(
        minimumCode: 0, maximumCode: 65535, minimumValue: 0, maximumValue: 65.535)
    case 2:
      let halves = DepthMap(meters: floats).halfPrecisionMeters.map { HalfPrecision.value($0) }
      record = DepthRecord(
        values: .disparity(DisparityMap(inverseMeters: halves)), storedType: "hdis")
    case 3:
      // The values were corrected; what the file held goes beside them.
      record = DepthRecord(values: .range(RangeMap(meters: floats)), storedType: "u16")
      record.storedSamples = .uint16(millimeters, bitDepth: 16)
    default:
      record = DepthRecord(values: .depth(DepthMap(meters: floats)), storedType: "fdep")
    }
    record.hasUnit = seed % 3 > 0
    record.isFiltered = seed % 2 == 0
    record.isRectified = seed % 4 == 0 ? nil : seed % 4 == 1
    record.quality = seed % 2 == 0 ? "high" : nil
    record.calibration = calibration(seed + 1)
    record.cleanAperture = PixelRectangle(x: 2, y: 1, width: 18, height: 7)
    record.confidence = ConfidenceMap(levels: random.map { UInt8($0 % 3) }, maximumLevel: 2)
    record.sigmaMeters = floats.map { $0 * 0.004 }
    record.inventedPixels = random.map { UInt8($0 % 17 == 0 ? 1 : 0) }
    // Of any size; below 0 too.
    let start = Float(seed)
    let residual = Raster(size: RasterSize(width: 5, height: 3)) { x, y -> Float in
      if x == y { return .nan }
      let slope = 2.5 * Float(y)
      return start + Float(x) - slope
    }
    record.residual = DepthResidual(
      meters: residual, sigmaMeters: residual.map { abs($0) * 0.01 })
    return record
  }
}
