import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineSimulation
import Testing

@Suite struct DepthScaleTests {
  /// Pairs of frames before walls; the measured depth z has the true depth `b(z) = z (1.02 − 0.008 z)`.
  private func pairs(seed: UInt64) -> [[OverlapSample]] {
    var random = SeededGenerator(seed: seed)
    func measured(_ depth: Double) -> Double {
      // The smaller root of 0.008 z² − 1.02 z + depth.
      (1.02 - (1.02 * 1.02 - 0.032 * depth).squareRoot()) / 0.016
    }
    return (0..<200).map { _ in
      let path = random.uniform(in: 0.1..<0.5)
      // The path's own error, shared by the pair.
      let seen = path + 0.002 * random.gaussian()
      return (0..<40).map { _ in
        let depth = random.uniform(in: 0.6..<3.4)
        let share = random.uniform(in: 0.95..<1.05)
        return OverlapSample(
          depthInJ: measured(depth) + 0.003 * random.gaussian(), axialShare: share,
          pathMeters: seen, depthInI: measured(depth * share + path) + 0.003 * random.gaussian())
      }
    }
  }

  @Test("The curve of depth is recovered within its stated error")
  func recoversTheCurve() throws {
    var sum = 0.0
    var count = 0
    for seed in UInt64(1)...8 {
      let scale = try #require(DepthScaleEstimation().estimated(pairs(seed: seed)))
      for (index, knot) in scale.knotsMeters.enumerated() where knot >= 1 && knot <= 3.5 {
        let error = scale.factors[index] - (1.02 - 0.008 * knot)
        sum += error * error / scale.covariance[index, index]
        count += 1
        #expect(scale.covariance[index, index].squareRoot() < 0.02)
      }
    }
    // 48 squared errors, knots of one recording correlated: 1 within 2 deviations of about 0.4, and the small
    // bias of noise in the depth that the equations multiply.
    #expect(sum / Double(count) < 2)
    #expect(sum / Double(count) > 0.3)
  }

  @Test("Without motion along the axis the scale is not determined")
  func needsMotion() {
    let still = (0..<100).map { pair in
      (0..<20).map {
        let depth = 1 + 0.05 * Double($0) + 0.001 * Double(pair)
        return OverlapSample(depthInJ: depth, axialShare: 1, pathMeters: 0, depthInI: depth)
      }
    }
    #expect(DepthScaleEstimation().estimated(still) == nil)
    #expect(DepthScaleEstimation().estimated([]) == nil)
  }
}
