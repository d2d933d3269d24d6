import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct BoardPoseTests {
  private let camera = CameraModel(
    intrinsics: SimulatedViews.intrinsics, lens: SimulatedViews.polynomial)

  /// Steps end when corners are 1e-9 px off; at 0.5 m and 600 px that is 1e-12 m across and 1e-10 m
  /// along the axis.
  @Test(arguments: 0..<20) func exactCornersGiveTheExactPose(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let simulated = SimulatedViews()
    let truth = simulated.pose(&generator)
    let view = simulated.view(camera, pose: truth, &generator)
    let pose = try BoardPose.estimate(view, camera: camera)
    #expect(pose.rmsPixels < 1e-6)
    for id in 0..<simulated.board.cornerCount {
      let point = simulated.board.cornerInBoard(id)
      let difference = pose.cameraFromBoard * point - truth * point
      #expect((difference * difference).sum().squareRoot() < 1e-8)
    }
    #expect(pose.cameraFromBoard.rotation.orthogonalityError < 1e-12)
  }

  /// 150 draws tell a deviation within 6 %, so 20 % is more than three times that.
  @Test func statedSigmaIsTheScatter() throws {
    var generator = SeededGenerator(seed: 3)
    var simulated = SimulatedViews()
    simulated.board = Board(columns: 5, rows: 4, squareMeters: 0.04, pattern: .chessboard)
    simulated.noisePixels = 0.1
    let plain = CameraModel(intrinsics: SimulatedViews.square)
    let truth = simulated.pose(lean: [0.5, -0.3], turn: 0.2, middle: [0.02, -0.01, 0.4])
    var errors = SIMD3<Double>.zero
    var stated = SIMD3<Double>.zero
    for _ in 0..<150 {
      let view = simulated.view(plain, pose: truth, &generator)
      let pose = try BoardPose.estimate(view, camera: plain)
      let error = pose.cameraFromBoard.translation - truth.translation
      errors += error * error
      stated += pose.sigmaTranslation * pose.sigmaTranslation
    }
    for axis in 0..<3 {
      let ratio = (errors[axis] / stated[axis]).squareRoot()
      #expect(ratio > 0.8 && ratio < 1.2, "axis \(axis): \(ratio)")
    }
  }

  /// Far away and with noise the other leaning fits nearly as well; close up it does not.
  @Test func ambiguityShowsFromAfar() throws {
    var generator = SeededGenerator(seed: 4)
    var simulated = SimulatedViews()
    simulated.noisePixels = 0.1
    let plain = CameraModel(intrinsics: SimulatedViews.square)
    let far = simulated.pose(lean: [0.4, 0.2], turn: 0.1, middle: [0, 0, 4])
    let near = simulated.pose(lean: [0.4, 0.2], turn: 0.1, middle: [0, 0, 0.6])
    let farPose = try BoardPose.estimate(
      simulated.view(plain, pose: far, &generator), camera: plain)
    let farRatio = try #require(farPose.ambiguityRatio)
    #expect(farRatio >= 1 && farRatio < 1.5)
    let nearPose = try BoardPose.estimate(
      simulated.view(plain, pose: near, &generator), camera: plain)
    #expect(nearPose.ambiguityRatio ?? .infinity > 5)
    #expect(nearPose.cameraFromBoard.rotation.z.y * near.rotation.z.y > 0)
  }

  @Test func whatHasNoPoseIsRefusedByReason() throws {
    var generator = SeededGenerator(seed: 5)
    let simulated = SimulatedViews()
    let pose = simulated.pose(&generator)
    let whole = simulated.view(camera, pose: pose, &generator)
    var mirrored = whole
    mirrored.isMirrored = true
    var few = whole
    few.corners.removeLast(whole.corners.count - 3)
    var line = whole
    line.corners = Array(whole.corners.prefix(5))
    var nearlyLine = line
    nearlyLine.corners.append(whole.corners[7])
    var other = whole
    other.imageSize = RasterSize(width: 320, height: 240)
    let cases: [(BoardView, CalibrationError.Reason)] = [
      (mirrored, .mirroredView), (few, .tooFewCorners), (line, .cornersOnLine),
      (nearlyLine, .cornersOnLine), (other, .unequalSizes),
    ]
    for (view, reason) in cases {
      let error = #expect(throws: CalibrationError.self) {
        try BoardPose.estimate(view, camera: camera)
      }
      #expect(error?.reason == reason)
    }
  }

  /// A mirror image is the image of no board, until its columns are counted from the other side.
  @Test func anUnmirroredViewHasThePoseAgain() throws {
    var generator = SeededGenerator(seed: 6)
    let simulated = SimulatedViews()
    let view = simulated.view(camera, pose: simulated.pose(&generator), &generator)
    var mirrored = view
    mirrored.isMirrored = true
    mirrored.corners = view.corners.map {
      BoardCorner(id: $0.id, pixel: [639 - $0.pixel.x, $0.pixel.y])
    }
    let pose = try BoardPose.estimate(mirrored.unmirrored, camera: camera)
    #expect(pose.rmsPixels < 1e-6)
    #expect(view.unmirrored == view)
  }
}
