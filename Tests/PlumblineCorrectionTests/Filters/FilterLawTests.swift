import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// What holds for filters whatever the map.
@Suite struct FilterLawTests {
  static let size = RasterSize(width: 64, height: 48)

  @Test(arguments: FilterScenes.filters.indices) func constantPlanesStay(_ index: Int) {
    let filter = FilterScenes.filters[index]
    let frame = FilterScenes.plane(1 / 0.75, 0, 0, Self.size)
    let result = filter.applied(to: frame)
    #expect(FilterScenes.same(result.frame.depth.meters, frame.depth.meters))
    #expect(result.report?.movedPixels == 0 && result.frame.inventedPixels == nil)
  }

  /// Callers read colors only for filters that say that they need them.
  @Test(arguments: FilterScenes.filters.indices) func colorCountsWhereItIsNeeded(_ index: Int) {
    let filter = FilterScenes.filters[index]
    var map = FilterScenes.plane(1.2, 0.0009, -0.0004, Self.size).depth.meters
    // A hole on one surface, of a color that nothing around it has.
    map[30, 20] = .nan
    var color = Raster(size: Self.size, repeating: RGB8(red: 90, green: 90, blue: 90))
    color[30, 20] = RGB8(red: 250, green: 10, blue: 10)
    let plain = DepthFrame(depth: DepthMap(meters: map), sigma: FilterScenes.sigma)
    var colored = plain
    colored.color = color
    let isSame = FilterScenes.same(
      filter.applied(to: colored).frame.depth.meters, filter.applied(to: plain).frame.depth.meters)
    #expect(isSame != filter.needsColor)
  }

  /// Leaning planes move by less than a tenth of their σ: at the border half of a disk is missing.
  @Test(arguments: FilterScenes.filters.indices) func leaningPlanesStayWithinSigma(_ index: Int) {
    let frame = FilterScenes.plane(1.2, 0.0009, -0.0004, Self.size)
    let result = FilterScenes.filters[index].applied(to: frame).frame
    for (pixel, depth) in frame.depth.meters.samples.enumerated() {
      let left = result.depth.meters.samples[pixel]
      if left.isNaN { continue }
      #expect(abs(left - depth) < frame.sigmaMeters.samples[pixel])
      // Millimeters, away from the border: what remains is the curvature of 1/z.
      let (x, y) = (pixel % 64, pixel / 64)
      if min(x, y, 63 - x, 47 - y) > 5 { #expect(abs(left - depth) < 0.02e-3) }
    }
    // The planes lie between 0.7 and 0.9 m: only range limits could remove them, and do not.
    #expect(result.depth.meters.samples.allSatisfy { !$0.isNaN })
  }

  @Test func steeplyLeaningPlanesLoseNothing() {
    // 0.33 m to 5 m over 64 pixels: neighbors are up to 0.4 m apart.
    let frame = FilterScenes.plane(3, -0.044, 0, Self.size)
    #expect(FlyingPixelRemoval().applied(to: frame).report?.removedPixels == 0)
    #expect(SilhouetteRemoval(bandPixels: 2).applied(to: frame).report?.removedPixels == 0)
  }

  @Test(arguments: [UInt64(1), 2]) func removingTwiceIsRemovingOnce(_ seed: UInt64) {
    let frame = FilterScenes.noisy(Self.size, seed: seed)
    let removals: [any DepthFilter] = [
      RangeLimits(nearest: 0.4, farthest: 1.5), ConfidenceThreshold(leastLevel: 1),
      SpeckleRemoval(minimumPixels: 20),
    ]
    for filter in removals {
      let once = filter.applied(to: frame)
      let twice = filter.applied(to: once.frame)
      #expect((once.report?.removedPixels ?? 0) > 0 && twice.report?.removedPixels == 0)
    }
  }

  @Test func metrologyOnlyRemoves() {
    let chain = DepthFilterPreset.metrology.chain
    let frame = FilterScenes.noisy(Self.size, seed: 4)
    let result = chain.applied(to: frame)
    #expect(result.reports.count == 3 && result.frame.inventedPixels == nil)
    for (before, after) in zip(frame.depth.meters.samples, result.frame.depth.meters.samples) {
      #expect(after.isNaN || after == before)
    }
    #expect(result.reports.allSatisfy { $0.inventedPixels == 0 && $0.movedPixels == 0 })
    #expect(result.reports.contains { $0.removedPixels > 0 })
  }

  @Test func fusionNeverInvents() {
    let frame = FilterScenes.noisy(Self.size, seed: 4)
    let result = DepthFilterPreset.fusion.chain.applied(to: frame)
    #expect(result.frame.inventedPixels == nil)
    #expect(
      zip(frame.depth.meters.samples, result.frame.depth.meters.samples)
        .allSatisfy { !$0.isNaN || $1.isNaN })
  }

