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

  /// The point that a pixel of the ideal image shows.
  static func there(_ pixel: SIMD2<Double>) -> SIMD3<Double> {
    let ray = camera().ray(through: pixel)
    return ray.point(at: scene.firstHit(of: ray)?.parameter ?? .nan)
  }

  /// How far lengths across the image, from the plane's left to its right through the middle and
  /// past the box, are off together: what half a pixel at each end does to one length, hundreds
  /// average out.
  static func lengthPercent(
    of measured: (Int, Int) -> SIMD3<Double>, against exact: (Int, Int) -> SIMD3<Double>
  ) -> Double {
    func length(_ point: (Int, Int) -> SIMD3<Double>, _ x: Int, _ y: Int) -> Double {
      let across = point(x, y) - point(159 - x, 119 - y)
      return (across.x * across.x + across.y * across.y).squareRoot()
    }
    var sums = SIMD2<Double>.zero
    for y in stride(from: 12, to: 108, by: 3) {
      for x in stride(from: 12, to: 42, by: 3) {
        let lengths = SIMD2(length(measured, x, y), length(exact, x, y))
        if lengths.x.isFinite { sums += lengths }
      }
    }
    return 100 * (sums.x / sums.y - 1)
  }

  /// The point that a depth at a pixel means through given numbers.
  static func point(
    _ x: Int, _ y: Int, depth: Double, focal: Double, principal: SIMD2<Double>
  ) -> SIMD3<Double> {
    let ray = (SIMD2(Double(x), Double(y)) - principal) / focal
    return SIMD3(ray.x * depth, ray.y * depth, depth)
  }

  /// How far points of a capture are off what is there: lengths across the image in percent, and
  /// depths in millimeters, root mean square, against the surface on the true ray of the point.
  struct Points: CustomStringConvertible {
    let lengthPercent: Double
    let surfaceMillimeters: Double
    var description: String { "\(lengthPercent) %, \(surfaceMillimeters) mm" }

    /// Assesses points; `seen` is the point of the ideal image that a pixel really shows.
    init(_ capture: Capture, seen: (SIMD2<Double>) -> SIMD2<Double> = { $0 }) throws {
      let corrected = try CorrectedDepth(try #require(capture.depth))
      let rays = try #require(corrected.rays)
      let camera = PublishedFaultTests.camera()
      func measured(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let z = Double(corrected.depth.meters[x, y])
        return SIMD3(Double(rays.xOverZ[x, y]) * z, Double(rays.yOverZ[x, y]) * z, z)
      }
      let there = PublishedFaultTests.there
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
      lengthPercent = PublishedFaultTests.lengthPercent(
        of: measured, against: { there(seen([Double($0), Double($1)])) })
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
    // what is left of the fault's own nearest sampling.
    #expect(abs(before.lengthPercent - 5.18) < 0.15 && before.surfaceMillimeters > 0.5, "\(before)")
    let step = ZoomAlignment(
      depthWindow: RasterSize(width: 3088, height: 2316),
      colorWindow: RasterSize(width: 3248, height: 2436), offset: [80, 60],
      calibrationIsThatOfColor: true)
    let applied = try step.application(to: wrong)
    let after = try Points(applied.capture)
    // Twice nearest is up to a pixel at each end of 100, and little of it over all lengths.
    #expect(
      abs(after.lengthPercent) < 0.15 && after.surfaceMillimeters < before.surfaceMillimeters / 2)
    #expect(abs(try #require(applied.effect.before.pixels) - 4.9) < 0.1)
    // With its own numbers instead, they are rewritten, and points stay where they were.
    var own = step
    own.calibrationIsThatOfColor = false
    let sound = Self.capture(nil)
    let moved = try own.application(to: sound)
    let line = own.line(for: Self.size)
    #expect(
      abs(try Points(moved.capture) { ($0 - line.shift) / line.scale }.lengthPercent) < 0.15)
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
    // principal point shears the tilted board.
    let expected = Self.lengthPercent(
      of: { x, y in
        Self.point(
          x, y, depth: Self.there([Double(x), Double(y)]).z, focal: 133 / 1.4,
          principal: (SIMD2(79.75, 59.25) + 0.5) / 1.4 - 0.5)
      }, against: { Self.there([Double($0), Double($1)]) })
    #expect(abs(before.lengthPercent - expected) < 1e-3 && expected > 40, "\(before) \(expected)")
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
    // The lens draws the ends of lengths inward; what is seen there is taken for a pinhole's.
    let expected = Self.lengthPercent(
      of: { x, y in
        Self.point(
          x, y, depth: Self.there(seen([Double(x), Double(y)])).z, focal: 133,
          principal: [79.75, 59.25])
      }, against: { Self.there(seen([Double($0), Double($1)])) })
    #expect(
      abs(before.lengthPercent - expected) < 1e-3 && expected < -0.5, "\(before) \(expected)")
    let asIs = try Points(sound, seen: seen)
    #expect(abs(asIs.lengthPercent) < 1e-3 && asIs.surfaceMillimeters < 2e-3, "\(asIs)")
    let rectified = try CaptureRectification(.depth).application(to: sound)
    let after = try Points(rectified.capture)
    // Nearest moves each end of a length by up to half a pixel; hundreds of them average out.
    #expect(abs(after.lengthPercent) < 0.1, "\(after)")
    let pixels = try #require(rectified.effect.before.pixels)
    #expect(pixels > 0.5)
  }
}
