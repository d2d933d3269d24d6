@testable import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("A model's output on the image's grid")
struct OutputGridTests {
  /// An estimator that reads depth out of the red channel of what it sees, at another size.
  private static func echo(
    _ card: ModelCard, output: RasterSize, _ value: @escaping @Sendable (Double, Double) -> Double
  ) throws -> DepthEstimator {
    try DepthEstimator(
      FakeNetwork(card) { _ in
        // In the middle of each pixel of the output, in shares of the input.
        let raster = Raster<Float>(size: output) { (x: Int, y: Int) -> Float in
          let column = (Double(x) + 0.5) / Double(output.width)
          let row = (Double(y) + 0.5) / Double(output.height)
          return Float(value(column, row))
        }
        return Tensor(shape: [1, output.height, output.width, 1], values: raster.samples)
      }, card: card)
  }

  @Test("A plane stays a plane, whatever size, orientation and placement", arguments: 1...24)
  func ramp(seed: Int) throws {
    let size = RasterSize(width: 64, height: 48)
    let card = card(
      32, 40, .inverseMeters, placement: ModelCard.Placement.allCases[seed % 3])
    let orientation = ImageOrientation.allCases[seed % 8]
    let output = RasterSize(width: 20 + seed, height: 30)
    // 1/z is linear over the input: a plane as a pinhole sees it.
    let estimator = try Self.echo(card, output: output) { 0.2 + 0.5 * $0 + 0.3 * $1 }
    let estimate = try estimator.estimate(
      of: Raster(size: size, repeating: RGB8(red: 9, green: 9, blue: 9)),
      orientation: orientation)
    let meters = try #require(estimate.estimatedMeters).meters
    let placement = estimate.grid.placement
    let upright = meters.oriented(by: orientation)
    let seen = placement.seen.oriented(by: orientation, in: size)
    var inside = 0
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let column = Double(x - seen.x) + 0.5
        let row = Double(y - seen.y) + 0.5
        let isSeen =
          column > 0 && row > 0 && column < Double(seen.size.width)
          && row < Double(seen.size.height)
        guard isSeen else {
          #expect(upright[x, y].isNaN, "what the model did not see has no depth")
          continue
        }
        let share = SIMD2(
          (Double(placement.filled.x) + column * placement.scale.x) / 32,
          (Double(placement.filled.y) + row * placement.scale.y) / 40)
        // Beyond the outermost centers the output has nothing to interpolate between.
        let margin = SIMD2(1.6 / Double(output.width), 1.6 / Double(output.height))
        let first = SIMD2(Double(placement.filled.x) / 32, Double(placement.filled.y) / 40)
        let last = 1 - first
        guard share.x > first.x + margin.x, share.y > first.y + margin.y,
          share.x < last.x - margin.x, share.y < last.y - margin.y
        else { continue }
        inside += 1
        let truth = 1 / (0.2 + 0.5 * share.x + 0.3 * share.y)
        // Roundings of single precision only.
        #expect(abs(Double(upright[x, y]) - truth) < 2e-6 * truth, "meters")
        let one = estimate.grid.value(
          at: orientation.inverse.upright(
            [Double(x), Double(y)], in: orientation.uprightSize(of: size)), in: estimate.values)
        #expect(abs(1 / Double(one) - truth) < 2e-6 * truth, "one place and all agree")
      }
    }
    #expect(inside > 300)
  }

  @Test("Meters of a photo with another focal length are scaled by the ratio")
  func focalCorrection() throws {
    var card = card(100, 80)
    card.assumedFocalPixels = 90
    let size = RasterSize(width: 200, height: 160)
    let estimator = try Self.echo(card, output: RasterSize(width: 10, height: 8)) { x, _ in 1 + x }
    let image = Raster(size: size, repeating: RGB8(red: 9, green: 9, blue: 9))
    let calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [270, 270], principalPoint: [99.5, 79.5], size: size))
    let own = try estimator.estimate(of: image, camera: PhotoCamera(calibration))
    // 270 px at 200 columns are 135 at 100: one and a half times what is assumed.
    #expect(abs(own.focalCorrection - 1.5) < 1e-12)
    let unknown = try estimator.estimate(of: image)
    #expect(unknown.focalCorrection == 1)
    #expect(unknown.camera.source == .assumed)
    #expect(unknown.camera.calibration?.intrinsics.focalLength.x == 180)
    #expect(unknown.findings.contains { $0.code == .estimateFocalAssumed })
    let ratio =
      try #require(own.estimatedMeters).meters[50, 50]
      / #require(unknown.estimatedMeters).meters[50, 50]
    #expect(abs(ratio - 1.5) < 1e-6)
    let exif = PhotoCamera(exif: try #require(FilmFocalLength(wholeMillimeters: 26)), size: size)
    // The diagonal of 256.125 px over 43.267 mm, times 26 mm.
    #expect(abs((exif.calibration?.intrinsics.focalLength.x ?? 0) - 153.91) < 0.01, "pixels")
    let taken = try estimator.estimate(of: image, camera: exif)
    #expect(taken.findings.contains { $0.code == .estimateFocalAssumed && $0.severity == .note })
  }

  @Test("Outputs that mean nothing are refused or missing, with a reason")
  func hostileOutputs() throws {
    let image = Raster(
      size: RasterSize(width: 20, height: 10), repeating: RGB8(red: 9, green: 9, blue: 9))
    func estimate(
      _ meaning: ModelCard.OutputMeaning, _ shape: [Int],
      _ values: @escaping @Sendable (Int) -> Float
    ) throws -> DepthEstimate {
      let card = card(8, 8, meaning)
      let network = FakeNetwork(card) { _ in
        Tensor(shape: shape, values: (0..<shape.reduce(1, *)).map(values))
      }
      return try DepthEstimator(network, card: card).estimate(of: image)
    }
    func reason(_ body: () throws -> DepthEstimate) -> EstimationError.Reason? {
      do { _ = try body() } catch let error as EstimationError { return error.reason } catch {}
      return nil
    }
    #expect(reason { try estimate(.meters, [1, 4, 4]) { _ in .nan } } == .degenerate)
    #expect(reason { try estimate(.meters, [4, 4]) { _ in -1 } } == .degenerate)
    #expect(reason { try estimate(.meters, [4, 4]) { _ in 2 } } == .degenerate)
    #expect(reason { try estimate(.relativeInverse, [4, 4]) { _ in .infinity } } == .degenerate)
    #expect(reason { try estimate(.meters, [16]) { Float($0) } } == .mismatch)
    #expect(reason { try estimate(.meters, [2, 2, 4]) { Float($0) } } == .mismatch)
    #expect(reason { try estimate(.meters, [1, 1, 1, 16]) { Float($0) } } == .mismatch)
    #expect(reason { try estimate(.meters, [0, 4]) { Float($0) } } == .mismatch)
    #expect(reason { try estimate(.meters, [1, 4, 4, 1]) { Float($0 + 1) } } == nil)
    let partly = try estimate(.meters, [4, 4]) {
      $0 == 5 ? .nan : $0 == 6 ? .leastNonzeroMagnitude : Float($0 + 1)
    }
    #expect(partly.findings.contains { $0.code == .estimateDamagedOutput })
    let meters = try #require(partly.estimatedMeters).meters
    #expect(meters.samples.contains { $0.isNaN } && meters.samples.contains { $0 > 0 })
    #expect(meters.samples.allSatisfy { $0.isNaN || ($0 > 0 && $0 < .infinity) })
  }

  @Test("A network that is not what its card says is refused")
  func mismatch() throws {
    let card = card(8, 8)
    var network = FakeNetwork(card) { $0 }
    network.inputs[0].shape = [1, 3, 8, 8]
    #expect(throws: InferenceError.self) { try DepthEstimator(network, card: card) }
    network.inputs = []
    #expect(throws: InferenceError.self) { try DepthEstimator(network, card: card) }
    var named = card
    named.outputName = "disparity"
    #expect(throws: InferenceError.self) {
      try DepthEstimator(FakeNetwork(named) { $0 }, card: named)
    }
  }

  @Test("A sharpened edge lies where the color has it and hangs nowhere between")
  func sharpened() throws {
    let size = RasterSize(width: 160, height: 120)
    // A near bright surface left of column 71, a far dark one right of it.
    let image = Raster(size: size) { x, _ in
      x < 71 ? RGB8(red: 220, green: 200, blue: 180) : RGB8(red: 30, green: 40, blue: 50)
    }
    let card = card(40, 30)
    // The network's edge is blurred over three of its pixels.
    let estimator = try Self.echo(card, output: RasterSize(width: 40, height: 30)) { x, _ in
      let place = (x - 71.0 / 160) * 40
      return 1 + 1 / (1 + (place < -1.5 ? 1e9 : place > 1.5 ? 0 : 1.5 - place))
    }
    let estimate = try estimator.estimate(of: image)
    func blurred(_ map: DepthMap) -> Int {
      map.meters.samples.count { $0 > 1.15 && $0 < 1.85 }
    }
    let plain = try #require(estimate.estimatedMeters)
    let sharp = try #require(estimate.estimatedMeters(sharpenedAlong: image))
    #expect(sharp.size == size)
    #expect(blurred(sharp) * 3 < blurred(plain), "pixels between both surfaces")
    #expect(sharp.meters[66, 60] < 1.2 && sharp.meters[75, 60] > 1.7)
  }
}
