import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing
@testable import PlumblineImages
@testable import PlumblineIO

@testable import PlumblineExport

@Suite struct CalibrationReadingTests {
  static let size = RasterSize(width: 640, height: 480)
  static let camera = PinholeIntrinsics(
    focalLength: [535.91573396163199, 535.91573396163199],
    principalPoint: [342.28315473308373, 235.57082909788173], size: size)
  static let radial = SIMD3(-0.266, -0.0386, 0.2384)
  static let sigma = CalibrationUncertainty(
    focalLengthPixels: [0.8, 0.81], principalPointPixels: [0.5, 0.6],
    radialTerms: [0.001, 0.002, 0.003], basis: "covariance of 13 views")

  private var yaml: OpenCVCalibrationYAML {
    OpenCVCalibrationYAML(
      camera: CameraModel(
        intrinsics: Self.camera,
        lens: .polynomial(radial: Self.radial, tangential: .zero)),
      uncertainty: Self.sigma, reprojectionRMSPixels: 0.39)
  }

  @Test func yamlComesBackBitForBit() throws {
    #expect(try OpenCVCalibrationYAML(parsing: yaml.bytes) == yaml)
  }

  @Test func polynomialBecomesALensAndBack() throws {
    let calibration = try yaml.calibration()
    #expect(calibration.distortion?.center == Self.camera.principalPoint)
    let back = try #require(OpenCVCalibrationYAML(calibration))
    guard case .polynomial(let radial, let tangential) = back.camera.lens else {
      Issue.record("no polynomial")
      return
    }
    // Relative: three products of rounded factors.
    for term in 0..<3 { #expect(abs(radial[term] / Self.radial[term] - 1) < 1e-14) }
    #expect(tangential == .zero)
  }

  @Test(arguments: [
    ("left_intrinsics.yml", "p1 = "), ("intrinsics.yml", "camera_matrix"),
    ("tutorial_camera_charuco.yml", ""),
  ])
  func openCVsOwnFilesAreReadOrRefusedInWords(_ name: String, _ words: String) throws {
    guard RealData.isPresent else { return }
    let bytes = try RealData.bytes("boards/\(name)")
    do throws(CalibrationReadingError) {
      let file = try OpenCVCalibrationYAML(parsing: bytes, imageSize: Self.size)
      #expect(file.camera.intrinsics.focalLength.x > 100)
      if !words.isEmpty { _ = try file.calibration() }
      #expect(words.isEmpty)
    } catch {
      #expect(!words.isEmpty && error.description.contains(words), "\(error)")
    }
  }

  @Test(.enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func openCVReadsTheSameAndMovesPointsAlike() throws {
    let read = try ExportOracle("read", yaml.bytes, script: "opencv_calibration.py", name: "c.yml")
    let numbers = try #require(read.about.split(separator: "]").first).drop { "[ ".contains($0) }
    let matrix = numbers.split(separator: ",").compactMap { Double($0.drop { $0 == " " }) }
    let f = Self.camera.focalLength
    let c = Self.camera.principalPoint
    #expect(matrix == [f.x, 0, c.x, 0, f.y, c.y, 0, 0, 1])
    let bytes = try ExportOracle.bytes(
      "points", yaml.bytes, script: "opencv_calibration.py", name: "c.yml")
    let moved = bytes.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
    let lens = try #require(try yaml.calibration().distortion)
    var worst = 0.0
    for row in 0..<7 {
      for column in 0..<9 {
        let pixel = SIMD2(639 * Double(column) / 8, 479 * Double(row) / 6)
        let ours = lens.undistorted(pixel)
        let index = 2 * (9 * row + column)
        worst = max(worst, abs(ours.x - moved[index]), abs(ours.y - moved[index + 1]))
      }
    }
    // Pixels: both invert one polynomial; OpenCV stops its iteration at 1e-12, bisection at 1e-9.
    #expect(worst < 1e-6)
  }

  @Test(arguments: [
    "", "{}", "%YAML:1.0", "%YAML:1.0\ncamera_matrix: 3",
    "%YAML:1.0\nimage_width: 640\nimage_height: 480\ncamera_matrix: !!opencv-matrix\n data: [ 1, x ]",
    "%YAML:1.0\nimage_width: -3\nimage_height: 480\ncamera_matrix: !!m\n data: [1,0,0,0,1,0,0,0,1]",
    "%YAML:1.0\nimage_width: 1e300\nimage_height: 480\ncamera_matrix: !!m\n data: [1,0,0,0,1,0,0,0,1]",
    "%YAML:1.0\nimage_width: 640\nimage_height: 480\ncamera_matrix: !!m\n data: [nan,0,0,0,1,0,0,0,1]",
    "%YAML:1.0\nimage_width: 640\nimage_height: 480\ncamera_matrix: !!m\n data: ][",
  ])
  func brokenYAMLIsRefused(_ text: String) {
    #expect(throws: CalibrationReadingError.self) {
      try OpenCVCalibrationYAML(parsing: Array(text.utf8))
    }
  }

  @Test func cutYAMLNeverTraps() {
    let bytes = yaml.bytes
    for length in 0..<bytes.count {
      _ = try? OpenCVCalibrationYAML(parsing: Array(bytes[..<length]))
    }
  }

  @Test func open3DStandsColumnAfterColumn() throws {
    let file = Open3DIntrinsicsJSON(Self.camera)
    #expect(file.json["intrinsic_matrix"]?.elements?[6] == .number(Self.camera.principalPoint.x))
    #expect(try Open3DIntrinsicsJSON(file.json) == file)
    #expect(throws: CalibrationReadingError.self) { try Open3DIntrinsicsJSON(["width": 640]) }
  }

  @Test(arguments: [
    RadialMagnification.table((0..<42).map { 0.0002 * Float($0) }),
    .coefficients([0, -1.5, 0.25, 0, 0, 0, 0, 0]),
  ])
  func documentComesBack(_ magnification: RadialMagnification) throws {
    let size = RasterSize(width: 3088, height: 2316)
    let document = CalibrationDocument(
      calibration: CameraCalibration(
        intrinsics: Self.camera.scaled(to: size), pixelSizeMillimeters: 0.001,
        distortion: LensDistortion(
          center: [1535.9, 1157.8], size: size, pixelSizeMillimeters: 0.001,
          distorting: magnification, undistorting: nil),
        extrinsics: CameraExtrinsics(
          rotation: Rotation(turning: .right), translationMillimeters: [1, 2, 3])),
      mapSize: Self.size, orientation: .right, isRectified: false,
      sigma: SigmaCurve(constantMeters: 0.001, perMeter: 0, perMeterSquared: 0.002),
      uncertainty: Self.sigma, origin: ExportOrigin(producer: "plumbline"))
    let back = try CalibrationDocument(document.json)
    #expect(back.calibration == document.calibration)
    #expect(back.uncertainty == document.uncertainty)
    #expect(back.orientation == .right && back.isRectified == false && back.mapSize == Self.size)
    #expect(back.json == document.json)
  }

  @Test(
    arguments: [
      ["schema": "plumbline.calibration/2"], ["schema": "plumbline.calibration/1"], 3, nil,
      ["schema": "plumbline.calibration/1", "depthMap": ["width": 0, "height": 5]],
      [
        "schema": "plumbline.calibration/1", "depthMap": ["width": 6, "height": 5],
        "reference": ["width": 6, "height": 5, "fx": -1, "fy": 1, "cx": 0, "cy": 0],
      ],
      [
        "schema": "plumbline.calibration/1", "depthMap": ["width": 6, "height": 5],
        "reference": ["width": 6, "height": 5, "fx": 5, "fy": 5, "cx": 0, "cy": 0],
        "distortion": ["center": [0, 0]],
      ],
    ] as [JSONValue])
  func wrongDocumentsAreRefused(_ json: JSONValue) {
    #expect(throws: CalibrationReadingError.self) { try CalibrationDocument(json) }
  }
}
