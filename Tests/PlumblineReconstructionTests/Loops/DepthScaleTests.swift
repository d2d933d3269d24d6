import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

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

  @Test("Keyframes of recorded poses that are 2 % too long say so")
  func recoversFromKeyframes() throws {
    var store = KeyframeStore()
    for index in 0..<40 {
      // Toward a corner of the room, with the depths of the truth.
      let truth = pose(
        [0.1, 0.3, 0], [-0.8 + 0.03 * Double(index), 0, -1.6 + 0.06 * Double(index)])
      var recorded = truth
      recorded.translation *= 1.02
      let frame = LoopScene.furnished.frame(
        worldFromCamera: truth, sigmaMeters: 0.001, seed: UInt64(index + 1), recorded: recorded)
      store.add(
        TrackedFrame(
          index: index, recordedWorldFromCamera: recorded,
          estimate: PosePrior(worldFromCamera: recorded, sigmaRadians: 1e-4, sigmaMeters: 1e-4)
            .estimate, state: .tracked, fragment: 0), frame)
    }
    let scale = try #require(
      DepthScaleEstimation().estimated(
        DepthScaleEstimation().pairs(of: store.keyframes, threads: 2))?.commonFactor)
    // Inverse depths between four neighbors of a map of 64 columns, on spheres too: 0.8 % as measured.
    #expect(abs(scale.value - 1.02) < 0.012, "\(scale)")
  }

  @Test("A bend is found within its ± beside a scale that changes, and none where none is")
  func bend() throws {
    var sum = 0.0
    for seed in UInt64(1)...12 {
      var random = SeededGenerator(seed: seed)
      let truth = seed % 2 == 0 ? 0.01 : 0
      func stored(_ depth: Double) -> Double { depth / (1 - truth * depth) }
      // Steps of 0.4 m before walls at 1 to 4 m; the scale of the path is another one in each part, by 0.5 %.
      let scales = (0..<8).map { _ in 1 + 0.005 * random.gaussian() }
      let path = 0.4
      let pairs = (0..<160).map { number in
        (0..<30).map { _ in
          let depth = random.uniform(in: 1..<4)
          return OverlapSample(
            depthInJ: stored(depth) + 0.003 * random.gaussian(), axialShare: 1,
            pathMeters: path * scales[number / 20],
            depthInI: stored(depth + path) + 0.003 * random.gaussian())
        }
      }
      let bend = try #require(DepthScaleEstimation().bend(pairs))
      let error = (bend.perMeter - truth) / bend.sigmaPerMeter
      sum += error * error
      #expect(bend.sigmaPerMeter < 0.004)
      #expect(truth != 0 || !bend.isSure, "\(bend)")
    }
    // Of 12 seeds, with 7 degrees each: the mean is 1.4 with a deviation of 0.8.
    #expect(sum / 12 < 4 && sum / 12 > 0.05, "\(sum / 12)")
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
