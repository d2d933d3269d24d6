import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// Each kernel gives the same bits as its slow twin, at widths that fill no register.
@Suite struct FilterTwinTests {
  static let sizes = [
    RasterSize(width: 61, height: 33), RasterSize(width: 16, height: 9),
    RasterSize(width: 7, height: 40), RasterSize(width: 1, height: 1),
    RasterSize(width: 35, height: 1),
  ]

  @Test(arguments: sizes) func bilateral(_ size: RasterSize) {
    let frame = FilterScenes.noisy(size, seed: 3)
    for radius in [1, 2, 4] {
      let filter = BilateralFilter(radiusPixels: radius, sigmaPixels: 1.4, sigmas: 3)
      let slow = SlowFilters.bilateral(
        frame.depth.meters,
        falloff: SlowFilters.falloff(frame.sigmaMeters.samples, sigmas: 3),
        SpatialWeights(radius: min(radius, max(size.width, size.height)), sigma: 1.4))
      #expect(FilterScenes.same(filter.applied(to: frame).frame.depth.meters, slow))
    }
  }

  @Test(arguments: sizes, [nil, Float(3)]) func joint(_ size: RasterSize, _ sigmas: Float?) throws {
    let frame = FilterScenes.noisy(size, seed: 5)
    let filter = JointBilateralFilter(sigmaCodes: 40, sigmas: sigmas)
    let gray = try #require(frame.color?.luma)
    let falloff =
      sigmas.map { SlowFilters.falloff(frame.sigmaMeters.samples, sigmas: $0) }
      ?? [Float](repeating: 0, count: size.pixelCount)
    let slow = SlowFilters.bilateral(
      frame.depth.meters, falloff: falloff, SpatialWeights(squareOf: 1, sigma: 1), gray: gray,
      grayFalloff: 1 / (16 * 40 * 40))
    #expect(FilterScenes.same(filter.applied(to: frame).frame.depth.meters, slow))
  }

