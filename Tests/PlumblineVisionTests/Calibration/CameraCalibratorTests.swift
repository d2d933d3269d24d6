import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct CameraCalibratorTests {
  static let everything: FreeParameters = [
    .focal, .aspect, .principalPoint, .radial1, .radial2, .radial3, .tangential,
  ]

  /// Exact corners leave no residual: what the camera says is right to a millionth of a pixel.
  @Test(arguments: 0..<5) func exactCornersGiveTheExactCamera(seed: UInt64) throws {
    let simulated = SimulatedViews()
    let truth = CameraModel(
      intrinsics: SimulatedViews.intrinsics, lens: SimulatedViews.polynomial)
    let views = simulated.views(9, truth, seed: seed)
    let start = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [560, 560], principalPoint: [325, 236], size: SimulatedViews.size))
    let estimate = try CameraCalibrator(free: Self.everything).calibrate(views, initial: start)
    #expect(estimate.rmsPixels < 1e-6)
    #expect(estimate.rejectedCornerCount == 0)
    for parameter in [CameraParameter.focal, .principalPointX, .principalPointY] {
      #expect(abs(estimate.camera[parameter] - truth[parameter]) < 1e-6, "\(parameter)")
    }
    // The factors' share of a corner's position is theirs times 600 px times at most 0.1.
    for parameter in [CameraParameter.radial1, .radial2, .tangential1, .tangential2] {
      #expect(abs(estimate.camera[parameter] - truth[parameter]) < 1e-6, "\(parameter)")
    }
  }

  /// Each lens that is given as a table stays as given, and the focal length comes out exact.
  @Test(arguments: ["table", "inverse table", "coefficients"])
  func aGivenLensStays(name: String) throws {
    let lens = try #require(SimulatedViews.lenses[name])
    let truth = CameraModel(intrinsics: SimulatedViews.square, lens: lens)
    var start = truth
    start.intrinsics.focalLength = [630, 630]
    let views = SimulatedViews().views(5, truth, seed: 1)
    let estimate = try CameraCalibrator().calibrate(views, initial: start)
    #expect(abs(estimate.focal - 600) < 1e-6)
    #expect(estimate.camera.lens == lens)
  }

  /// Without any camera to start from the boards' shapes give one.
  @Test(arguments: [300.0, 600, 1800]) func boardsAloneGiveAFocalLength(focal: Double) throws {
    let truth = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [focal, focal], principalPoint: [319.5, 239.5], size: SimulatedViews.size))
    let views = SimulatedViews().views(6, truth, seed: 2)
    let estimate = try CameraCalibrator().calibrate(views)
    #expect(abs(estimate.focal / focal - 1) < 1e-8)
  }

  /// 120 draws tell a deviation within 6.5 %, so 20 % is three times that; and of 120 draws about
  /// 0.3 lie beyond 3 deviations, 5 with a probability of 1e-4.
  @Test func statedSigmaIsTheScatterOfIndependentNoise() throws {
    let scatter = try Scatter(noisePixels: 0.1, sharedPixels: 0)
    #expect(abs(scatter.formalRatio - 1) < 0.2, "\(scatter.formalRatio)")
    #expect(abs(scatter.jackknifeRatio - 1) < 0.2, "\(scatter.jackknifeRatio)")
    #expect(scatter.beyondThree < 5)
  }

  /// Errors that a view shares are invisible to the formal covariance; the views' scatter shows them.
  @Test func jackknifeSigmaHoldsForErrorsThatAViewShares() throws {
    let scatter = try Scatter(noisePixels: 0.03, sharedPixels: 0.5)
    #expect(scatter.formalRatio < 0.7, "\(scatter.formalRatio)")
    #expect(abs(scatter.jackknifeRatio - 1) < 0.25, "\(scatter.jackknifeRatio)")
  }

  /// Stated over real deviation of the focal length, over 120 draws of 6 views each.
  private struct Scatter {
    var formalRatio = 0.0
    var jackknifeRatio = 0.0
    var beyondThree = 0

    init(noisePixels: Double, sharedPixels: Double) throws {
      var simulated = SimulatedViews()
      simulated.board = Board(columns: 5, rows: 4, squareMeters: 0.04, pattern: .chessboard)
      simulated.noisePixels = noisePixels
      simulated.sharedPixels = sharedPixels
      let truth = CameraModel(intrinsics: SimulatedViews.square)
      var generator = SeededGenerator(seed: 11)
      let poses = (0..<6).map { _ in simulated.pose(&generator) }
      let calibrator = CameraCalibrator(loss: .huber)
      var (errors, formal, jackknife) = (0.0, 0.0, 0.0)
      for _ in 0..<120 {
        let views = poses.map { simulated.view(truth, pose: $0, &generator) }
        let estimate = try calibrator.calibrate(views, initial: truth)
        let error = estimate.focal - 600
        errors += error * error
        let stated = try #require(estimate.formalSigma(of: .focal))
        let byView = try #require(estimate.jackknifeSigma(of: .focal))
        formal += stated * stated
        jackknife += byView * byView
        if abs(error) > 3 * (try #require(estimate.focalSigma)) { beyondThree += 1 }
      }
      formalRatio = (formal / errors).squareRoot()
      jackknifeRatio = (jackknife / errors).squareRoot()
    }
  }

  /// One corner in twenty 5 px off moves the focal length of plain least squares, not this one's.
  @Test(arguments: 0..<6) func outliersAreShruggedOff(seed: UInt64) throws {
    var simulated = SimulatedViews()
    simulated.noisePixels = 0.1
    let truth = CameraModel(intrinsics: SimulatedViews.square)
    var generator = SeededGenerator(seed: seed)
    var views = simulated.views(10, truth, seed: seed)
    var wrong: Set<[Int]> = []
    for index in views.indices {
      for corner in views[index].corners.indices where generator.chance(0.05) {
        let side = generator.chance(0.5) ? 5.0 : -5.0
        views[index].corners[corner].pixel += generator.chance(0.5) ? [side, 0] : [0, side]
        wrong.insert([index, corner])
      }
    }
    let clean = try CameraCalibrator().calibrate(
      simulated.views(10, truth, seed: seed), initial: truth)
    let robust = try CameraCalibrator().calibrate(views, initial: truth)
    let sigma = try #require(robust.focalSigma)
    #expect(abs(robust.focal - clean.focal) < 1.5 * sigma)
    #expect(abs(robust.focal - 600) < 4 * sigma)
    #expect(abs(robust.rmsPixels / clean.rmsPixels - 1) < 0.1)
    var rejected: Set<[Int]> = []
    for view in robust.views {
      for (place, corner) in view.corners.enumerated() where corner.isRejected {
        rejected.insert([view.index, place])
      }
    }
    #expect(rejected.isSuperset(of: wrong))
    #expect(rejected.count <= wrong.count + 1)
  }

  @Test func sameViewsGiveTheSameBits() throws {
    var simulated = SimulatedViews()
    simulated.noisePixels = 0.2
    let views = simulated.views(6, CameraModel(intrinsics: SimulatedViews.square), seed: 9)
    let calibrator = CameraCalibrator(free: [.focal, .radial1])
    #expect(try calibrator.calibrate(views) == calibrator.calibrate(views))
  }

  /// Equal halves differ by rounding; halves of two cameras by the cameras' difference.
  @Test func viewsWithFewCornersAreSkippedAndListed() throws {
    let camera = CameraModel(intrinsics: SimulatedViews.square)
    var views = SimulatedViews().views(5, camera, seed: 12)
    views[1].corners.removeLast(11)
    let estimate = try CameraCalibrator().calibrate(views, initial: camera)
    #expect(estimate.skippedViews == [1])
    #expect(estimate.views.map(\.index) == [0, 2, 3, 4])
  }

  @Test func viewsThatTellNothingAreRefusedByReason() throws {
    let camera = CameraModel(intrinsics: SimulatedViews.square)
    var simulated = SimulatedViews()
    simulated.noisePixels = 0.1
    let good = simulated.views(5, camera, seed: 13)
    var mirrored = good
    mirrored[2].isMirrored = true
    var other = good
    other[3].imageSize = RasterSize(width: 1280, height: 960)
    var generator = SeededGenerator(seed: 14)
    let onePose = simulated.pose(lean: [0.6, 0.2], turn: 0, middle: [0, 0, 0.35])
    let alike = (0..<5).map { _ in simulated.view(camera, pose: onePose, &generator) }
    let frontal = [0.3, 0.35, 0.4, 0.5].map { depth in
      simulated.view(
        camera, pose: simulated.pose(lean: [0, 0], turn: depth, middle: [0, 0, depth]), &generator)
    }
    var line = good
    line[1].board.columns = 12
    line[1].corners = (0..<11).map { BoardCorner(id: $0, pixel: [Double($0) * 20, 100]) }
    let cases: [([BoardView], CalibrationError.Reason, Int?)] = [
      ([], .tooFewViews, nil), (Array(good.prefix(1)), .tooFewViews, nil),
      (mirrored, .mirroredView, 2), (other, .unequalSizes, 3), (alike, .viewsAlike, nil),
      (frontal, .focalUnobservable, nil), (line, .cornersOnLine, 1),
    ]
    for (views, reason, place) in cases {
      let error = #expect(throws: CalibrationError.self) {
        try CameraCalibrator().calibrate(views, initial: camera)
      }
      #expect(error?.reason == reason)
      #expect(error?.view == place)
    }
    let error = #expect(throws: CalibrationError.self) {
      try CameraCalibrator().calibrate(frontal)
    }
    #expect(error?.reason == .focalUnobservable)
  }
}