  /// Smoothing leaves the range of a pixel's neighbors by no more than the rounding of a Float.
  @Test(arguments: [1, 2, 5]) func smoothingStaysAmongNeighbors(_ radius: Int) {
    let frame = FilterScenes.noisy(Self.size, seed: 9)
    let filters: [any DepthFilter] = [
      BilateralFilter(radiusPixels: radius, sigmas: 50),
      JointBilateralFilter(radiusPixels: radius, sigmaCodes: 200, sigmas: nil),
    ]
    let map = frame.depth.meters
    for filter in filters {
      let result = filter.applied(to: frame).frame.depth.meters
      for y in 0..<map.height {
        for x in 0..<map.width where !map[x, y].isNaN {
          var (low, high) = (Float.infinity, -Float.infinity)
          for v in max(0, y - radius)...min(map.height - 1, y + radius) {
            for u in max(0, x - radius)...min(map.width - 1, x + radius) where !map[u, v].isNaN {
              (low, high) = (min(low, map[u, v]), max(high, map[u, v]))
            }
          }
          let value = result[x, y]
          #expect(value >= low * (1 - 1e-6) && value <= high * (1 + 1e-6))
        }
      }
    }
  }

  /// A step is kept to the last bit when it is larger than 4 σ of the filter.
  @Test func smoothingNeverCrossesAStep() {
    let map = Raster(size: Self.size) { x, _ in x < 30 ? Float(0.5) : 0.6 }
    let frame = DepthFrame(depth: DepthMap(meters: map), sigma: FilterScenes.sigma)
    let result = BilateralFilter(radiusPixels: 4, sigmaPixels: 3, sigmas: 3).applied(to: frame)
    #expect(FilterScenes.same(result.frame.depth.meters, map))
  }

  @Test func mixedPixelsGo() {
    // Ramps of one and two mixed pixels between 0.5 m and 1 m.
    for ramp in 1...2 {
      let map = Raster(size: Self.size) { x, _ -> Float in
        let place = Float(x - 30) / Float(ramp + 1)
        return 0.5 + 0.5 * min(max(place, 0), 1)
      }
      let frame = DepthFrame(depth: DepthMap(meters: map), sigma: FilterScenes.sigma)
      let result = FlyingPixelRemoval().applied(to: frame).frame.depth.meters
      // Rows at the top and bottom have no diagonals, and need none.
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          #expect(result[x, y].isNaN == (map[x, y] > 0.5 && map[x, y] < 1), "\(ramp): \(x)")
        }
      }
    }
  }

  @Test func extremeMapsAreHarmless() {
    let sizes = [(0, 0), (0, 5), (5, 0), (1, 1), (2, 1), (1, 3), (3, 3)]
    let values: [Float] = [
      .nan, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-20, 1, 1e20,
      .greatestFiniteMagnitude,
    ]
    var random = SeededGenerator(seed: 77)
    for (width, height) in sizes {
      for _ in 0..<20 {
        let size = RasterSize(width: width, height: height)
        let map = Raster(size: size) { _, _ in values[random.integer(below: values.count)] }
        var frame = DepthFrame(
          depth: DepthMap(meters: map), sigma: SigmaCurve(constantMeters: 1e-3, perMeter: 0.01))
        frame.color = Raster(size: size, repeating: RGB8(red: 1, green: 2, blue: 3))
        let large: [any DepthFilter] = [
          BilateralFilter(radiusPixels: 100), JointBilateralFilter(radiusPixels: 50),
          SilhouetteRemoval(bandPixels: 1000), HoleFilling(reachPixels: 1000),
          MedianDecimation(side: 8), MedianDecimation(side: 2), GuidedUpsampling(),
        ]
        for filter in FilterScenes.filters + large {
          let result = filter.applied(to: frame).frame
          for (depth, sigma) in zip(result.depth.meters.samples, result.sigmaMeters.samples) {
            #expect(depth.isNaN == sigma.isNaN, "\(filter) \(size)")
            #expect(!(depth <= 0) && depth != .infinity, "\(filter) \(size)")
          }
        }
        for preset in DepthFilterPreset.allCases { _ = preset.chain.applied(to: frame) }
      }
    }
  }

  @Test func decimatedCamerasSeeTheSameRays() {
    let camera = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [60, 60], principalPoint: [30.25, 24.75],
        size: RasterSize(width: 65, height: 49)))
    let small = MedianDecimation(side: 2).calibration(camera).intrinsics
    #expect(small.size == RasterSize(width: 32, height: 24))
    // The center of the small pixel (10, 7) is the middle of the pixels 20, 21 and 14, 15.
    let ray = (SIMD2(20.5, 14.5) - camera.intrinsics.principalPoint) / 60
    let other = (SIMD2(10, 7) - small.principalPoint) / small.focalLength
    #expect(abs(ray.x - other.x) < 1e-12 && abs(ray.y - other.y) < 1e-12)
  }
}
