import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import PlumblineVision
import Testing

@Suite struct RectificationTests {
  /// A pair with everything unequal: size, focal length, lens, aperture of the border and turn.
  static func pair(
    turnDegrees: SIMD3<Double> = [1.5, -2, 0.7],
    right center: SIMD3<Double> = [0.06, 0.004, -0.003]
  ) throws -> StereoCalibration {
    let size = RasterSize(width: 200, height: 150)
    let intrinsics = PinholeIntrinsics(
      focalLength: [210, 210], principalPoint: [97.3, 76.1], size: size)
    // A phone's table: +1 % at three quarters of the radius, a dip, and +1.2 % at the corner.
    let table = (0..<42).map { Float(0.012 * Double($0) / 41 * (1.6 - Double($0) / 41)) }
    let left = CameraCalibration(
      intrinsics: intrinsics,
      distortion: LensDistortion(
        center: [101, 74.5], size: size, distorting: .table(table), undistorting: nil))
    let right = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [150, 151], principalPoint: [81.2, 58.8],
        size: RasterSize(width: 160, height: 120)),
      lens: .polynomial(radial: [-0.12, 0.05, -0.01], tangential: [0.001, -0.0007]))
    let turn = try #require(Rotation(axisAngle: turnDegrees * .pi / 180))
    let rightFromLeft = RigidTransform(rotation: turn, translation: -(turn * center))
    return StereoCalibration(left: CameraModel(left), right: right, rightFromLeft: rightFromLeft)
  }

  /// The same with the right camera below, above, at the left and across of the left one.
  static let centers: [SIMD3<Double>] = [
    [0.06, 0.004, -0.003], [0.003, 0.06, 0.002], [-0.002, -0.05, 0.001], [-0.06, 0.003, 0],
    [0.04, 0.035, 0],
  ]

  @Test(arguments: centers)
  func aScenePointLiesOnOneRowAtTheDisparityOfItsDepth(center: SIMD3<Double>) throws {
    for columns in [StereoRectification.Columns.alike, .separate] {
      let calibration = try Self.pair(right: center)
      let rectification = try StereoRectification(calibration, columns: columns)
      var generator = SeededGenerator(seed: 4)
      var seen = 0
      for _ in 0..<400 {
        let depth = 0.5 + 4 * generator.uniform()
        let point =
          SIMD3(
            (generator.uniform() - 0.5) * 0.8, (generator.uniform() - 0.5) * 0.6, 1) * depth
        let leftPixel = try #require(calibration.left.project(point))
        guard let rightPixel = calibration.right.project(calibration.rightFromLeft * point),
          let left = rectification.rectified(leftPixel, .left),
          let right = rectification.rectified(rightPixel, .right)
        else { continue }
        seen += 1
        // Newton's steps end at 1e-10 px of the image; the rest is rounding.
        #expect(abs(left.y - right.y) < 1e-6, "px")
        let inRectified = rectification.rectifiedFromLeft * point
        let disparity = rectification.disparity(ofDepth: inRectified.z)
        #expect(abs(left.x - right.x - disparity) < 1e-6, "px")
        #expect(abs(rectification.depth(ofDisparity: disparity) - inRectified.z) < 1e-9)
        let back = try #require(rectification.original(left, .left))
        let backRight = try #require(rectification.original(right, .right))
        #expect(largest(back - leftPixel) < 1e-6, "px")
        #expect(largest(backRight - rightPixel) < 1e-6, "px")
      }
      #expect(seen > 300)
    }
  }

  @Test(arguments: zip(centers, [ImageOrientation.up, .right, .left, .down]))
  func theTurnSaysHowRowsLieInTheLeftImage(
    center: SIMD3<Double>, turn: ImageOrientation
  ) throws {
    let rectification = try StereoRectification(try Self.pair(right: center))
    #expect(rectification.turn == turn)
    let rest = (Rotation(turning: turn) * rectification.rectifiedFromLeft).axisAngle
    // Cameras lean 2.6° to each other; the baseline's own slant adds up to 4°.
    #expect((rest * rest).sum().squareRoot() * 180 / .pi < 6, "degrees")
  }

  @Test func aPairThatIsRectifiedStaysAsItIsToTheBit() throws {
    let size = RasterSize(width: 40, height: 30)
    let camera = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [50, 50], principalPoint: [19.3, 14.8], size: size)
    )
    let calibration = StereoCalibration(
      left: camera, right: camera,
      rightFromLeft: RigidTransform(rotation: .identity, translation: [-0.1, 0, 0]))
    let rectification = try StereoRectification(calibration)
    #expect(rectification.size == size)
    #expect(rectification.principalOffsetPixels == 0)
    #expect(rectification.turn == .up)
    var generator = SeededGenerator(seed: 9)
    let left = Raster(size: size) { _, _ in UInt8(truncatingIfNeeded: generator.next()) }
    let right = Raster(size: size) { _, _ in UInt8(truncatingIfNeeded: generator.next()) }
    let pair = try rectification.rectified(left: left, right: right)
    #expect(pair.left == left)
    #expect(pair.right == right)
    #expect(pair.leftCoverage?.samples.allSatisfy { $0 == 1 } == true)
    #expect(pair.rightCoverage?.samples.allSatisfy { $0 == 1 } == true)
  }

  @Test func theFinerFocalLengthIsKeptUnlessAskedOtherwise() throws {
    let pair = try Self.pair()
    #expect(try StereoRectification(pair).focalLengthPixels == 210)
    let coarser = try StereoRectification(pair, focalLength: .coarser).focalLengthPixels
    #expect(abs(coarser - (150.0 * 151).squareRoot()) < 1e-9)
    #expect(try StereoRectification(pair, focalLength: .pixels(77)).focalLengthPixels == 77)
  }

  @Test func disparitiesOfARangeHoldBothEnds() throws {
    let rectification = try StereoRectification(try Self.pair())
    let range = try #require(rectification.disparities(nearest: 0.5, farthest: 3))
    #expect(Double(range.lowerBound) <= rectification.disparity(ofDepth: 3))
    #expect(Double(range.upperBound) > rectification.disparity(ofDepth: 0.5))
    #expect(rectification.disparities(nearest: 1, farthest: 0.5) == nil)
    #expect(rectification.disparities(nearest: .nan, farthest: 2) == nil)
    #expect(
      rectification.disparities(nearest: 1e-300, farthest: .infinity)?.upperBound == rectification
        .size.width + 1)
  }

  @Test func sigmaIsTheDerivativeOfDepthByDisparity() throws {
    let rectification = try StereoRectification(try Self.pair(), columns: .separate)
    let disparity = rectification.disparity(ofDepth: 2)
    let step = 1e-5
    let slope =
      (rectification.depth(ofDisparity: disparity - step)
        - rectification.depth(ofDisparity: disparity + step)) / (2 * step)
    // A central difference of a smooth function: relative error of the square of the step.
    #expect(abs(rectification.sigma(ofDepth: 2, sigmaPixels: 1) / slope - 1) < 1e-8)
  }
}
