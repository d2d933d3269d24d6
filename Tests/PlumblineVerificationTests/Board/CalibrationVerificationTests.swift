import PlumblineModel
import PlumblineVerification
import PlumblineVision
import Testing

/// What the assessment must say of cameras that are known exactly.
@Suite struct CalibrationVerificationTests {
  static let leaning = SimulatedBoardFrames.tilts(12)

  func judged(
    _ frames: SimulatedBoardFrames, _ tilts: [SIMD2<Double>] = leaning
  ) throws -> CalibrationVerification {
    try CalibrationVerification(frames.frames(tilts), frameCount: tilts.count)
  }

  @Test("A factory focal length 6.6 % too long does not fit, and the measured one mends lengths")
  func wrongFocal() throws {
    var frames = SimulatedBoardFrames()
    frames.factoryFocal = 565
    let result = try judged(frames)
    let measured = try #require(result.measured)
    #expect(result.verdict == .doesNotFit)
    #expect(result.isMeasurable)
    #expect(abs(measured.focal - 530) < 4 * measured.focalSigma)
    // 700 corners of 0.1 px leave some tenths of a pixel.
    #expect(measured.focalSigma > 0.02 && measured.focalSigma < 1)
    // Lengths scale by 530/565 − 1, within 0.3 % of what the leaning leaves.
    let factory = try #require(result.factoryDepth?.length)
    #expect(abs(factory.share - (530.0 / 565 - 1)) < 0.006)
    let mended = try #require(result.measuredDepth?.length)
    #expect(abs(mended.share) < 0.003)
    // The board moves away by about Z·Δf/f = 20 mm: sensor minus board is negative.
    let offset = try #require(result.factoryDepth?.differences.median)
    #expect(offset < -0.015 && offset > -0.027)
  }

  @Test("A right factory fits, whether its lens is in the images or not", arguments: [true, false])
  func rightFocal(isDistorted: Bool) throws {
    var frames = SimulatedBoardFrames()
    frames.factoryLens = SimulatedBoardFrames.table
    frames.lens = isDistorted ? SimulatedBoardFrames.table : nil
    let result = try judged(frames)
    #expect(result.verdict == .fits)
    #expect(result.rectification == (isDistorted ? .distorted : .rectified))
    #expect(result.measured?.lens == (isDistorted ? .tableInverse : .focal))
    let wrong = try #require(result.estimates.first { $0.lens == .tableForward })
    #expect(wrong.rmsPixels > 1.2 * (result.measured?.rmsPixels ?? .infinity))
    let length = try #require(result.factoryDepth?.length)
    #expect(abs(length.share) < 0.003)
  }

  @Test("A lens without a table is measured together with the focal length")
  func lensWithoutTable() throws {
    var frames = SimulatedBoardFrames()
    frames.lens = SimulatedBoardFrames.table
    frames.isGeometryCorrected = false
    let result = try judged(frames)
    #expect(result.verdict == .fits)
    #expect(result.rectification == .distorted)
    #expect(result.tableFits == nil)
    // There is no table, so none may be said to apply.
    #expect(!result.reason.contains("table applies"))
    #expect(result.reason.contains("describes no lens"))
    #expect(result.estimates.map(\.lens) == [.focal, .radial, .spline])
    let measured = try #require(result.measured)
    #expect(measured.lens == .radial || measured.lens == .spline)
    #expect(abs(measured.focal - 530) < 2 * measured.focalSigma)
    let depth = try #require(result.measuredDepth)
    #expect(abs(depth.differences.median) < 3 * depth.differenceSigmaMeters)
  }

  @Test("One frame warns of lengths with an honest ±, and accuses no device")
  func oneFrame() throws {
    for (focal, warns) in [(530.0, false), (565, true)] {
      var frames = SimulatedBoardFrames()
      frames.factoryFocal = focal
      let result = try judged(frames, [SIMD2(0.1, 0)])
      #expect(result.verdict == .cannotTell)
      #expect(result.reason.contains("more than the sensor explains") == warns)
      #expect(!result.isMeasurable)
      #expect(result.estimates.isEmpty && result.measured == nil)
      let length = try #require(result.factoryDepth?.length)
      // The sensor's own scale alone is uncertain by 0.6 %.
      #expect(length.sigmaShare >= 0.006)
      #expect(result.reason.contains("±"))
    }
  }

