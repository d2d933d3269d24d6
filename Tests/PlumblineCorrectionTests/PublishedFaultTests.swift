import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Each fault of arXiv 2201.10865, put into simulated captures: wrong before its correction, right
/// after, in millimeters and percent.
@Suite struct PublishedFaultTests {
  static let size = RasterSize(width: 160, height: 120)
  static let boardMeters = 0.196
  static let paint = Pattern.uniform(Paint(albedo: [0.5, 0.5, 0.5]))
  /// Two steps beside each other, so that a shifted or mirrored map shows.
  static let scene = SimulatedScene(surfaces: [
    OrientedBox(center: [0.03, 0.01, 0.16], halfSize: [0.012, 0.02, 0.01], pattern: paint),
    Plane(through: [0, 0, boardMeters], normal: [0.3, 0.2, -1], pattern: paint),
  ])
  static let lens = LensDistortion(
    center: [81, 58], size: size, pixelSizeMillimeters: 0.02,
    distorting: .coefficients([0, -0.6, 0.05]), undistorting: nil)

  static func camera(lens: LensDistortion? = nil) -> SimulatedCamera {
    SimulatedCamera(
      calibration: CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [133, 133], principalPoint: [79.75, 59.25], size: size),
        distortion: lens))
  }

  static let plain = SimulatedTrueDepthSensor.perfect.measurement(
    of: scene, from: camera(), seed: 1)
  static let bent = SimulatedTrueDepthSensor.perfect.measurement(
    of: scene, from: camera(lens: lens), seed: 1)

  static func capture(_ fault: CaptureFault?, isBent: Bool = false) -> Capture {
    let measured = isBent ? bent : plain
    var capture = Capture(source: CaptureSource(camera: .trueDepth, interface: .avfoundation))
    capture.depth = (fault.map { measured.with($0) } ?? measured).depthRecord()
    return capture
  }

  /// How far points of a capture are off what is there: lengths across the image in percent, and
  /// depths in millimeters, root mean square, against the surface on the true ray of the point.
  struct Points: CustomStringConvertible {
    let lengthPercent: Double
    let surfaceMillimeters: Double
    var description: String { "\(lengthPercent) %, \(surfaceMillimeters) mm" }

    /// Judges points; `seen` is the point of the ideal image that a pixel really shows.
    init(_ capture: Capture, seen: (SIMD2<Double>) -> SIMD2<Double> = { $0 }) throws {
      let corrected = try CorrectedDepth(try #require(capture.depth))
      let rays = try #require(corrected.rays)
      let camera = PublishedFaultTests.camera()
      let truth = PublishedFaultTests.scene
      func measured(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let z = Double(corrected.depth.meters[x, y])
        return SIMD3(Double(rays.xOverZ[x, y]) * z, Double(rays.yOverZ[x, y]) * z, z)
      }
      func there(_ pixel: SIMD2<Double>) -> SIMD3<Double> {
        let ray = camera.ray(through: pixel)
        return ray.point(at: truth.firstHit(of: ray)?.parameter ?? .nan)
      }
      var sum = 0.0
      var count = 0.0
      for y in stride(from: 12, to: 108, by: 3) {
        for x in stride(from: 12, to: 148, by: 3) {
          let point = measured(x, y)
          guard point.z.isFinite else { continue }
          let off = (point.z - there(camera.pixel(of: point)).z) * 1000
          sum += off * off
          count += 1
        }
      }
      surfaceMillimeters = (sum / max(count, 1)).squareRoot()
      func length(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        let across = SIMD2(a.x - b.x, a.y - b.y)
        return (across * across).sum().squareRoot()
      }
      let exact = length(there(seen([20, 100])), there(seen([140, 20])))
      lengthPercent = 100 * (length(measured(20, 100), measured(140, 20)) / exact - 1)
    }
  }

  @Test func focalLengthTooLong() throws {
    let wrong = Self.capture(.focalLengthScaled(by: 1.062))
    let before = try Points(wrong)
    // 1/1.062 − 1 = −5.84 %.
    #expect(abs(before.lengthPercent + 5.84) < 0.02, "\(before)")
    let step = FocalScaling(
      ratio: 1 / 1.062, sigma: 0.0015, pixelsAreRectified: false, basis: "a board")
    let applied = try step.application(to: wrong)
    let after = try Points(applied.capture)
    #expect(
      abs(after.lengthPercent) < 1e-4 && after.surfaceMillimeters < before.surfaceMillimeters / 50)
    #expect(abs(try #require(applied.effect.before.lengthPercent) - before.lengthPercent) < 0.02)
    // Sensor minus board: the median of some 196 mm times 1 − 1.062.
    #expect(abs(try #require(applied.effect.before.zMillimeters) + 12.15) < 0.6)
    let sigma = try #require(applied.effect.after.lengthPercent)
    #expect(abs(sigma - 0.1593) < 1e-3)
  }

  @Test func measuredCalibrationReplacesTheFactory() throws {
    let wrong = Self.capture(.focalLengthScaled(by: 1.062))
    let truth = CameraCalibration(intrinsics: Self.camera().calibration.intrinsics)
    let large = truth.scaled(to: RasterSize(width: 640, height: 480))
    let step = CalibrationReplacement(
      large,
      uncertainty: CalibrationUncertainty(focalLengthPixels: [0.9, 0.9], basis: "23 views"),
      basis: "23 views of a board")
    let applied = try step.application(to: wrong)
    #expect(abs(try Points(applied.capture).lengthPercent) < 1e-4)
    let finding = try #require(applied.capture.findings.first)
    #expect(finding.code == .calibrationReplaced && finding.correction == .applied)
    // 0.9 px of 532 px.
    #expect(abs(try #require(applied.effect.after.lengthPercent) - 0.169) < 1e-3)
  }

  @Test func zoomBetweenMapAndImage() throws {
    // The fault's map is enlarged about the middle, its numbers are the color window's.
    let factor = 3088.0 / 3248
    let wrong = Self.capture(.misalignedZoom(factor))
    let middle = SIMD2(79.5, 59.5)
    let before = try Points(wrong) { ($0 - middle) * factor + middle }
    // The map's pixels show 0.9507 of what the numbers say: lengths are 5.18 % too long, within
    // the pixel that the fault's own nearest sampling takes.
    #expect(abs(before.lengthPercent - 5.18) < 0.8 && before.surfaceMillimeters > 0.5, "\(before)")
    let step = ZoomAlignment(
      depthWindow: RasterSize(width: 3088, height: 2316),
      colorWindow: RasterSize(width: 3248, height: 2436), offset: [80, 60],
      calibrationIsThatOfColor: true)
    let applied = try step.application(to: wrong)
    let after = try Points(applied.capture)
    // Twice nearest is up to a pixel: 1.5 mm, which is what remains of lengths of 176 mm.
    #expect(
      abs(after.lengthPercent) < 0.7 && after.surfaceMillimeters < before.surfaceMillimeters / 2)
    #expect(abs(try #require(applied.effect.before.pixels) - 4.9) < 0.1)
    // With its own numbers instead, they are rewritten, and points stay where they were.
    var own = step
    own.calibrationIsThatOfColor = false
    let sound = Self.capture(nil)
    let moved = try own.application(to: sound)
    let line = own.line(for: Self.size)
    #expect(
      abs(try Points(moved.capture) { ($0 - line.shift) / line.scale }.lengthPercent) < 0.7)
    let focal = try #require(moved.capture.depth?.calibration?.intrinsics.focalLength.x)
    #expect(abs(focal - 133 * factor) < 1e-9)
  }

  @Test func zoomIsThePublishedPixelMap() {
    let line = ZoomAlignment.arkitFrontCamera().line(for: RasterSize(width: 640, height: 480))
    func x(_ pixel: Double) -> Double { pixel * line.scale.x + line.shift.x }
    func y(_ pixel: Double) -> Double { pixel * line.scale.y + line.shift.y }
    // `depth-semantics` §5.3, three decimals.
    #expect(abs(x(0) - 15.739) < 5e-4 && abs(x(319.5) - 319.5) < 5e-4)
    #expect(abs(x(639) - 623.261) < 5e-4)
    // Rows: ((62 + ½·2316/480)·480/2436) − ½, and with the flip's 58.
    #expect(abs(y(0) - 12.1921) < 5e-4)
    let flipped = ZoomAlignment.arkitFrontCamera(isFlipped: true).line(
      for: RasterSize(width: 640, height: 480))
    #expect(abs(flipped.shift.y - 11.4039) < 5e-4)
    // From the two cameras' principal points: the offset is their difference.
    let depth = PinholeIntrinsics(
      focalLength: [2876, 2876], principalPoint: [1540, 1155],
      size: RasterSize(width: 3088, height: 2316))
    let color = PinholeIntrinsics(
      focalLength: [2876, 2876], principalPoint: [1620, 1217],
      size: RasterSize(width: 3248, height: 2436))
    #expect(ZoomAlignment(depth: depth, color: color) == .arkitFrontCamera())
    var other = color
    other.focalLength *= 1.01
    #expect(ZoomAlignment(depth: depth, color: other) == nil)
  }

  @Test func mirroredMap() throws {
    let wrong = Self.capture(.mirrored)
    let before = try Points(wrong)
    #expect(before.surfaceMillimeters > 2, "\(before)")
    let applied = try Mirroring(.columns, of: .depth).application(to: wrong)
    #expect(try Points(applied.capture).surfaceMillimeters < 1e-3)
    #expect(applied.effect.before.pixels == 159)
  }

  @Test func numbersOfAnotherSize() throws {
    let wrong = Self.capture(.claimedSize(RasterSize(width: 224, height: 168)))
    let before = try Points(wrong)
    // Numbers of 160 columns taken for those of 224 make lengths 40 % too long, and the wrong
    // principal point shears the tilted board a little.
    #expect(abs(before.lengthPercent - 40) < 2, "\(before)")
    let applied = try ReferenceSizeReplacement(Self.size).application(to: wrong)
    let after = try Points(applied.capture)
    #expect(abs(after.lengthPercent) < 1e-4 && after.surfaceMillimeters < 1e-3)
    #expect(abs(try #require(applied.effect.before.lengthPercent) - 40) < 0.01)
  }

  @Test func lensThatIsNotDeclared() throws {
    let sound = Self.capture(nil, isBent: true)
    var wrong = sound
    wrong.depth?.calibration?.distortion = nil
    let seen = { Self.lens.undistorted($0) }
    let before = try Points(wrong, seen: seen)
    // The lens draws the ends of the length, 80 px from the center, inward by some 1.5 %.
    #expect(before.lengthPercent < -1, "\(before)")
    let asIs = try Points(sound, seen: seen)
    #expect(abs(asIs.lengthPercent) < 1e-3 && asIs.surfaceMillimeters < 2e-3, "\(asIs)")
    let rectified = try CaptureRectification(.depth).application(to: sound)
    let after = try Points(rectified.capture)
    // Nearest moves each end of a length of 144 px by up to half a pixel.
    #expect(abs(after.lengthPercent) < 0.7, "\(after)")
    let pixels = try #require(rectified.effect.before.pixels)
    #expect(pixels > 0.5)
  }
}
