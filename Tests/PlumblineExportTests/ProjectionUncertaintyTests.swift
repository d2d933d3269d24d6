import PlumblineExport
import PlumblineIO
import PlumblineModel
import Testing

/// How far pixels can be off, through `calibration.json` and back.
@Suite struct ProjectionUncertaintyTests {
  static let map = ProjectionUncertainty(
    columns: 3, rows: 2, sigmaPixels: [0.1, 0.2, 0.7, 0.15, 0.25, 1.5],
    cornerCounts: [4, 9, 0, 3, 1, 0], imageWidth: 640)

  private var document: JSONValue {
    let size = RasterSize(width: 640, height: 480)
    return CalibrationDocument(
      calibration: CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [530, 530], principalPoint: [319, 240], size: size)), mapSize: size,
      uncertainty: CalibrationUncertainty(
        focalLengthPixels: [0.5, 0.5], projection: Self.map, basis: "a board"),
      origin: ExportOrigin(producer: "test")
    ).json
  }

  @Test("What is written is read back, number for number")
  func roundTrip() throws {
    let read = try CalibrationDocument(document)
    #expect(read.uncertainty?.projection == Self.map)
  }

  @Test(
    "Cells that do not fit their numbers are refused with their place",
    arguments: ["4", "0", "1e9", "2.5"])
  func hostile(columns: String) throws {
    let text = JSONWriter(layout: .compact).text(document)
      .replacing("\"columns\":3", with: "\"columns\":\(columns)")
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(throws: CalibrationReadingError.self) { try CalibrationDocument(value) }
  }

  @Test("Between the middles of cells it is linear, and shares do not depend on the image's size")
  func interpolation() {
    #expect(abs(Self.map.sigmaShare(at: [1.0 / 6, 0.25]) * 640 - 0.1) < 1e-12)
    #expect(abs(Self.map.sigmaShare(at: [1.0 / 3, 0.25]) * 640 - 0.15) < 1e-12)
    #expect(abs(Self.map.sigmaShare(at: [0, 0.5]) * 640 - 0.125) < 1e-12)
    #expect(Self.map.sigmaShare(at: [2, 2]) * 640 == 1.5)
    #expect(Self.map.isCovered(at: [0.5, 0.9]) && !Self.map.isCovered(at: [0.9, 0.1]))
    #expect(abs(Self.map.coveredShare - 4.0 / 6) < 1e-12)
  }
}
