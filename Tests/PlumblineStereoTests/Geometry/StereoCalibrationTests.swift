import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import PlumblineVision
import Testing

@Suite struct StereoCalibrationTests {
  /// A dual photo's two cameras: the tele one is the reference, the wide one stands beside it.
  private static func dual() throws -> (tele: CameraCalibration, wide: CameraCalibration) {
    let size = RasterSize(width: 400, height: 300)
    let turn = try #require(Rotation(axisAngle: [0.01, -0.006, 0.02]))
    return (
      CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [600, 600], principalPoint: [201, 148], size: size),
        extrinsics: CameraExtrinsics(rotation: .identity, translationMillimeters: .zero)),
      CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [300, 300], principalPoint: [198, 152], size: size),
        extrinsics: CameraExtrinsics(rotation: turn, translationMillimeters: [0.4, 11.2, -0.3]))
    )
  }

  @Test func extrinsicsOfOneReferenceGiveTheRelativePose() throws {
    let (tele, wide) = try Self.dual()
    let pair = try StereoCalibration(left: tele, right: wide)
    #expect(pair.isMetric)
    // The right camera's center in the left frame, which is the reference: millimeters to meters.
    #expect(largest(pair.rightCenterInLeft - SIMD3(0.0004, 0.0112, -0.0003)) < 1e-15)
    let other = try StereoCalibration(left: wide, right: tele)
    #expect(abs(other.baselineMeters - pair.baselineMeters) < 1e-15)
    let back = other.rightFromLeft * pair.rightFromLeft
    #expect(largest(back.translation) < 1e-15)
    let swapped = pair.swapped.rightFromLeft
    #expect(largest(swapped.translation - other.rightFromLeft.translation) < 1e-15)
    #expect(largest(swapped.rotation.x - other.rightFromLeft.rotation.x) < 1e-15)
  }

  @Test func theTwoDirectionsAreEachOthersInverse() throws {
    let (tele, wide) = try Self.dual()
    let one = try StereoCalibration(left: tele, right: wide, direction: .referenceFromCamera)
    let two = try StereoCalibration(left: tele, right: wide, direction: .cameraFromReference)
    let product = one.rightFromLeft * two.rightFromLeft
    #expect(largest(product.translation) < 1e-12)
    #expect(largest(product.rotation.x - SIMD3(1, 0, 0)) < 1e-12)
  }

  @Test func rowsAgreeForTheRightDirectionOnly() throws {
    let (tele, wide) = try Self.dual()
    let truth = try StereoCalibration(left: tele, right: wide)
    var generator = SeededGenerator(seed: 5)
    var matches: [(left: SIMD2<Double>, right: SIMD2<Double>)] = []
    while matches.count < 200 {
      let point =
        SIMD3(0.5 * generator.uniform() - 0.25, 0.4 * generator.uniform() - 0.2, 1)
        * (0.4 + 2 * generator.uniform())
      guard let left = truth.left.project(point),
        let right = truth.right.project(truth.rightFromLeft * point)
      else { continue }
      // Every fifth match is wrong.
      let isWrong = matches.count % 5 == 0
      matches.append((left, isWrong ? right + SIMD2(30, -40) : right))
    }
    let right = try Self.rowDistances(matches, StereoRectification(truth))
    let other = try StereoCalibration(left: tele, right: wide, direction: .cameraFromReference)
    let wrong = try Self.rowDistances(matches, StereoRectification(other))
    #expect(right.count == 200)
    #expect(right[100] < 1e-6 && right[159] < 1e-6 && right[160] > 1, "px")
    #expect(wrong[wrong.count / 2] > 1, "px")
  }

  /// How far the points of each match are off a common row after rectification, in pixels, rising.
  static func rowDistances(
    _ matches: [(left: SIMD2<Double>, right: SIMD2<Double>)], _ rectification: StereoRectification
  ) throws -> [Double] {
    try matches.map { match in
      let left = try #require(rectification.rectified(match.left, .left))
      let right = try #require(rectification.rectified(match.right, .right))
      return abs(right.y - left.y)
    }.sorted()
  }

  @Test func camerasWithoutExtrinsicsAreRefused() throws {
    let (tele, wide) = try Self.dual()
    var bare = tele
    bare.extrinsics = nil
    for (left, right) in [(bare, wide), (wide, bare), (bare, bare)] {
      #expect {
        try StereoCalibration(left: left, right: right)
      } throws: { ($0 as? StereoError)?.reason == .missing }
    }
    // Twice the same camera, as both files of a pair that was copied wrongly.
    #expect {
      try StereoCalibration(left: wide, right: wide)
    } throws: { ($0 as? StereoError)?.reason == .degenerate }
  }

  @Test func scaledCamerasSeeTheSame() throws {
    var calibration = try RectificationTests.pair()
    calibration.rightCleanAperture = PixelRectangle(x: 10, y: 8, width: 140, height: 100)
    calibration.uncertainty = StereoUncertainty(offsetPixels: 0.3, basis: "made up")
    let scaled = try calibration.scaled(
      left: RasterSize(width: 400, height: 300), right: RasterSize(width: 80, height: 60))
    let point = SIMD3(0.1, -0.2, 1.3)
    let left = try #require(calibration.left.project(point))
    let right = try #require(calibration.right.project(point))
    let scaledLeft = try #require(scaled.left.project(point))
    let scaledRight = try #require(scaled.right.project(point))
    #expect(largest(scaledLeft - (2 * left + 0.5)) < 1e-9, "px")
    #expect(largest(scaledRight - (0.5 * right - 0.25)) < 1e-9, "px")
    #expect(scaled.rightCleanAperture == PixelRectangle(x: 5, y: 4, width: 70, height: 50))
    #expect(scaled.uncertainty?.offsetPixels == 0.6)
    #expect {
      try calibration.scaled(
        left: RasterSize(width: 300, height: 300), right: RasterSize(width: 80, height: 60))
    } throws: { ($0 as? StereoError)?.reason == .mismatch }
  }
}
