import PlumblineModel
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

/// The sum of camera, poses and shape of the board, against cameras that are known exactly.
@Suite struct BoardFitterTests {
  /// Corners all over an image, seen through a camera.
  static func views(
    _ count: Int, _ camera: CameraModel, noise: Double, bend: Double = 0, seed: UInt64
  ) -> [BoardView] {
    let board = Board(columns: 7, rows: 6, squareMeters: 0.03, pattern: .chessboard)
    var simulated = SimulatedViews()
    simulated.board = board
    var generator = SeededGenerator(seed: seed)
    let heights = (0..<board.cornerCount).map { _ in bend * generator.gaussian() }
    return (0..<count).map { index in
      let lean = SIMD2(generator.uniform(in: -0.6..<0.6), generator.uniform(in: -0.6..<0.6))
      let pose = simulated.pose(
        lean: lean, turn: generator.uniform(in: -0.4..<0.4),
        middle: [
          0.09 * Double(index % 3 - 1), 0.065 * Double(index / 3 % 3 - 1),
          generator.uniform(in: 0.24..<0.36),
        ])
      let corners = (0..<board.cornerCount).compactMap { id -> BoardCorner? in
        let place = board.cornerInBoard(id) + SIMD3(0, 0, heights[id])
        guard let exact = camera.project(pose * place) else { return nil }
        let pixel = exact + SIMD2(generator.gaussian(), generator.gaussian()) * noise
        guard pixel.x > 0, pixel.y > 0, pixel.x < 639, pixel.y < 479 else { return nil }
        return BoardCorner(id: id, pixel: pixel)
      }
      return BoardView(board: board, imageSize: camera.intrinsics.size, corners: corners)
    }
  }

  static let pinhole = PinholeIntrinsics(
    focalLength: [530, 530], principalPoint: [318, 241], size: RasterSize(width: 640, height: 480))

  @Test("Exact corners give the camera back")
  func exact() throws {
    let fit = try BoardFitter().fit(
      Self.views(9, CameraModel(intrinsics: Self.pinhole), noise: 0, seed: 3))
    // A thousandth of a pixel: what the least noise that is assumed leaves.
    #expect(abs(fit.focal - 530) < 0.001)
    #expect(fit.rmsOfAllPixels < 1e-4)
    // Even then the floor of the ± stays: 0.05 %.
    #expect(fit.focalSigma.plusMinus >= 0.0005 * 530)
  }

