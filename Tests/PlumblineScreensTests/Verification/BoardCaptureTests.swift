import Plumbline
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import PlumblineVision
import Testing

@testable import PlumblineScreens

@Suite struct BoardCaptureTests {
  /// A capture that was filled by doing what it says; `nil` where that does not end.
  private func filled(
    seed: UInt64, _ change: (inout SimulatedBoardUser) -> Void = { _ in }
  ) -> BoardCapture? {
    var user = SimulatedBoardUser(seed: seed)
    change(&user)
    var capture = BoardCapture(SimulatedBoardUser.board)
    for _ in 0..<400 {
      // Each view is held for four frames, a third of a second apart from the next.
      for index in 0..<4 { capture.take(user.observation(step: index == 0 ? 0.3 : 1.0 / 30)) }
      if capture.isComplete { return capture }
      user.follow(capture.instruction)
    }
    return nil
  }

  /// Who does what the screen says comes to an end, with every part of the image and every tilt seen.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func theInstructionsLeadToTheEnd(seed: UInt64) throws {
    let capture = try #require(filled(seed: seed))
    #expect(capture.coverage.isComplete && capture.canFinish)
    #expect((BoardCapture.wantedFrames...BoardCapture.maximumFrames).contains(capture.keptCount))
    #expect(capture.progressShare == 1)
    #expect(capture.progress.hasPrefix("\(capture.keptCount) of 20 frames, 12 of 12 parts"))
  }

  /// The selected frames give the true focal length within its ±, and the verdict on the factory's.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func chosenFramesMeasureTheFocalLength(seed: UInt64) throws {
    let right = try VerificationOutcome(try #require(filled(seed: seed)).material)
    let measured = try #require(right.verification.measured)
    #expect(abs(measured.focal - SimulatedBoardUser.trueFocal) < 4 * measured.focalSigma)
    // A fifth of a percent: twenty frames of sixty corners of 0.1 px.
    #expect(measured.focalSigma < 2, "\(measured.focalSigma)")
    #expect(right.verification.verdict == .fits, "\(right.reason)")
    let row = try #require(right.rows.first { $0.name == "Measured focal length" })
    #expect(row.value.contains(" ± ") && row.value.hasSuffix(" px"))
    let wrong = try #require(
      filled(seed: seed) { $0.factoryFocal = 1.05 * SimulatedBoardUser.trueFocal })
    let outcome = try VerificationOutcome(wrong.material)
    #expect(outcome.verification.verdict == .doesNotFit, "\(outcome.reason)")
    let share = try #require(outcome.rows.first { $0.name == "Measured against factory" })
    // 1 / 1.05 − 1.
    #expect(share.value.hasPrefix("−4.") || share.value.hasPrefix("−5."), "\(share.value)")
  }

  @Test func whatMovesIsNotKept() {
    var user = SimulatedBoardUser(seed: 1)
    var capture = BoardCapture(SimulatedBoardUser.board)
    for index in 0..<40 {
      // A pixel each frame, thirty each second.
      user.center.x = 0.4 + Double(index) / 640
      capture.take(user.observation())
      #expect(capture.keptCount == 0)
    }
    guard case .moving(let speed?) = capture.rejection else {
      Issue.record("\(String(describing: capture.rejection))")
      return
    }
    #expect(abs(speed - 30) < 5, "\(speed)")
    #expect(capture.instruction == "Hold still for a moment.")
    // It stands still from now on: the noise of corners is no motion.
    capture.take(user.observation())
    #expect(capture.keptCount == 1)
  }

  @Test func eachRejectionHasItsReason() {
    var user = SimulatedBoardUser(seed: 2)
    var capture = BoardCapture(SimulatedBoardUser.board)
    capture.take(
      BoardObservation(BoardSighting(frame: nil, hasColor: false), seconds: 0, isMirror: false))
    #expect(capture.rejection == .noImage && capture.imagelessCount == 1)
    capture.take(BoardObservation(BoardSighting(frame: nil), seconds: 0, isMirror: false))
    #expect(capture.rejection == .noBoard)
    #expect(capture.instruction.contains("chessboard 10 × 8"))
    var few = user.frame()
    few.view.corners = Array(few.view.corners.prefix(6))
    capture.take(BoardObservation(BoardSighting(frame: few), seconds: 0.1, isMirror: false))
    #expect(capture.rejection == .fewCorners(6))
    capture.take(user.observation())
    capture.take(user.observation())
    #expect(capture.keptCount == 1 && capture.rejection == nil)
    capture.take(user.observation())
    #expect(capture.rejection == .tooSoon)
    _ = user.observation(step: 1)
    capture.take(user.observation())
    capture.take(user.observation())
    #expect(capture.rejection == .nothingNew && capture.keptCount == 1)
    var other = user.frame()
    other.view.imageSize = RasterSize(width: 1280, height: 960)
    other.factory = nil
    capture.take(BoardObservation(BoardSighting(frame: other), seconds: 9, isMirror: false))
    #expect(capture.rejection == .other)
    #expect(capture.frameCount == 9)
  }

  /// Words are about the image as shown: the side that is called nearer has the smaller depths there.
  @Test(arguments: ImageOrientation.allCases, [false, true])
  func sidesAreThoseOfTheShownImage(orientation: ImageOrientation, isMirror: Bool) throws {
    for slope in [SIMD2(0.6, 0), SIMD2(-0.6, 0), SIMD2(0, 0.6), SIMD2(0, -0.6)] {
      var user = SimulatedBoardUser(seed: 4)
      (user.orientation, user.slope, user.noisePixels) = (orientation, slope, 0)
      let observation = user.observation(isMirror: isMirror)
      let depths = (0..<SimulatedBoardUser.board.cornerCount).map {
        (user.cameraFromBoard * SimulatedBoardUser.board.cornerInBoard($0)).z
      }
      #expect(observation.corners.count == depths.count)
      let nearest = try #require(depths.indices.min { depths[$0] < depths[$1] })
      let farthest = try #require(depths.indices.max { depths[$0] < depths[$1] })
      let way = observation.corners[farthest] - observation.corners[nearest]
      let expected: BoardTilt =
        abs(way.x) > abs(way.y)
        ? (way.x > 0 ? .leftNearer : .rightNearer) : (way.y > 0 ? .topNearer : .bottomNearer)
      #expect(observation.tilt == expected, "\(orientation) \(isMirror) \(slope)")
    }
  }

  @Test func aBoardThatFacesTheCameraHasNoSide() {
    var user = SimulatedBoardUser(seed: 5)
    #expect(user.observation().tilt == .facing)
    // Between 10° and 15° nothing is said.
    user.slope = [0.22, 0]
    #expect(user.observation().tilt == nil)
  }
}

