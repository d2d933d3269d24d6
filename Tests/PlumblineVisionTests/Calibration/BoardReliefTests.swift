import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct BoardReliefTests {
  private let camera = CameraModel(intrinsics: SimulatedViews.square)

  /// Half a millimeter of bulge and saddle, which no plane can stand for.
  private func bulging(noisePixels: Double) -> SimulatedViews {
    var simulated = SimulatedViews(noisePixels: noisePixels)
    let board = simulated.board
    let (columns, rows) = (Double(board.columns - 2) / 2, Double(board.rows - 2) / 2)
    let raw = (0..<board.cornerCount).map { id in
      let place = board.gridPosition(ofCorner: id)
      let (x, y) = (Double(place.column) / columns - 1, Double(place.row) / rows - 1)
      return 5e-4 * (x * x - 0.6 * y * y + 0.8 * x * y)
    }
    let mean = raw.reduce(0, +) / Double(raw.count)
    simulated.heights = raw.map { $0 - mean }
    return simulated
  }

  /// Heights, camera and noise come out together; taken as flat, the board's bulge is the residual.
  @Test(arguments: 0..<2) func aBulgingBoardShowsItsRelief(seed: UInt64) throws {
    let simulated = bulging(noisePixels: 0.05)
    let views = simulated.views(14, camera, seed: seed)
    let flat = try CameraCalibrator().calibrate(views, initial: camera)
    var calibrator = CameraCalibrator()
    calibrator.boardShape = .relief
    let estimate = try calibrator.calibrate(views, initial: camera)
    #expect(flat.relief == nil)
    #expect(flat.rmsPixels > 2 * estimate.rmsPixels)
    // 0.05 px in two coordinates, less the unknowns' share.
    #expect(abs(estimate.rmsPixels - 0.05 * 2.0.squareRoot()) < 0.01)
    #expect(abs(estimate.focal - 600) < 4 * (try #require(estimate.focalSigma)))
    let relief = try #require(estimate.relief)
    #expect(relief.heightMeters.count == simulated.heights.count)
    for (id, height) in relief.heightMeters.enumerated() {
      // Five deviations, and half as much again for what camera and poses add.
      #expect(abs(height - simulated.heights[id]) < 7 * relief.sigmaMeters[id], "corner \(id)")
    }
  }

  /// A flat board has heights of 0 and the camera that it has when taken as flat.
  @Test func aFlatBoardHasNone() throws {
    let views = SimulatedViews().views(10, camera, seed: 3)
    var calibrator = CameraCalibrator()
    calibrator.boardShape = .relief
    let estimate = try calibrator.calibrate(views, initial: camera)
    #expect(abs(estimate.focal - 600) < 1e-5)
    #expect(try #require(estimate.relief).heightMeters.allSatisfy { abs($0) < 1e-8 })
  }

  @Test func fewViewsOrSeveralBoardsTellNone() {
    var calibrator = CameraCalibrator()
    calibrator.boardShape = .relief
    var mixed = SimulatedViews().views(12, camera, seed: 4)
    mixed[5].board.squareMeters *= 2
    for views in [SimulatedViews().views(9, camera, seed: 4), mixed] {
      let error = #expect(throws: CalibrationError.self) {
        try calibrator.calibrate(views, initial: camera)
      }
      #expect(error?.reason == .tooFewViews)
    }
  }
}