  @Test(arguments: sizes, [UInt64(1), 2, 3]) func removals(_ size: RasterSize, _ seed: UInt64) {
    let frame = FilterScenes.noisy(size, seed: seed, holes: 0.05)
    let flying = FlyingPixelRemoval()
    #expect(
      FilterScenes.same(
        flying.applied(to: frame).frame.depth.meters, SlowFilters.flying(frame, flying.step)))
    for band in [1, 2, 5] {
      let silhouette = SilhouetteRemoval(bandPixels: band)
      #expect(
        FilterScenes.same(
          silhouette.applied(to: frame).frame.depth.meters,
          SlowFilters.silhouette(frame, silhouette)))
    }
    for pixels in [2, 9, 40] {
      let speckle = SpeckleRemoval(minimumPixels: pixels)
      #expect(
        FilterScenes.same(
          speckle.applied(to: frame).frame.depth.meters, SlowFilters.speckle(frame, speckle)))
    }
  }

  @Test(arguments: sizes) func reliablePixels(_ size: RasterSize) {
    var random = SeededGenerator(seed: 12)
    let depths: [Float] = [.nan, .infinity, -1, 0, 0.5, 2]
    let sigmas: [Float] = [.nan, .infinity, -0.1, 0, 0.01]
    let depth = Raster(size: size) { _, _ in depths[random.integer(below: depths.count)] }
    let sigma = Raster(size: size) { _, _ in sigmas[random.integer(below: sigmas.count)] }
    let frame = DepthFrame(depth: DepthMap(meters: depth), sigmaMeters: sigma)
    for (pixel, z) in depth.samples.enumerated() {
      let s = sigma.samples[pixel]
      let isReliable = z > 0 && z.isFinite && s >= 0 && s.isFinite
      #expect(frame.depth.meters.samples[pixel].isNaN != isReliable)
      #expect(frame.sigmaMeters.samples[pixel].isNaN != isReliable)
    }
  }

  @Test(arguments: sizes) func totalSigma(_ size: RasterSize) {
    let frame = FilterScenes.noisy(size, seed: 11)
    let shared = SigmaCurve(constantMeters: 0.001, perMeter: 0.0123, perMeterSquared: 0.0007)
    let slow = Raster(size: size) { x, y -> Float in
      let own = frame.sigmaMeters[x, y]
      let error = Float(shared.sigmaMeters(atDepth: Double(frame.depth.meters[x, y])))
      return (own * own + error * error).squareRoot()
    }
    #expect(FilterScenes.same(frame.totalSigmaMeters(shared: shared), slow))
  }

  @Test(arguments: 1...8) func decimation(_ side: Int) {
    let frame = FilterScenes.noisy(RasterSize(width: 61, height: 33), seed: 8, holes: 0.4)
    let result = MedianDecimation(side: side).applied(to: frame).frame
    #expect(
      FilterScenes.same(result.depth.meters, SlowFilters.medians(frame.depth.meters, side: side)))
    #expect(result.sigmaMeters.size == result.size && result.confidence?.levels.size == result.size)
  }

  @Test(arguments: TemporalFilter.Persistence.allCases)
  func overTime(_ persistence: TemporalFilter.Persistence) {
    var random = SeededGenerator(seed: 21)
    let size = RasterSize(width: 23, height: 3)
    let filter = TemporalFilter(newShare: 0.3, sigmas: 2, persistence: persistence)
    let sigma: Float = 0.01
    let frames = (0..<20).map { _ in
      Raster(size: size) { _, _ in
        random.chance(0.5) ? Float.nan : Float(random.gaussian(mean: 1, sigma: 0.015))
      }
    }
    var memory = TemporalFilter.Memory()
    let results = frames.map { map in
      filter.applied(
        to: DepthFrame(
          depth: DepthMap(meters: map), sigma: SigmaCurve(constantMeters: Double(sigma))),
        after: &memory)
    }
    for pixel in 0..<size.pixelCount {
      let slow = SlowFilters.steadied(frames.map { $0.samples[pixel] }, filter, sigma: sigma)
      for (index, depth) in slow.enumerated() {
        let frame = results[index].frame
        let fast = frame.depth.meters.samples[pixel]
        #expect(fast == depth || (fast.isNaN && depth.isNaN))
        let isInvented = frames[index].samples[pixel].isNaN && !depth.isNaN
        #expect((frame.inventedPixels?.samples[pixel] ?? 0) == (isInvented ? 1 : 0))
        // Invented pixels are at least 1 σ worse than measured ones.
        if isInvented { #expect(frame.sigmaMeters.samples[pixel] >= 1.99 * sigma) }
      }
    }
    let invented = results.reduce(0) { $0 + $1.reports[0].inventedPixels }
    #expect((invented == 0) == (persistence == .none))
  }

  /// Counting against counting by hand.
  @Test func reportsCount() {
    let frame = FilterScenes.noisy(RasterSize(width: 61, height: 33), seed: 30)
    for filter in FilterScenes.filters {
      let result = filter.applied(to: frame)
      var (removed, invented, moved) = (0, 0, 0)
      var worst = 0.0
      var sum = 0.0
      for (a, b) in zip(frame.depth.meters.samples, result.frame.depth.meters.samples) {
        removed += !a.isNaN && b.isNaN ? 1 : 0
        invented += a.isNaN && !b.isNaN ? 1 : 0
        guard !a.isNaN, !b.isNaN, a != b else { continue }
        moved += 1
        worst = max(worst, Double(abs(b - a)) * 1000)
        sum += Double(abs(b - a)) * 1000
      }
      let report = result.reports[0]
      #expect(report.removedPixels == removed && report.inventedPixels == invented)
      #expect(report.movedPixels == moved && report.worstMoveMillimeters == worst)
      // Millimeters: sums of up to 2013 numbers in another order.
      #expect(abs(report.meanMoveMillimeters * Double(max(moved, 1)) - sum) < 1e-6)
      #expect(report.measuredPixels == frame.depth.meters.samples.count { !$0.isNaN })
    }
  }
}
