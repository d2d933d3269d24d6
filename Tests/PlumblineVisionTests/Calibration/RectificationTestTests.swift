import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct RectificationTestTests {
  private static func views(_ lens: LensModel, seed: UInt64, count: Int = 6) -> [BoardView] {
    var simulated = SimulatedViews()
    // Corners out to the border, where a lens shows.
    simulated.board = Board(columns: 8, rows: 6, squareMeters: 0.033, pattern: .chessboard)
    simulated.noisePixels = 0.15
    return simulated.views(
      count, CameraModel(intrinsics: SimulatedViews.square, lens: lens), seed: seed)
  }

  private static func factory(_ lens: LensModel?) -> CameraCalibration {
    guard case .radial(let distortion) = lens else {
      return CameraCalibration(intrinsics: SimulatedViews.square)
    }
    return CameraCalibration(intrinsics: SimulatedViews.square, distortion: distortion)
  }

  /// The truth is told in every case that corners can tell, over seeds.
  @Test(arguments: 0..<2) func pixelsTellWhetherALensIsLeft(seed: UInt64) throws {
    let table = try #require(SimulatedViews.lenses["table"])
    let distorted = Self.views(table, seed: seed)
    let straight = Self.views(.none, seed: seed)
    let cases: [([BoardView], LensModel?, RectificationTest.Answer)] = [
      (distorted, table, .no), (straight, table, .yes), (distorted, nil, .no),
      (straight, nil, .yes),
    ]
    for (views, lens, answer) in cases {
      let test = try RectificationTest(views: views, factory: Self.factory(lens))
      #expect(test.answer == answer, "\(test.reason)")
    }
    let test = try RectificationTest(views: distorted, factory: Self.factory(table))
    #expect(test.models.map(\.name) == ["focal", "radial", "table-inverse", "table-forward"])
    let inverse = test.models[2]
    #expect(abs(inverse.focal - 600) < 4 * inverse.sigma)
    // 0.15 px in each of two coordinates, less what poses and camera absorb.
    #expect(abs(inverse.rmsPixels / (0.15 * 2.0.squareRoot()) - 1) < 0.15)
    #expect(test.models[3].rmsPixels > test.models[0].rmsPixels)
  }

  /// A table that moves nothing by more than the noise leaves the question open.
  @Test func aTableWithoutEffectTellsNothing() throws {
    let faint = SimulatedViews.lens(distorting: .table([0, 1e-5, 2e-5]))
    let test = try RectificationTest(
      views: Self.views(.none, seed: 5), factory: Self.factory(faint))
    #expect(test.answer == .unknown)
  }

  /// The factory's numbers may belong to the full photo.
  @Test func theFactoryIsScaledToTheViews() throws {
    let full = Self.factory(nil).scaled(to: RasterSize(width: 2560, height: 1920))
    let views = Self.views(.none, seed: 6)
    let test = try RectificationTest(views: views, factory: full)
    #expect(abs(test.models[0].focal - 600) < 4 * test.models[0].sigma)
    let other = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [600, 600], principalPoint: [320, 320],
        size: RasterSize(width: 640, height: 640)))
    let error = #expect(throws: CalibrationError.self) {
      try RectificationTest(views: views, factory: other)
    }
    #expect(error?.reason == .unequalSizes)
  }
}