  @Test("A strong lens without a table is right at the border within 1 px")
  func strongLens() throws {
    let preset = CameraPreset.iPhone11Pro.trueColor.scaled(to: Self.pinhole.size)
    let truth = CameraModel(
      intrinsics: preset.intrinsics, lens: .radial(try #require(preset.distortion)))
    let views = Self.views(18, truth, noise: 0.06, seed: 5)
    let fit = try BoardFitter(lens: .spline(intervals: 4)).fit(views)
    let middle = SIMD2(319.5, 239.5)
    for corner in [SIMD2(1.0, 1), SIMD2(-1, 1), SIMD2(1, -1), SIMD2(-1, -1)] {
      // 370 of 400 px, as in the issue; three radial terms miss by 13 px there.
      let pixel = middle + corner * SIMD2(0.8, 0.6) * 370
      let ray = try #require(truth.unproject(pixel))
      let seen = try #require(fit.camera.project(SIMD3(ray, 1)))
      let miss = seen - pixel
      #expect((miss * miss).sum().squareRoot() < 1)
    }
    #expect(abs(fit.focal - truth.intrinsics.focalLength.x) < 3 * fit.focalSigma.plusMinus)
  }

  @Test("The table that a spline becomes is the spline, within 0.005 px")
  func table() throws {
    let preset = CameraPreset.iPhone11Pro.trueColor.scaled(to: Self.pinhole.size)
    let truth = CameraModel(
      intrinsics: preset.intrinsics, lens: .radial(try #require(preset.distortion)))
    let fit = try BoardFitter(lens: .spline(intervals: 6)).fit(
      Self.views(12, truth, noise: 0.05, seed: 6))
    for index in 0...40 {
      let share = Double(index) / 40
      let ray = SIMD2(0.8, 0.6) * share * 0.85
      let exact = fit.adjustment.camera.project(ray: ray)
      let shown = try #require(fit.camera.project(SIMD3(ray, 1)))
      #expect(abs(exact.x - shown.x) < 0.005 && abs(exact.y - shown.y) < 0.005)
    }
  }

  @Test("A bent board is taken for what it is, and predicts frames that were left out")
  func bent() throws {
    let views = Self.views(
      15, CameraModel(intrinsics: Self.pinhole), noise: 0.05, bend: 0.0002, seed: 8)
    let fit = try BoardFitter().fit(views, initial: Self.pinhole)
    let flat = try BoardFitter(freesShape: false).fit(views, initial: Self.pinhole)
    #expect(abs(fit.boardFlatnessMeters - 0.0002) < 0.00006)
    #expect(abs(fit.focal - 530) < 2 * fit.focalSigma.plusMinus)
    let left = try #require(fit.leftOutFrames())
    let leftFlat = try #require(flat.leftOutFrames())
    #expect(left.rmsPixels < 0.6 * leftFlat.rmsPixels)
    // What was not fitted cannot miss less than what was.
    #expect(left.rmsPixels > fit.rmsPixels)
  }

  @Test("A corner that was misread is rejected, a border that the lens lacks is not")
  func rejection() throws {
    var views = Self.views(12, CameraModel(intrinsics: Self.pinhole), noise: 0.05, seed: 9)
    views[4].corners[7].pixel += SIMD2(6, -4)
    let fit = try BoardFitter().fit(views, initial: Self.pinhole)
    #expect(fit.isRejected[4][7])
    #expect(fit.isRejected.joined().count(where: \.self) == 1)
    #expect(fit.rmsOfAllPixels > 2 * fit.rmsPixels)
    let preset = CameraPreset.iPhone11Pro.trueColor.scaled(to: Self.pinhole.size)
    let bent = CameraModel(
      intrinsics: preset.intrinsics, lens: .radial(try #require(preset.distortion)))
    let plain = try BoardFitter().fit(Self.views(18, bent, noise: 0.05, seed: 5))
    // Without a lens corners of the border miss by pixels, all alike.
    #expect(plain.isRejected.joined().count(where: \.self) <= plain.isRejected.joined().count / 50)
  }

  @Test("The ± of pixels grows where no corner was seen")
  func projection() throws {
    // Only boards in the left part of the image.
    let all = Self.views(27, CameraModel(intrinsics: Self.pinhole), noise: 0.08, seed: 11)
    let views = all.map { view in
      var view = view
      view.corners = view.corners.filter { $0.pixel.x < 420 && $0.pixel.y < 330 }
      return view
    }.filter { $0.corners.count >= 10 }
    let fit = try BoardFitter(lens: .spline(intervals: 6)).fit(views, initial: Self.pinhole)
    let misses = [(mean: SIMD2<Double>, count: Int)](repeating: (.zero, 1), count: 12 * 9)
    let map = try #require(fit.projectionUncertainty(columns: 12, rows: 9, misses: misses))
    let middle = map.sigmaShare(at: [0.5, 0.5])
    let far = map.sigmaShare(at: [0.98, 0.98])
    #expect(middle > 0 && far > 5 * middle)
    // In pixels of any image the share is the same.
    #expect(map.coveredShare == 1)
  }

  @Test("Fewer than five views give no camera, since none would have a ±")
  func few() throws {
    let views = Self.views(4, CameraModel(intrinsics: Self.pinhole), noise: 0.05, seed: 2)
    #expect(throws: CalibrationError.self) { try BoardFitter().fit(views) }
  }

  @Test("The derivatives are those of differences")
  func derivatives() throws {
    var camera = RadialCamera(
      intrinsics: Self.pinhole, basis: .spline(intervals: 4, end: 0.7))
    camera.coefficients = [0.01, 0.03, -0.02, 0.01, 0.04, 0.02]
    camera.tangential = [0.001, -0.002]
    let free = AdjustedNumbers(aspect: true, center: true, tangential: true, lensCount: 6)
    let point = SIMD3(0.11, -0.07, 0.31)
    var columns = [Double](repeating: 0, count: free.count)
    var rows = columns
    let exact = columns.withUnsafeMutableBufferPointer { columns in
      rows.withUnsafeMutableBufferPointer {
        camera.projection(of: point, free: free, columns: columns, rows: $0)
      }
    }
    let projected = try #require(exact)
    for index in 0..<free.count {
      var step = [Double](repeating: 0, count: free.count)
      step[index] = 1e-6
      var moved = camera
      moved.take(step, of: free)
      let change = try #require(moved.project(point)) - projected.pixel
      // Differences of 1e-6 leave about 1e-4 of the slope.
      #expect(abs(change.x / 1e-6 - columns[index]) < 1e-3 * max(1, abs(columns[index])))
      #expect(abs(change.y / 1e-6 - rows[index]) < 1e-3 * max(1, abs(rows[index])))
    }
    for axis in 0..<3 {
      var near = point
      near[axis] += 1e-7
      let change = (try #require(camera.project(near)) - projected.pixel) / 1e-7
      #expect(abs(change.x - projected.columnByPoint[axis]) < 0.01)
      #expect(abs(change.y - projected.rowByPoint[axis]) < 0.01)
    }
  }
}
