import Foundation
import PlumblineExport
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct CalibrationDocumentTests {
  static let size = RasterSize(width: 3088, height: 2316)
  static let map = RasterSize(width: 640, height: 480)
  static let table: [Float] = (0..<42).map { 0.0002 * Float($0) - 0.000001 * Float($0 * $0) }
  let origin = ExportOrigin(producer: "plumbline 0.1.0")

  private func calibration(
    distorting: RadialMagnification?, undistorting: RadialMagnification?
  ) -> CameraCalibration {
    CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [2720.72, 2720.72], principalPoint: [1535.93, 1157.79], size: Self.size),
      pixelSizeMillimeters: 0.001,
      distortion: LensDistortion(
        center: [1535.9, 1157.8], size: Self.size, pixelSizeMillimeters: 0.001,
        distorting: distorting, undistorting: undistorting),
      extrinsics: CameraExtrinsics(
        rotation: Rotation(turning: .right), translationMillimeters: [-9.5, 0.25, 1]))
  }

  private func document(_ calibration: CameraCalibration?) -> CalibrationDocument {
    CalibrationDocument(
      calibration: calibration, mapSize: Self.map, orientation: .right, isRectified: false,
      sigma: SigmaCurve(constantMeters: 0.001, perMeter: 0, perMeterSquared: 0.002), origin: origin)
  }

  @Test func intrinsicsStandAtBothSizes() {
    let json = document(calibration(distorting: .table(Self.table), undistorting: nil)).json
    #expect(json["schema"] == "plumbline.calibration/1")
    #expect(json["reference"]?["cx"] == 1535.93)
    #expect(json["reference"]?["width"] == 3088)
    #expect(json["depthMap"]?["width"] == 640)
    let scaled = calibration(distorting: .table([]), undistorting: nil).intrinsics.scaled(
      to: Self.map)
    #expect(json["depthMap"]?["cx"] == .number(scaled.principalPoint.x))
    #expect(json["depthMap"]?["fy"] == .number(scaled.focalLength.y))
    #expect(json["orientation"]?["exif"] == 6)
    #expect(json["rectified"] == false)
    #expect(json["sigma"]?["perMeterSquared"] == 0.002)
    #expect(json["sourceSha256"] == .null)
  }

  @Test func extrinsicsAreFourColumnsInMillimeters() {
    let json = document(calibration(distorting: .table(Self.table), undistorting: nil)).json
    let columns: [Double] = [0, 1, 0, -1, 0, 0, 0, 0, 1, -9.5, 0.25, 1]
    #expect(json["extrinsics"]?["matrix"] == .numbers(columns))
    #expect(json["extrinsics"]?["isReference"] == false)
  }

  @Test func unknownIsNull() {
    let json = CalibrationDocument(calibration: nil, mapSize: Self.map, origin: origin).json
    for key in ["reference", "distortion", "rectified", "extrinsics", "sigma"] {
      #expect(json[key] == .null)
    }
    #expect(json["depthMap"]?["fx"] == .null)
    #expect(json["depthMap"]?["width"] == 640)
    let square = CalibrationDocument(
      calibration: calibration(distorting: .table(Self.table), undistorting: nil),
      mapSize: RasterSize(width: 480, height: 480), origin: origin)
    #expect(square.json["depthMap"]?["fx"] == .null)
    #expect(square.json["reference"]?["fx"] == 2720.72)
  }

  @Test func givenFormsAreKept() {
    let percents: [Double] = [0, 0.2, -0.01]
    let json = document(
      calibration(distorting: .coefficients(percents), undistorting: .table(Self.table))
    ).json["distortion"]
    #expect(json?["undistortedToDistorted"]?["source"] == "coefficients")
    #expect(json?["undistortedToDistorted"]?["coefficients"] == .numbers(percents))
    #expect(json?["distortedToUndistorted"]?["source"] == "table")
    #expect(json?["distortedToUndistorted"]?["coefficients"] == .null)
    #expect(
      json?["distortedToUndistorted"]?["table"] == .array(Self.table.map { .number($0) }))
    #expect(json?["maximumRadius"] != .null)
  }

  /// Undistorts as a reader would who has nothing but the file.
  @Test(arguments: [
    RadialMagnification.table(table), .coefficients([0, 0.3, -0.05, 0.002]),
  ])
  func tablesOfTheFileMovePointsAsTheLensDoes(given: RadialMagnification) throws {
    let calibration = calibration(distorting: given, undistorting: nil)
    let lens = try #require(calibration.distortion)
    let text = JSONWriter().bytes(document(calibration).json)
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    let distortion = try #require(parsed["distortion"] as? [String: Any])
    let center = try #require(distortion["center"] as? [Double])
    let maximum = try #require(distortion["maximumRadius"] as? Double)

    func moved(_ point: SIMD2<Double>, by direction: String) throws -> SIMD2<Double> {
      let entry = try #require(distortion[direction] as? [String: Any])
      let table = try #require(entry["table"] as? [Double])
      let offset = point - SIMD2(center[0], center[1])
      let position = (offset * offset).sum().squareRoot() / maximum * Double(table.count - 1)
      let index = min(Int(position), table.count - 2)
      let fraction = position - Double(index)
      return point + offset * (table[index] * (1 - fraction) + table[index + 1] * fraction)
    }

    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let point = SIMD2(random.uniform(in: 100..<2988), random.uniform(in: 100..<2216))
      let there = try moved(point, by: "undistortedToDistorted") - lens.distorted(point)
      let back = try moved(point, by: "distortedToUndistorted") - lens.undistorted(point)
      // Pixels: the error of 256 linear pieces. A given table is the lens itself.
      #expect((there * there).sum().squareRoot() < 0.01)
      #expect((back * back).sum().squareRoot() < 0.01)
    }
  }
}
