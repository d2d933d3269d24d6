import PlumblineModel
import PlumblineStereo
import PlumblineVision
import Testing

@Suite struct RectificationErrorTests {
  private static func pair(_ turn: Rotation, _ center: SIMD3<Double>) -> StereoCalibration {
    let camera = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [100, 100], principalPoint: [49.5, 39.5],
        size: RasterSize(width: 100, height: 80)))
    return StereoCalibration(
      left: camera, right: camera,
      rightFromLeft: RigidTransform(rotation: turn, translation: -(turn * center)))
  }

  @Test(arguments: [
    SIMD3<Double>(0, 0, 0), [1e-8, 0, 0], [.nan, 0, 0], [.infinity, 0, 0],
  ])
  func aBaselineThatIsNoneIsRefused(center: SIMD3<Double>) {
    #expect {
      try StereoRectification(Self.pair(.identity, center))
    } throws: { ($0 as? StereoError)?.reason == .degenerate }
  }

  @Test(arguments: [SIMD3<Double>(0, 0, 0.1), [0.01, -0.01, -0.1], [0.04, 0, 0.1]])
  func aCameraThatMovedForwardIsRefusedInWords(center: SIMD3<Double>) {
    #expect {
      try StereoRectification(Self.pair(.identity, center))
    } throws: {
      guard let error = $0 as? StereoError else { return false }
      return error.reason == .degenerate && error.description.contains("forward")
    }
  }

  @Test func camerasThatLookApartAreRefused() throws {
    let back = try #require(Rotation(axisAngle: [0, .pi, 0]))
    let aside = try #require(Rotation(axisAngle: [1.4, 0, 0]))
    for turn in [back, aside] {
      #expect {
        try StereoRectification(Self.pair(turn, [0.1, 0, 0]))
      } throws: { ($0 as? StereoError)?.reason == .degenerate }
    }
  }

  @Test func aMirrorIsNoRotation() {
    let mirror = Rotation(x: [-1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])
    #expect {
      try StereoRectification(Self.pair(mirror, [0.1, 0, 0]))
    } throws: { ($0 as? StereoError)?.reason == .mismatch }
  }

  @Test func imagesBeyondTheLimitAreRefused() {
    #expect {
      try StereoRectification(Self.pair(.identity, [0.1, 0, 0]), focalLength: .pixels(1e7))
    } throws: { ($0 as? StereoError)?.reason == .limitExceeded }
    for focal in [0, -1, .nan, .infinity] {
      #expect {
        try StereoRectification(Self.pair(.identity, [0.1, 0, 0]), focalLength: .pixels(focal))
      } throws: { ($0 as? StereoError)?.reason == .mismatch }
    }
    #expect {
      try StereoRectification(Self.pair(.identity, [0.1, 0, 0]), nearest: .nan)
    } throws: { ($0 as? StereoError)?.reason == .mismatch }
  }

  @Test func imagesOfOtherSizesAreRefused() throws {
    let rectification = try StereoRectification(Self.pair(.identity, [0.1, 0, 0]))
    let right = Raster(size: RasterSize(width: 100, height: 80), repeating: UInt8(1))
    let wrong = Raster(size: RasterSize(width: 100, height: 79), repeating: UInt8(1))
    #expect {
      try rectification.rectified(left: right, right: wrong)
    } throws: { ($0 as? StereoError)?.reason == .mismatch }
  }

  @Test func anApertureOutsideOfItsImageIsRefused() {
    var calibration = Self.pair(.identity, [0.1, 0, 0])
    calibration.rightCleanAperture = PixelRectangle(x: 50, y: 0, width: 60, height: 80)
    #expect {
      try StereoRectification(calibration)
    } throws: { ($0 as? StereoError)?.reason == .mismatch }
    calibration.rightCleanAperture = PixelRectangle(x: 50, y: 0, width: 0, height: 0)
    #expect {
      try StereoRectification(calibration)
    } throws: { ($0 as? StereoError)?.reason == .degenerate }
  }
}
