import PlumblineModel
import PlumblineVerification
import PlumblineVision
import Testing

/// What must not be taken for evidence against a device.
@Suite struct BoardDoubtTests {
  private let leaning = SimulatedBoardFrames.tilts(10)

  @Test("A depth map that is mirrored or enlarged is no calibration that fits")
  func misplacedDepth() throws {
    for (change, words) in [
      (ImageOrientation.upMirrored, "mirrored left to right"),
      (.downMirrored, "mirrored top to bottom"), (.down, "upside down"),
    ] {
      var simulated = SimulatedBoardFrames()
      simulated.changeDepth = { DepthMap(meters: $0.meters.oriented(by: change)) }
      let result = try CalibrationVerification(simulated.frames(leaning), frameCount: 10)
      #expect(result.verdict == .cannotTell)
      #expect(!result.isMeasurable)
      #expect(result.reason.contains(words), "\(result.reason)")
    }
    var simulated = SimulatedBoardFrames()
    simulated.changeDepth = { map in
      DepthMap(
        meters: Raster(size: map.size) { x, y in
          // The middle 0.9 of the view.
          let column = Int((80 + (Double(x) - 79.5) * 0.9).rounded(.down))
          let row = Int((60 + (Double(y) - 59.5) * 0.9).rounded(.down))
          return map.meters[min(max(column, 0), 159), min(max(row, 0), 119)]
        })
    }
    let result = try CalibrationVerification(simulated.frames(leaning), frameCount: 10)
    #expect(result.verdict == .cannotTell)
    #expect(result.reason.contains("enlarged"), "\(result.reason)")
  }

  @Test("A board that few frames show accuses nobody")
  func fewFrames() throws {
    var frames = SimulatedBoardFrames()
    frames.factoryFocal = 565
    let result = try CalibrationVerification(
      Array(frames.frames(leaning).prefix(2)), frameCount: 50)
    #expect(result.verdict == .cannotTell)
    #expect(result.reason.contains("2 of 50") && result.reason.contains("Check the board"))
  }

  @Test("Frames without an image are not frames without a board")
  func imageless() throws {
    let none = try CalibrationVerification([], frameCount: 5, imagelessCount: 5)
    #expect(none.boardlessCount == 0)
    #expect(none.reason.contains("no color image") || none.reason.contains("has a color image"))
    let some = try CalibrationVerification([], frameCount: 5, imagelessCount: 3)
    #expect(some.boardlessCount == 2)
    #expect(some.reason.contains("3 of 5 frames have no image"))
  }

  @Test("Squares of another side are no fault of the device")
  func wrongSide() throws {
    let frames = SimulatedBoardFrames().frames(leaning).map { frame in
      var frame = frame
      frame.view.board.squareMeters *= 1.4
      return frame
    }
    let result = try CalibrationVerification(frames, frameCount: 10)
    #expect(result.verdict == .cannotTell)
    #expect(result.reason.contains("side of the board's squares"), "\(result.reason)")
  }

  @Test("A given calibration of another device is not believed over what was measured")
  func givenOfAnother() throws {
    let frames = SimulatedBoardFrames().frames(leaning)
    let other = MeasuredCamera(
      camera: CameraModel(
        intrinsics: PinholeIntrinsics(
          focalLength: [640, 640], principalPoint: SimulatedBoardFrames.center,
          size: SimulatedBoardFrames.size)), focalSigma: 0.5)
    let result = try CalibrationVerification(frames, frameCount: 10, given: other)
    #expect(result.verdict == .fits)
    #expect(result.reason.contains("does not belong to these frames"))
    #expect(abs(result.measuredDepth?.length?.share ?? 1) < 0.01)
    #expect((result.givenMissRatio ?? 0) > 1.5)
  }

  @Test("Corners that no camera explains make the board doubtful")
  func wrongNumbering() throws {
    // As rows of nine corners that are read as rows of eight: each row shifts by one more.
    let frames = SimulatedBoardFrames().frames(leaning).map { frame in
      var frame = frame
      let columns = frame.view.board.columns - 1
      frame.view.corners = frame.view.corners.compactMap { corner in
        let (column, row) = (corner.id % columns, corner.id / columns)
        let moved = column + row / 3
        return moved < columns ? BoardCorner(id: row * columns + moved, pixel: corner.pixel) : nil
      }
      return frame
    }
    let result = try CalibrationVerification(frames, frameCount: 10)
    #expect(result.verdict == .cannotTell)
    #expect(!result.isMeasurable)
  }

  @Test("A board that the images show instead of the stated one is named")
  func shownBoard() throws {
    let shown = Board(columns: 10, rows: 8, squareMeters: 0.02, pattern: .chessboard)
    let result = try CalibrationVerification(
      SimulatedBoardFrames().frames(leaning), frameCount: 10, shownBoard: shown)
    #expect(result.verdict == .cannotTell)
    #expect(result.reason.contains("10 × 8 squares"))
  }
}