  @Test("Views that are all alike give no focal length, however many")
  func alike() throws {
    let tilts = (0..<10).map { SIMD2(0.1 + 0.001 * Double($0), 0) }
    let result = try judged(SimulatedBoardFrames(), tilts)
    #expect(result.estimates.isEmpty)
    #expect(result.orientationCount == 1)
    #expect(result.verdict == .cannotTell)
    #expect(!result.isMeasurable)
  }

  @Test(
    "Without a board, without depth or without a factory calibration it cannot tell, or says so")
  func missing() throws {
    let none = try CalibrationVerification([], frameCount: 5)
    #expect(none.verdict == .cannotTell && none.reason.contains("None of 5"))
    var frames = SimulatedBoardFrames()
    frames.hasDepth = false
    let shallow = try judged(frames)
    #expect(shallow.verdict == .fits && shallow.factoryDepth == nil)
    #expect(try judged(frames, [SIMD2(0.1, 0)]).reason.contains("no depth"))
    let bare = frames.frames(Self.leaning).map { frame in
      var frame = frame
      frame.factory = nil
      return frame
    }
    let judgement = try CalibrationVerification(bare, frameCount: 12)
    #expect(judgement.verdict == .cannotTell)
    #expect(judgement.reason.contains("±"))
  }

  @Test("A bent board is found bent, a flat one flat, and the focal length is right for both")
  func bentBoard() throws {
    var frames = SimulatedBoardFrames()
    frames.hasDepth = false
    // A wave of 0.3 mm: no lens and no pose explains it.
    frames.bend = { id in [0.0003, -0.0003, 0, 0.0002, -0.0002][id * 7 % 5] }
    let bent = try judged(frames, SimulatedBoardFrames.tilts(16))
    let shape = try #require(bent.boardShape)
    #expect(abs(shape.flatnessMeters - 0.000_23) < 0.000_06)
    let measured = try #require(bent.measured)
    #expect(abs(measured.focal - 530) < 4 * measured.focalSigma)
    #expect(measured.rmsPixels < 0.2)
    frames.bend = { _ in 0 }
    #expect(try judged(frames, SimulatedBoardFrames.tilts(16)).boardShape == nil)
  }

  @Test("Frames of different sizes are refused with both names")
  func unequal() throws {
    var frames = SimulatedBoardFrames().frames(Self.leaning)
    frames[3].view.imageSize = RasterSize(width: 320, height: 240)
    frames[3].factory = nil
    #expect(throws: BoardFramesError.self) {
      try CalibrationVerification(frames, frameCount: 12)
    }
  }

  @Test("The same frames give the same bits")
  func repeated() throws {
    let tilts = SimulatedBoardFrames.tilts(5)
    let first = try judged(SimulatedBoardFrames(), tilts)
    let second = try judged(SimulatedBoardFrames(), tilts)
    #expect(first.measured != nil)
    #expect(first.measured?.focal == second.measured?.focal)
    #expect(first.reason == second.reason)
  }

  @Test("A measurement refuses what the views do not determine")
  func measurement() throws {
    let alike = try judged(SimulatedBoardFrames(), [SIMD2(0.1, 0), SIMD2(0.1, 0), SIMD2(0.1, 0)])
    #expect(throws: CalibrationError.self) { try CameraMeasurer().measure(alike) }
    let good = try CameraMeasurer().measure(judged(SimulatedBoardFrames()))
    #expect(abs(good.camera.intrinsics.focalLength.x - 530) < 2)
    #expect((good.uncertainty.focalLengthPixels?.x ?? 0) > 0)
  }
}
