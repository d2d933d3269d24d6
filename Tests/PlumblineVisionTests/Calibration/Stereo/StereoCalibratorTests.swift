import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct StereoCalibratorTests {
  @Test func exactCornersGiveTheExactPair() throws {
    let pairs = SimulatedPairs().pairs(8, seed: 3)
    let estimate = try StereoCalibrator().calibrate(
      pairs, left: SimulatedPairs.start(570), right: SimulatedPairs.start(670))
    #expect(estimate.rmsPixels < 1e-6, "px")
    #expect(estimate.epipolarRMSPixels < 1e-6, "px")
    let moved = estimate.rightFromLeft.translation - SimulatedPairs.rightFromLeft.translation
    #expect(largest(moved) < 1e-8, "meters")
    let turned =
      (estimate.rightFromLeft.rotation * SimulatedPairs.rightFromLeft.rotation.inverse).axisAngle
    #expect(largest(turned) < 1e-8, "radians")
    for (camera, truth) in [
      (estimate.left, SimulatedPairs.left), (estimate.right, SimulatedPairs.right),
    ] {
      #expect(abs(camera[.focal] - truth[.focal]) < 1e-6, "px")
      #expect(abs(camera[.principalPointX] - truth[.principalPointX]) < 1e-6, "px")
      #expect(abs(camera[.radial1] - truth[.radial1]) < 1e-6)
    }
    #expect(estimate.pairs.count == 8)
    #expect(estimate.skippedPairs.isEmpty)
  }

  @Test func camerasThatAreGivenStayAndThePoseIsFound() throws {
    let pairs = SimulatedPairs().pairs(4, seed: 5)
    let estimate = try StereoCalibrator(free: []).calibrate(
      pairs, left: SimulatedPairs.left, right: SimulatedPairs.right)
    #expect(estimate.left == SimulatedPairs.left)
    #expect(estimate.right == SimulatedPairs.right)
    let moved = estimate.rightFromLeft.translation - SimulatedPairs.rightFromLeft.translation
    #expect(largest(moved) < 1e-8, "meters")
    #expect(estimate.leftSigma(of: .focal) == nil)
    #expect {
      try StereoCalibrator(free: []).calibrate(pairs, left: SimulatedPairs.left)
    } throws: { ($0 as? CalibrationError)?.reason == .parameterUnobservable }
  }

  /// A mean of 20 draws' (error/σ)² has the deviation √(2/20) = 0.32; 0.2 to 2.5 is more than
  /// twice that to either side, and the larger of two sigmas is stated.
  @Test func statedSigmaIsTheScatterOfNoise() throws {
    var simulated = SimulatedPairs()
    simulated.views.noisePixels = 0.2
    var baseline = 0.0
    var turn = 0.0
    var offset = 0.0
    let draws = 20
    for seed in 0..<UInt64(draws) {
      let pairs = simulated.pairs(6, seed: 100 + seed)
      let estimate = try StereoCalibrator(free: [.focal, .principalPoint]).calibrate(
        pairs, left: SimulatedPairs.left, right: SimulatedPairs.right)
      let truth = SimulatedPairs.rightFromLeft
      let length = (truth.translation * truth.translation).sum().squareRoot()
      let error = (estimate.baseline - length) / estimate.baselineSigma
      baseline += error * error
      let turned = (estimate.rightFromLeft.rotation * truth.rotation.inverse).axisAngle
      let share = turned / estimate.sigmaRotation
      turn += (share * share).sum() / 3
      // Where a far point on the left camera's axis lies along the baseline.
      let far = estimate.infinityError
      offset += far * far
    }
    for mean in [baseline, turn, offset].map({ $0 / Double(draws) }) {
      #expect((0.2...2.5).contains(mean), "mean square of error over sigma \(mean)")
    }
  }

  @Test func aViewWithFewCornersTakesItsPairOut() throws {
    var pairs = SimulatedPairs().pairs(5, seed: 9)
    pairs[1].right.corners.removeLast(pairs[1].right.corners.count - 5)
    let estimate = try StereoCalibrator(free: []).calibrate(
      pairs, left: SimulatedPairs.left, right: SimulatedPairs.right)
    #expect(estimate.skippedPairs == [1])
    #expect(estimate.pairs.map(\.index) == [0, 2, 3, 4])
    #expect {
      try StereoCalibrator().calibrate(Array(pairs[..<3]))
    } throws: { ($0 as? CalibrationError)?.reason == .tooFewViews }
  }

  @Test func aWildCornerIsRejectedAndMovesNothing() throws {
    var pairs = SimulatedPairs().pairs(5, seed: 9)
    pairs[2].left.corners[7].pixel += SIMD2(25, -14)
    let estimate = try StereoCalibrator(free: [.focal]).calibrate(
      pairs, left: SimulatedPairs.left, right: SimulatedPairs.right)
    #expect(estimate.pairs.map(\.rejectedCorners) == [0, 0, 1, 0, 0])
    let moved = estimate.rightFromLeft.translation - SimulatedPairs.rightFromLeft.translation
    #expect(largest(moved) < 1e-7, "meters")
  }

  @Test func imagesOfDifferentBoardsAreRefused() throws {
    var pairs = SimulatedPairs().pairs(4, seed: 9)
    pairs[3].right.board.squareMeters = 0.02
    #expect {
      try StereoCalibrator().calibrate(pairs)
    } throws: {
      ($0 as? CalibrationError)?.view == 3
    }
  }

  @Test(.enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func openCVsThirteenPairsGiveItsOwnNumbers() throws {
    let detector = BoardDetector(
      board: Board(columns: 10, rows: 7, squareMeters: 0.025, pattern: .chessboard))
    var pairs: [BoardViewPair] = []
    for number in ["01", "02", "03", "04", "05", "06", "07", "08", "09", "11", "12", "13", "14"] {
      let left = try detector.view(in: RealImages.gray("boards/left\(number).jpg"))
      let right = try detector.view(in: RealImages.gray("boards/right\(number).jpg"))
      if let left, let right { pairs.append(BoardViewPair(left: left, right: right)) }
    }
    #expect(pairs.count >= 12)
    let start = SimulatedPairs.start(535)
    let estimate = try StereoCalibrator(
      free: [.focal, .principalPoint, .radial1, .radial2]
    ).calibrate(pairs, left: start, right: start)
    // OpenCV's stereo_calib finds f = 534.8 px for both and a baseline of 3.34 squares of 25 mm.
    #expect(abs(estimate.left[.focal] - 534.8) < 4, "\(estimate.left[.focal])")
    #expect(abs(estimate.right[.focal] - 534.8) < 4, "\(estimate.right[.focal])")
    #expect(abs(estimate.baseline - 0.0834) < 0.001, "\(estimate.baseline)")
    #expect(estimate.baselineSigma < 0.001, "\(estimate.baselineSigma)")
    #expect(estimate.rmsPixels < 0.35, "\(estimate.rmsPixels)")
    #expect(estimate.epipolarRMSPixels < 0.35, "\(estimate.epipolarRMSPixels)")
  }
}

extension StereoCalibrationEstimate {
  /// How far a point at infinity on the left axis is off along the rows, over its sigma.
  fileprivate var infinityError: Double {
    let direction = SIMD3(0.0, 0, 1)
    guard let left = SimulatedPairs.left.project(direction),
      let right = SimulatedPairs.right.project(SimulatedPairs.rightFromLeft.rotation * direction),
      let leftRay = self.left.unproject(left), let rightRay = self.right.unproject(right)
    else { return .nan }
    let inRight = rightFromLeft.rotation * SIMD3(leftRay, 1)
    let along = SIMD2(rightFromLeft.translation.x, rightFromLeft.translation.y) / baseline
    let moved = rightRay - SIMD2(inRight.x, inRight.y) / inRight.z
    return (moved * along).sum() * self.left.intrinsics.focalLength.x / offsetSigmaPixels
  }
}
