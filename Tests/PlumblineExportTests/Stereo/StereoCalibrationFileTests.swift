import PlumblineExport
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStereo
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct StereoCalibrationFileTests {
  private static func sample() throws -> StereoCalibration {
    let size = RasterSize(width: 640, height: 480)
    let turn = try #require(Rotation(axisAngle: [0.011, -0.023, 0.007]))
    var calibration = StereoCalibration(
      left: CameraModel(
        intrinsics: PinholeIntrinsics(
          focalLength: [533.83990509, 534.1], principalPoint: [341.5, 235.125], size: size),
        lens: .polynomial(radial: [-0.28, 0.06, 0.0013], tangential: [1.0 / 3, -0.0002])),
      right: CameraModel(
        intrinsics: PinholeIntrinsics(
          focalLength: [536.78, 536.78], principalPoint: [326.4, 249.3], size: size)),
      rightFromLeft: RigidTransform(rotation: turn, translation: [-0.0831, 0.0011, -0.0002]))
    calibration.uncertainty = StereoUncertainty(
      baselineMeters: 0.0001, focalLengthShare: 0.0015, rotationRadians: [0.001, 0.002, 0.0001],
      translationMeters: [1e-4, 2e-4, 3e-4], basis: "made up")
    calibration.rightCleanAperture = PixelRectangle(x: 8, y: 4, width: 600, height: 470)
    return calibration
  }

  private static func read(_ calibration: StereoCalibration) throws -> StereoCalibration {
    let document = StereoCalibrationDocument(calibration, origin: ExportOrigin(producer: "test"))
    let file = try StereoCalibrationFile(parsing: JSONWriter().bytes(document.json))
    #expect(file.format == .plumbline)
    return file.calibration
  }

  @Test func ownDocumentsComeBackBitForBit() throws {
    var calibration = try Self.sample()
    #expect(try Self.read(calibration) == calibration)
    calibration.isMetric = false
    calibration.uncertainty = nil
    // Tables and coefficients of Apple's, each with one direction given.
    let size = calibration.right.intrinsics.size
    calibration.left.lens = .radial(
      LensDistortion(
        center: [300, 220], size: size, distorting: .table([0, 0.01, 0.03]), undistorting: nil))
    calibration.right.lens = .radial(
      LensDistortion(
        center: [310, 230], size: size, pixelSizeMillimeters: 0.001,
        distorting: .coefficients([0, 0.1, -0.3]), undistorting: .coefficients([0, -0.1, 0.3])))
    #expect(try Self.read(calibration) == calibration)
  }

  @Test func openCVsFileComesBackWithTheSameNumbers() throws {
    var calibration = try Self.sample()
    // OpenCV's file has no place for these.
    calibration.uncertainty = nil
    calibration.rightCleanAperture = nil
    let bytes = try #require(OpenCVStereoCalibration(calibration)).bytes
    let file = try StereoCalibrationFile(parsing: bytes)
    #expect(file.format == .openCV)
    #expect(file.calibration == calibration)
  }

  /// What is read can be written in the own format and read again: both have the same limits.
  @Test(arguments: [
    ("lens", "-1e308"), ("lens", "1e9"), ("lens", "0.29999e8"), ("translation", "999999."),
    ("translation", "-2e6"), ("translation", "300."),
  ])
  func whatOpenCVsFileSaysTheOwnFormatTakes(_ place: String, _ number: String) throws {
    let text = """
      M1: !!opencv-matrix
         rows: 3
         cols: 3
         dt: d
         data: [ 500., 0., 320., 0., 500., 240., 0., 0., 1. ]
      D1: !!opencv-matrix
         rows: 1
         cols: 4
         dt: d
         data: [ 0.1, \(place == "lens" ? number : "-1."), 0., 0. ]
      M2: !!opencv-matrix
         rows: 3
         cols: 3
         dt: d
         data: [ 500., 0., 320., 0., 500., 240., 0., 0., 1. ]

      """
    var bytes = Array("%YAML:1.0\n\(text)\(Self.extrinsics.dropFirst(10))".utf8)
    if place == "translation" {
      let words = String(decoding: bytes, as: UTF8.self).replacing("-3.34", with: number)
      bytes = Array("\(words)translation_unit_meters: 1000.\n".utf8)
    }
    let size = RasterSize(width: 640, height: 480)
    let file = Result { try StereoCalibrationFile(parsing: bytes, imageSize: size) }
    if ["0.29999e8", "300."].contains(number) {
      let calibration = try file.get().calibration
      #expect(try Self.read(calibration) == calibration)
    } else {
      #expect {
        try file.get()
      } throws: {
        ($0 as? CalibrationReadingError)?.reason == .malformed
      }
    }
  }

  @Test func aTableHasNoWordInOpenCV() throws {
    var calibration = try Self.sample()
    calibration.left.lens = .radial(
      LensDistortion(
        center: [300, 220], size: calibration.left.intrinsics.size, distorting: .table([0, 0.01]),
        undistorting: nil))
    #expect(OpenCVStereoCalibration(calibration) == nil)
  }

  private static let extrinsics = """
    %YAML:1.0
    R: !!opencv-matrix
       rows: 3
       cols: 3
       dt: d
       data: [ 1., 0., 0., 0., 1., 0., 0., 0., 1. ]
    T: !!opencv-matrix
       rows: 3
       cols: 1
       dt: d
       data: [ -3.34, 0.05, 0.01 ]

    """

  @Test(.enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func openCVsOwnIntrinsicsGoWithItsExtrinsics() throws {
    let bytes = try RealData.bytes("boards/intrinsics.yml")
    let size = RasterSize(width: 640, height: 480)
    let calibration = try StereoCalibrationFile(
      parsing: bytes, extrinsics: Array(Self.extrinsics.utf8), imageSize: size
    ).calibration
    #expect(calibration.left.intrinsics.focalLength.x == 534.80326845051309)
    #expect(calibration.right.intrinsics.principalPoint.y == 242.05324573376600)
    // Squares of a board: no meters, and not said to be.
    #expect(!calibration.isMetric)
    #expect(calibration.rightFromLeft.translation.x == -3.34)
    #expect {
      try StereoCalibrationFile(parsing: bytes, extrinsics: Array(Self.extrinsics.utf8))
    } throws: { ($0 as? CalibrationReadingError)?.reason == .missing }
    #expect {
      try StereoCalibrationFile(parsing: bytes, imageSize: size)
    } throws: { ($0 as? CalibrationReadingError)?.reason == .missing }
  }

  private static let xml = """
    <?xml version="1.0"?>
    <opencv_storage>
    <image_width>320</image_width>
    <image_height>240</image_height>
    <M1 type_id="opencv-matrix">
      <rows>3</rows>
      <cols>3</cols>
      <dt>d</dt>
      <data>
        300. 0. 160. 0. 300. 120.
        0. 0. 1.</data></M1>
    <D1 type_id="opencv-matrix"><rows>1</rows><cols>5</cols><dt>d</dt><data>
        -1.0e-01 2.0e-02 0. 0. 0.</data></D1>
    <M2 type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt><data>
        310. 0. 161. 0. 310. 121. 0. 0. 1.</data></M2>
    <D2 type_id="opencv-matrix"><rows>1</rows><cols>5</cols><dt>d</dt><data>
        0. 0. 0. 0. 0.</data></D2>
    <R type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt><data>
        1. 0. 0. 0. 1. 0. 0. 0. 1.</data></R>
    <T type_id="opencv-matrix"><rows>3</rows><cols>1</cols><dt>d</dt><data>
        -6.0e-02 0. 0.</data></T>
    </opencv_storage>

    """

  @Test func openCVsXMLIsRead() throws {
    let calibration = try StereoCalibrationFile(parsing: Array(Self.xml.utf8)).calibration
    #expect(calibration.left.intrinsics.size == RasterSize(width: 320, height: 240))
    #expect(calibration.left.lens == .polynomial(radial: [-0.1, 0.02, 0], tangential: .zero))
    #expect(calibration.right.lens == .none)
    #expect(calibration.rightFromLeft.translation == [-0.06, 0, 0])
    #expect(calibration.isMetric)
  }

  /// Damaged bytes end in an error of this kind or in numbers, never in a trap.
  @Test func damagedFilesAreRefusedInWords() throws {
    let whole = try Self.sample()
    let document = StereoCalibrationDocument(whole, origin: ExportOrigin(producer: "test"))
    let files = [
      JSONWriter().bytes(document.json), try #require(OpenCVStereoCalibration(whole)).bytes,
      Array(Self.xml.utf8),
    ]
    var refused = 0
    for file in files {
      for length in stride(from: 0, to: file.count, by: 37) {
        do throws(CalibrationReadingError) {
          _ = try StereoCalibrationFile(parsing: Array(file[..<length]))
        } catch {
          refused += 1
          #expect(!error.description.isEmpty)
        }
      }
      var generator = SeededGenerator(seed: 8)
      for _ in 0..<300 {
        var copy = file
        for _ in 0..<3 {
          copy[Int(generator.next() % UInt64(file.count))] = UInt8(32 + generator.next() % 96)
        }
        _ = try? StereoCalibrationFile(parsing: copy)
      }
    }
    #expect(refused > 50)
  }
}
