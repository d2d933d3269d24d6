import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import Testing

/// What every correction obeys: it is recorded, it is undone by its inverse, it invents no depth.
@Suite struct CorrectionLawTests {
  static let size = RasterSize(width: 96, height: 72)
  static let reference = RasterSize(width: 3072, height: 2304)

  /// A capture of random depths with holes, behind a lens, its calibration at a large reference.
  static func capture(_ seed: UInt64 = 3) -> Capture {
    var random = SeededGenerator(seed: seed)
    let depth = DepthMap(
      meters: Raster(size: size) { _, _ in
        let value = Float(0.3 + random.uniform())
        return random.uniform() < 0.1 ? DepthMap.missing : value
      })
    var capture = Capture(source: CaptureSource(camera: .trueDepth, interface: .avfoundation))
    var record = DepthRecord(values: .depth(depth), storedType: "fdep", accuracy: .absolute)
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [2700, 2700], principalPoint: [1520.5, 1160.25], size: reference),
      pixelSizeMillimeters: 0.001,
      distortion: LensDistortion(
        center: [1540.25, 1149.5], size: reference, pixelSizeMillimeters: 0.001,
        distorting: .coefficients([0, 0.9, -0.12]), undistorting: nil),
      extrinsics: CameraExtrinsics(rotation: .identity, translationMillimeters: .zero))
    record.confidence = ConfidenceMap(
      levels: Raster(size: size) { x, y in UInt8((x + y) % 3) }, maximumLevel: 2)
    record.cleanAperture = nil
    capture.depth = record
    capture.color = ResamplingTests.image(seed, RasterSize(width: 192, height: 144))
    capture.colorSize = capture.color?.size
    return capture
  }

  static let steps: [any CaptureCorrection] = [
    CalibrationReplacement(
      CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [80, 80], principalPoint: [47, 36], size: size)), basis: "a board"),
    FocalScaling(ratio: 0.94, sigma: 0.003, pixelsAreRectified: true, basis: "a pair"),
    ReferenceSizeReplacement(RasterSize(width: 4032, height: 3024)),
    ZoomAlignment.arkitFrontCamera(),
    Mirroring(.columns), Mirroring(.rows, of: .depth), Mirroring(.rows, of: [.calibration]),
    Cropping(to: PixelRectangle(x: 5, y: 7, width: 60, height: 50)),
    Scaling(to: RasterSize(width: 48, height: 36)),
    Scaling(to: RasterSize(width: 192, height: 144)),
    CaptureRectification([.color, .depth]), CaptureRectification(.color),
    CaptureRectification(.depth),
  ]

  static func meters(_ capture: Capture) throws -> Raster<Float> {
    guard case .depth(let map) = try #require(capture.depth).values else {
      throw CorrectionError(.missing, step: "test", expected: "depth", found: "another kind")
    }
    return map.meters
  }

  @Test(arguments: steps.indices) func isRecordedAndUndone(_ index: Int) throws {
    let step = Self.steps[index]
    var capture = Self.capture()
    capture.depth?.orientation = .right
    capture.colorOrientation = .right
    let applied = try step.application(to: capture)
    #expect(applied.capture.provenance.last == applied.step)
    #expect(applied.step.name == step.name && !applied.step.detail.isEmpty)
    #expect(!applied.undoing.isEmpty)
    let back = try applied.inverse.applied(to: applied.capture)
    // Exactly, not only within 1e-12: what is kept is not computed again.
    #expect(back.depth?.calibration == capture.depth?.calibration)
    #expect(back.depth?.orientation == capture.depth?.orientation)
    #expect(back.depth?.calibrationUncertainty == capture.depth?.calibrationUncertainty)
    #expect(back.color == capture.color && back.colorOrientation == capture.colorOrientation)
    #expect(back.provenance.map(\.name) == [step.name, "undone-" + step.name])
    #expect(back.provenance.allSatisfy { $0.kind != nil })
    let before = try Self.meters(capture)
    let after = try Self.meters(back)
    let lost = applied.depthMap?.lostCount ?? 0
    let pairs = Array(zip(before.samples, after.samples))
    let missing = pairs.filter { !$0.isNaN && $1.isNaN }.count
    let changed = pairs.filter { !$1.isNaN && $0 != $1 }.count
    #expect(changed == 0 && missing <= lost)
    if lost == 0 { #expect(missing == 0) }
  }

  @Test(arguments: steps.indices) func everyDepthIsOneThatWasMeasured(_ index: Int) throws {
    let capture = Self.capture(8)
    let values = Set(try Self.meters(capture).samples.filter { !$0.isNaN })
    let corrected = try Self.steps[index].applied(to: capture)
    let result = try Self.meters(corrected).samples.filter { !$0.isNaN }
    #expect(!result.isEmpty && result.allSatisfy(values.contains))
    let levels = try #require(corrected.depth?.confidence).levels
    #expect(levels.size == corrected.depth?.size)
  }

  /// The geometric inverses: other steps that lead back, whose numbers are computed.
  @Test func mirroringTurningAndZoomLeadBack() throws {
    let capture = Self.capture()
    let calibration = try #require(capture.depth?.calibration)
    func worst(_ other: CameraCalibration?) throws -> Double {
      let other = try #require(other)
      let a = calibration.scaled(to: Self.size)
      let b = other.scaled(to: Self.size)
      let lens = (try #require(a.distortion), try #require(b.distortion))
      let differences = [
        a.intrinsics.focalLength - b.intrinsics.focalLength,
        a.intrinsics.principalPoint - b.intrinsics.principalPoint, lens.0.center - lens.1.center,
        SIMD2(repeating: lens.0.maximumRadius - lens.1.maximumRadius),
      ]
      return differences.map { max(abs($0.x), abs($0.y)) }.max() ?? .infinity
    }
    for axis in Mirroring.Axis.allCases {
      let twice = try Mirroring(axis).applied(to: Mirroring(axis).applied(to: capture))
      #expect(try worst(twice.depth?.calibration) < 1e-12)
      #expect(try WorstDifference(Self.meters(twice), Self.meters(capture)).value == 0)
      #expect(twice.color == capture.color)
      #expect(twice.depth?.calibration?.extrinsics == calibration.extrinsics)
    }
    var back = ZoomAlignment.arkitFrontCamera()
    back.isReversed = true
    let zoomed = try back.applied(to: ZoomAlignment.arkitFrontCamera().applied(to: capture))
    // Pixels of a 96-column map: a product and its reciprocal.
    #expect(try worst(zoomed.depth?.calibration) < 1e-12)
  }

  @Test func stepsThatCannotApplySayWhy() throws {
    let empty = Capture(source: CaptureSource())
    var cropped = Self.capture()
    cropped.depth?.cleanAperture = PixelRectangle(x: 0, y: 0, width: 50, height: 50)
    var bare = Self.capture()
    bare.depth?.calibration = nil
    for step in Self.steps {
      #expect(throws: CorrectionError.self) { try step.applied(to: empty) }
    }
    #expect(throws: CorrectionError.self) { try CaptureRectification(.depth).applied(to: cropped) }
    #expect(throws: CorrectionError.self) { try CaptureRectification(.depth).applied(to: bare) }
    #expect(throws: CorrectionError.self) {
      try Scaling(to: RasterSize(width: 50, height: 50)).applied(to: Self.capture())
    }
    #expect(throws: CorrectionError.self) {
      try Cropping(to: PixelRectangle(x: 90, y: 0, width: 20, height: 20))
        .applied(to: Self.capture())
    }
    #expect(throws: CorrectionError.self) { try Cropping().applied(to: Self.capture()) }
    let twice = try CaptureRectification(.depth).applied(to: Self.capture())
    #expect(throws: CorrectionError.self) { try CaptureRectification(.depth).applied(to: twice) }
  }
}
