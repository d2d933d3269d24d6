import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct DistanceFitTests {
  static let near = KnownDistance(
    x: StepScene.nearPixel.x, y: StepScene.nearPixel.y, meters: StepScene.nearMeters)
  static let far = KnownDistance(
    x: StepScene.farPixel.x, y: StepScene.farPixel.y, meters: StepScene.farMeters)

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func twoDistancesRecoverTheLine(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scale = random.uniform(in: 0.5..<2)
    let offset = random.uniform(in: -0.3..<0.5)
    let measured = StepScene.measurement(scale: scale, offset: offset)
    for distances in [[Self.near, Self.far], [Self.far, Self.near]] {
      let fit = try DistanceFit(distances, in: measured.disparity)
      // Two disparities of single precision, 6e-8 each, over a difference of half their size.
      #expect(abs(fit.scale / scale - 1) < 1e-6)
      #expect(abs(fit.offset - offset) < 2e-6)
      #expect(fit.description.contains("no residual: two distances determine two numbers"))
      #expect(fit.patchMillimeters == [0, 0])
      let metric = fit.applied(to: measured.disparity.depthMap)
      let difference = WorstDifference(metric.meters, measured.truth.meters)
      // Z² · 5e-7 1/m of single precision's rounding, at up to 1.2 m.
      #expect(difference.value < 2e-6, "\(difference)")
    }
  }

  @Test func oneDistanceFixesAPureScale() throws {
    let measured = StepScene.measurement(scale: 0.7)
    let fit = try DistanceFit([Self.far], in: measured.disparity)
    #expect(abs(fit.scale - 0.7) < 1e-6 && fit.offset == 0)
    let metric = fit.applied(to: measured.disparity.depthMap)
    #expect(WorstDifference(metric.meters, measured.truth.meters).value < 1e-6)
  }

  /// The applied scale and the pure offset are the ends of the ambiguity, 2 σ apart.
  @Test(arguments: [-0.2, -0.05, 0.1, 0.4])
  func oneDistanceSaysWhatAnOffsetWouldCost(offset: Double) throws {
    let measured = StepScene.measurement(offset: offset)
    let fit = try DistanceFit([Self.far], in: measured.disparity)
    let metric = fit.applied(to: measured.disparity.depthMap)
    let applied = Double(metric.meters[Self.near.x, Self.near.y])
    let sigma = fit.sigmaMeters(atDepth: applied)
    let error = abs(1 / applied - 1 / StepScene.nearMeters) * applied * applied
    #expect(error <= 2 * sigma)
    // The tape's 5 mm are the only other part, so the bound is not a loose one.
    #expect(error > 0.9 * 2 * sigma || abs(offset) < 0.1)
    // At the distance itself nothing but the tape is left.
    #expect(
      abs(fit.sigmaMeters(atDepth: StepScene.farMeters) - DistanceFit.tapeSigmaMeters) < 1e-6)
  }

  @Test(arguments: [0.35, 0.5, 0.8, 1.2, 2.0])
  func sigmaOfTwoDistancesIsThatOfManyTrials(atDepth meters: Double) throws {
    var random = SeededGenerator(seed: 11)
    let measured = StepScene.measurement(scale: 0.8, offset: 0.1)
    let noisy = DisparityMap(
      inverseMeters: measured.disparity.inverseMeters.map { value in
        value + Float(random.gaussian(mean: 0, sigma: 0.01))
      })
    let fit = try DistanceFit([Self.near, Self.far], in: noisy)
    // 25 pixels give a standard deviation within about a quarter of 0.01.
    #expect(fit.disparitySigmas.allSatisfy { (0.005..<0.016).contains($0) })
    let stored = (1 / meters - fit.offset) / fit.scale
    var sum = 0.0
    let trials = 40_000
    for _ in 0..<trials {
      let ends = (0..<2).map { index in
        let tape = random.gaussian(
          mean: fit.distances[index].meters, sigma: DistanceFit.tapeSigmaMeters)
        let disparity = random.gaussian(
          mean: fit.disparities[index], sigma: fit.disparitySigmas[index])
        return (disparity: disparity, inverse: 1 / tape)
      }
      let slope = (ends[1].inverse - ends[0].inverse) / (ends[1].disparity - ends[0].disparity)
      let error = 1 / (ends[0].inverse + slope * (stored - ends[0].disparity)) - meters
      sum += error * error
    }
    let sigma = (sum / Double(trials)).squareRoot()
    // 0.4 % from the number of trials; the rest is curvature, which a first-order σ leaves out and
    // which is largest where the line is continued beyond the farther distance.
    let expected = max(sigma, DistanceFit.tapeSigmaMeters)
    #expect(abs(fit.sigmaMeters(atDepth: meters) / expected - 1) < (meters > 1.2 ? 0.05 : 0.02))
  }

  @Test func theMedianIgnoresHolesAndStrays() throws {
    var map = StepScene.measurement().disparity
    for (index, x) in (Self.far.x - 2...Self.far.x + 2).enumerated() {
      map.inverseMeters[x, Self.far.y - 2] = .nan
      map.inverseMeters[x, Self.far.y + 2] = index.isMultiple(of: 2) ? 40 : 0.01
    }
    let fit = try DistanceFit([Self.far], in: map)
    #expect(abs(fit.scale - 1) < 1e-6)
  }

  @Test func pixelsOfACroppedMapAreThoseOfTheStoredOne() throws {
    let whole = StepScene.measurement(scale: 0.8, offset: 0.1).disparity
    let crop = PixelRectangle(x: 17, y: 9, width: 45, height: 30)
    let part = DisparityMap(inverseMeters: whole.inverseMeters.cropped(to: crop))
    let fit = try DistanceFit([Self.near, Self.far], in: part, cutOutAt: SIMD2(crop.x, crop.y))
    #expect(try fit == DistanceFit([Self.near, Self.far], in: whole))
  }

  /// Neighbors share their errors, so that a patch shows little of what it is off by.
  @Test("The ± holds two thirds and 95 % of many trials", arguments: 1...3 as ClosedRange<UInt64>)
  func coverage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let noise = DistanceFit.MapNoise(
      curve: SigmaCurve(constantMeters: 0.002, perMeterSquared: 0.01), correlation: .trueDepth,
      mapWidth: 640)
    let share = noise.correlation.share(ofMeanOver: 5, mapWidth: 640)
    let size = RasterSize(width: 16, height: 6)
    let (scale, offset, ends) = (0.8, 0.1, [0.5, 2.0])
    let trials = 2000
    var within = [[Int]](repeating: [0, 0], count: 4)
    let depths = [0.4, 0.6, 1.0, 2.2]
    for _ in 0..<trials {
      // The patch's common error, and a tenth of it from pixel to pixel.
      let sigmas = ends.map { noise.curve.sigmaMeters(atDepth: $0) / ($0 * $0) / scale }
      let common = sigmas.map { random.gaussian(mean: 0, sigma: share * $0) }
      let map = DisparityMap(
        inverseMeters: Raster(size: size) { x, _ -> Float in
          let end = x < 8 ? 0 : 1
          let own = random.gaussian(mean: 0, sigma: 0.1 * sigmas[end])
          return Float((1 / ends[end] - offset) / scale + common[end] + own)
        })
      let distances = zip([3, 12], ends).map { x, meters in
        KnownDistance(
          x: x, y: 3,
          meters: random.gaussian(mean: meters, sigma: DistanceFit.tapeSigmaMeters))
      }
      let fit = try DistanceFit(distances, in: map)
      for (index, depth) in depths.enumerated() {
        let fitted = 1 / (fit.scale * (1 / depth - offset) / scale + fit.offset)
        let sigma = fit.sigmaMeters(atDepth: fitted, noise: noise)
        #expect(sigma >= DistanceFit.tapeSigmaMeters)
        for times in 1...2 where abs(fitted - depth) < Double(times) * sigma {
          within[index][times - 1] += 1
        }
      }
    }
    for (depth, counts) in zip(depths, within) {
      let percent = counts.map { 100 * Double($0) / Double(trials) }
      // 68 ± 5 % and 95 ± 3 %, or wider where the tape's own ± is the larger one.
      let isFloor = depth < 1
      #expect(percent[0] > 63 && (percent[0] < 73 || isFloor), "\(depth) m: \(percent)")
      #expect(percent[1] > 92 && (percent[1] < 98 || isFloor), "\(depth) m: \(percent)")
    }
  }
}