@Suite struct VerificationScreenTests {
  @Test func aLineThatIsNoBoardIsExplained() {
    var screen = VerificationScreen(boardText: "checkers:8x8")
    screen.start()
    #expect(screen.boardProblem?.contains("charuco: or chessboard:") == true)
    #expect(!screen.needsCamera)
    screen.boardText = VerificationScreen.usualBoard
    screen.start()
    #expect(screen.boardProblem == nil && screen.needsCamera)
  }

  @Test func measuringNeedsEnoughFrames() {
    var screen = VerificationScreen(boardText: "chessboard:10x8:20mm")
    screen.start()
    screen.finish()
    guard case .collecting = screen.phase else {
      Issue.record("finished without a frame")
      return
    }
    var user = SimulatedBoardUser(seed: 6)
    for _ in 0..<400 where screen.needsCamera {
      for index in 0..<4 { screen.take(user.observation(step: index == 0 ? 0.3 : 1.0 / 30)) }
      if case .collecting(let capture) = screen.phase { user.follow(capture.instruction) }
    }
    guard case .measuring(let material) = screen.phase else {
      Issue.record("not complete")
      return
    }
    // Frames that come late change nothing.
    screen.take(user.observation())
    #expect(!screen.needsCamera && material.frames.count >= BoardCapture.wantedFrames)
    screen.fail("the reason")
    guard case .failed("the reason") = screen.phase else {
      Issue.record("not failed")
      return
    }
    screen.reset()
    screen.start()
    #expect(screen.needsCamera)
  }
}
