import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Lens distortion")
struct LensDistortionTests {
  @Test("The maximum radius reaches the farthest corner")
  func maximumRadius() {
    #expect(abs(TabletLens.distortion.maximumRadius - 1936.5850) < 5e-5)
  }

  @Test(
    "A table of 42 entries moves points as Apple's reference does",
    arguments: [
      ([1535.9317626953125, 1157.7921142578125], [1535.9317626953125, 1157.7921142578125]),
      ([2000, 500], [2002.230851, 496.837887]), ([0, 0], [-17.074411, -12.870766]),
      ([3088, 2316], [3106.394012, 2329.726258]),
    ] as [(SIMD2<Double>, SIMD2<Double>)])
  func vectors(point: SIMD2<Double>, expected: SIMD2<Double>) {
    let difference = TabletLens.distortion.distorted(point) - expected
    // Pixels: the printed table is rounded to 5e-7 of radii up to 1,937 px.
    #expect(max(abs(difference.x), abs(difference.y)) < 1e-3)
  }

  @Test(
    "With one direction given, the other one is its inverse",
    arguments: [
      TabletLens.distortion,
      LensDistortion(
        center: TabletLens.center, size: TabletLens.size, distorting: nil,
        undistorting: .table(TabletLens.distorting)),
      LensDistortion(
        center: TabletLens.coefficients.center, size: RasterSize(width: 4032, height: 3024),
        pixelSizeMillimeters: 0.0014, distorting: TabletLens.coefficients.distorting,
        undistorting: nil),
    ])
  func inverse(lens: LensDistortion) {
    var random = SeededGenerator(seed: 41)
    var worst = 0.0
    for _ in 0..<2_000 {
      let point = SIMD2(random.uniform(in: -50..<4082), random.uniform(in: -50..<3074))
      let there = lens.undistorted(lens.distorted(point)) - point
      let back = lens.distorted(lens.undistorted(point)) - point
      worst = max(worst, abs(there.x), abs(there.y), abs(back.x), abs(back.y))
    }
    // Pixels: forty halvings of up to 5,000 px.
    #expect(worst < 1e-8)
    #expect(lens.undistorted(lens.center) == lens.center)
    #expect(
      abs(
        1 - (1 + lens.distortingMagnification(atRadius: 0))
          * (1 + lens.undistortingMagnification(atRadius: 0))) < 1e-15)
  }

  @Test("A table sampled from coefficients moves points as the coefficients do")
  func sampled() {
    let lens = TabletLens.coefficients
    let entries = 42
    let table = (0..<entries).map { index in
      Float(
        lens.distortingMagnification(
          atRadius: lens.maximumRadius * Double(index) / Double(entries - 1)))
    }
    var sampled = lens
    sampled.distorting = .table(table)
    var onEntries = 0.0
    var between = 0.0
    var curvature = 0.0
    let step = lens.maximumRadius / Double(entries - 1)
    for index in 0..<40 * (entries - 1) {
      let radius = step * Double(index) / 40
      let m = { lens.distortingMagnification(atRadius: $0) }
      let difference = abs(sampled.distortingMagnification(atRadius: radius) - m(radius)) * radius
      if index.isMultiple(of: 40) { onEntries = max(onEntries, difference) }
      between = max(between, difference)
      let bend = m(radius + step / 40) - 2 * m(radius) + m(max(0, radius - step / 40))
      if index > 0 { curvature = max(curvature, abs(bend) * 1600) }
    }
    // Pixels: single precision of 1 % at 2,520 px; a chord misses its arc by an eighth of the bend.
    #expect(onEntries < 2e-6)
    #expect(between < curvature / 8 * lens.maximumRadius)
  }

  @Test("Coefficients are percent by even powers of millimeters, and stop at the corner")
  func coefficients() {
    let magnification = RadialMagnification.coefficients([1, 2, 3])
    let offset = {
      magnification.offset(
        atRadius: $0, maximumRadius: 3000, pixelSizeMillimeters: 0.001)
    }
    // 2 mm: 1 % + 2·4 % + 3·16 %.
    #expect(abs(offset(2000) - 0.57) < 1e-15)
    #expect(offset(1e9) == offset(3000))
  }

  @Test("All zero is no distortion in either form")
  func zero() {
    for magnification in [
      RadialMagnification.table([0, 0]), .coefficients(Array(repeating: 0, count: 8)), .table([]),
    ] {
      let lens = LensDistortion(
        center: [5, 5], size: RasterSize(width: 10, height: 10), pixelSizeMillimeters: 0.001,
        distorting: magnification, undistorting: nil)
      #expect(lens.isZero)
      #expect(lens.distorted([1, 2]) == [1, 2])
      let back = lens.undistorted([1, 2]) - [1, 2]
      #expect(max(abs(back.x), abs(back.y)) < 1e-11)
    }
    #expect(!TabletLens.distortion.isZero)
  }

  @Test(
    "Numbers that no lens has never trap",
    arguments: [Double.nan, .infinity, 1e300, -1e300, 0])
  func hostile(number: Double) {
    let size = RasterSize(width: 8, height: 6)
    let intrinsics = PinholeIntrinsics(focalLength: [8, 8], principalPoint: [4, 3], size: size)
    for magnification in [
      RadialMagnification.table([Float(number)]), .table([0, Float(number), 1]),
      .coefficients([number, number]),
    ] {
      for center in [SIMD2(number, 1), SIMD2(4, 3)] {
        for isForward in [true, false] {
          let lens = LensDistortion(
            center: center, size: size, pixelSizeMillimeters: number,
            distorting: isForward ? magnification : nil,
            undistorting: isForward ? nil : magnification)
          _ = lens.distorted([number, 2])
          let calibration = CameraCalibration(intrinsics: intrinsics, distortion: lens)
          #expect(calibration.rayMap.size == size)
        }
      }
    }
  }
}
