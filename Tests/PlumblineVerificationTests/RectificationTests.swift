import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineVerification
import Testing

@Suite struct RectificationTests {
  static let size = RasterSize(width: 120, height: 160)
  /// A made-up front camera whose distortion is not monotonic.
  static let phone = DemoCapture.healthy.camera.scaled(to: size).calibration
  /// The same lens with one direction only, which has to be inverted.
  static let oneDirection: CameraCalibration = {
    var calibration = phone
    calibration.distortion?.undistorting = nil
    return calibration
  }()

  static func record(_ calibration: CameraCalibration?) -> DepthRecord {
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size, repeating: 1))), storedType: "fdep",
      accuracy: .absolute)
    record.calibration = calibration
    return record
  }

  @Test(arguments: [
    phone, oneDirection, phone.cropped(to: PixelRectangle(x: 3, y: 9, width: 80, height: 99)),
  ])
  func theBorderIsTheSlowOne(_ calibration: CameraCalibration) throws {
    let size = calibration.intrinsics.size
    let lens = try #require(calibration.distortion)
    let border = Rectification.Border(of: lens, in: size)
    var pixels = 0.0
    var percent = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width
      where x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1 {
        let pixel = SIMD2(Double(x), Double(y))
        let moved = Oracle.undistorted(pixel, lens) - pixel
        let radius = pixel - lens.center
        let length = (moved * moved).sum().squareRoot()
        pixels = max(pixels, length)
        percent = max(percent, 100 * length / (radius * radius).sum().squareRoot())
      }
    }
    // The inversion stops at 1e-9 of a radius of up to 100 px.
    #expect(abs(border.pixels - pixels) < 1e-6)
    #expect(abs(border.percent - percent) < 1e-6)
    #expect(pixels > 0.1)
  }

  @Test(arguments: [
    RasterSize(width: 1, height: 1), RasterSize(width: 1, height: 9),
    RasterSize(width: 9, height: 1), RasterSize(width: 2, height: 2),
  ])
  func narrowMapsHaveABorder(size: RasterSize) throws {
    let lens = try #require(Self.phone.distortion)
    let border = Rectification.Border(of: lens, in: size)
    #expect(border.pixels.isFinite && border.percent > 0)
  }

  @Test func theFileDecides() throws {
    func state(_ calibration: CameraCalibration?) throws -> Rectification {
      let record = Self.record(calibration)
      return Rectification(record, try CorrectedDepth(record))
    }
    var zero = Self.phone
    zero.distortion?.distorting = .coefficients([0, 0])
    zero.distortion?.undistorting = .table([0, 0])
    var pinhole = Self.phone
    pinhole.distortion = nil
    #expect(try state(Self.phone).isRectified == false)
    #expect(try state(zero) == .rectified && state(zero).isRectified == true)
    #expect(try state(pinhole) == .unknown && state(nil).isRectified == nil)
  }

  /// Without a calibration that fits, no point is moved, so nothing may claim it.
  @Test func nothingIsSaidToBeMovedWithoutRays() throws {
    var record = Self.record(Self.phone)
    record.calibration?.intrinsics.size = RasterSize(width: 128, height: 160)
    let corrected = try CorrectedDepth(record)
    #expect(corrected.rays == nil)
    var capture = Capture(source: CaptureSource(camera: .trueDepth))
    capture.depth = record
    let assessment = CaptureAssessment(capture, corrected)
    #expect(!assessment.findings.contains { $0.code == .calibrationDistorted })
    #expect(assessment.isRectified == false && assessment.verdict == .untrusted)
  }

  /// What a stereo pair gives is cut to what both cameras see, and has no lens any more.
  @Test func aRectifiedImageMayHaveItsAxisAnywhere() throws {
    var pinhole = Self.phone
    pinhole.distortion = nil
    pinhole.intrinsics.principalPoint.x += 0.2 * Double(Self.size.width)
    func codes(isRectified: Bool?) throws -> Set<FindingCode> {
      var record = Self.record(pinhole)
      record.isRectified = isRectified
      var capture = Capture(source: CaptureSource(camera: .stereo))
      capture.depth = record
      let corrected = try CorrectedDepth(record, isGeometryCorrected: isRectified)
      return Set(CaptureAssessment(capture, corrected).findings.map(\.code))
    }
    let told: Set<FindingCode> = [.calibrationPrincipalPoint, .calibrationDistortionUnknown]
    #expect(try codes(isRectified: nil).isSuperset(of: told))
    #expect(try codes(isRectified: false).isSuperset(of: told))
    #expect(try codes(isRectified: true).isDisjoint(with: told))
  }

  /// It lies on its image because it was made of it; looking for how costs more than some networks.
  @Test func anEstimateIsNotComparedWithItsOwnImage() throws {
    var capture = Capture(source: CaptureSource(interface: .photo))
    capture.depth = Self.record(Self.phone)
    capture.color = Raster(size: Self.size, repeating: RGB8(red: 9, green: 9, blue: 9))
    capture.colorSize = Self.size
    func alignment(_ capture: Capture) throws -> ColorDepthAlignment? {
      let record = try #require(capture.depth)
      return CaptureAssessment(capture, try CorrectedDepth(record)).alignment
    }
    #expect(try alignment(capture) != nil)
    capture.provenance += EstimateOrigin(model: "a", fittedTo: nil).steps(detail: "", fit: nil)
    #expect(capture.estimate != nil)
    #expect(try alignment(capture) == nil)
  }
}
