import PlumblineModel
import PlumblineStereo
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineRecordings

/// Errors of a match and how many of them its σ holds.
private struct Accuracy {
  /// The share of the errors within one and two σ, wrong matches among them.
  let (within, withinTwo): (Double, Double)
  /// The root mean square of the errors below 1 px about their mean.
  let scatterPixels: Double
  let medianSigmaPixels: Double
  let quantile68Pixels: Double

  /// Compares with a truth, NaN where it is not known, that has a rounding error of its own.
  init(_ match: StereoMatch, truth: Raster<Float>, truthSigma: Float = 0) {
    var (errors, sigmas): ([Float], [Float]) = ([], [])
    var (inside, insideTwo) = (0, 0)
    for (index, sigma) in match.sigmaPixels.samples.enumerated() {
      let error = match.disparity.pixels.samples[index] - truth.samples[index]
      if error.isNaN { continue }
      let total = (sigma * sigma + truthSigma * truthSigma).squareRoot()
      inside += abs(error) <= total ? 1 : 0
      insideTwo += abs(error) <= 2 * total ? 1 : 0
      errors.append(error)
      sigmas.append(sigma)
    }
    let count = Double(errors.count)
    (within, withinTwo) = (Double(inside) / count, Double(insideTwo) / count)
    let small = errors.filter { abs($0) < 1 }.map(Double.init)
    let mean = small.reduce(0, +) / Double(small.count)
    scatterPixels =
      (small.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(small.count)).squareRoot()
    medianSigmaPixels = Double(sigmas.sorted()[sigmas.count / 2])
    quantile68Pixels = Double(errors.map { abs($0) }.sorted()[errors.count * 68 / 100])
  }
}

@Suite("How far off stereo is, and what its σ holds") struct StereoAccuracyTests {
  @Test(
    "σ of clean pairs holds at least 60 % and is no more than its least and twice the errors",
    arguments: [0.0, 1, 2, 4, 8])
  func simulated(noise: Double) throws {
    for seed in 1...2 {
      let scene = SimulatedPair(
        width: 240, height: 144, seed: UInt64(seed), slope: 0.03, box: 9, noise: noise)
      let match = try StereoMatcher(disparities: 0..<32).match(scene.pair)
      let accuracy = Accuracy(match, truth: scene.truth)
      #expect(accuracy.within >= 0.6 && accuracy.withinTwo >= 0.85, "\(accuracy)")
      let most = Double(MatchingSigma.leastPixels) + 2 * accuracy.quantile68Pixels
      #expect(accuracy.medianSigmaPixels < most, "\(accuracy)")
    }
  }

  private func gray(_ name: String) throws -> Raster<UInt8> {
    try StereoImageReader().image(from: RealData.bytes("stereo/\(name)")).color.luma
  }

  /// Means of 3×3 pixels; NaN where `isTruth` and one is 0 or they differ by more than 3.
  private func thirds(_ image: Raster<UInt8>, isTruth: Bool = false) -> Raster<Float> {
    let size = RasterSize(width: image.width / 3, height: image.height / 3)
    return Raster(size: size) { x, y in
      let values = (0..<9).map { Int(image[3 * x + $0 % 3, 3 * y + $0 / 3]) }
      let span = (values.max() ?? 0) - (values.min() ?? 0)
      if isTruth && (values.contains(0) || span > 3) { return .nan }
      return Float(values.reduce(0, +)) / 9
    }
  }

  /// Measured: 54.7 and 82.1 %, 61.2 and 87.6 % with the truth's quarter pixels; scatter 0.180 px,
  /// where cv2.StereoSGBM has 0.206 and one plane everywhere had 0.242.
  @Test("cones", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func cones() throws {
    let file = try DepthFile(RealData.bytes("stereo/cones/disp_left.tif"), limits: ReadingLimits())
    guard case .float32(let stored) = file.values else { throw CancellationError() }
    let truth = Raster<Float>(size: stored.size) { x, y in stored[x, y] > 0 ? stored[x, y] : .nan }
    let pair = RectifiedPair(left: try gray("cones/left.png"), right: try gray("cones/right.png"))
    for uniqueness in [Float(0.03), 0.2] {
      var matcher = StereoMatcher(disparities: 0..<64)
      matcher.uniqueness = uniqueness
      let match = try matcher.match(pair, threads: 2)
      // A uniform error of a quarter pixel: 0.25/√12.
      let accuracy = Accuracy(match, truth: truth, truthSigma: 0.0722)
      #expect(abs(accuracy.within - 0.68) < 0.08, "\(accuracy)")
      #expect(accuracy.withinTwo > 0.85, "\(accuracy)")
      #expect(accuracy.scatterPixels < 0.2, "\(accuracy)")
    }
  }

  /// Measured: 66.3 and 93.6 % with the truth's rounding to whole pixels, which are thirds here.
  @Test("aloe at a third of its size", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func aloe() throws {
    func third(_ name: String) throws -> Raster<UInt8> {
      let means = thirds(try gray(name))
      return Raster(size: means.size) { x, y in UInt8(means[x, y].rounded()) }
    }
    let stored = thirds(try gray("aloe/aloeGT.png"), isTruth: true)
    let truth = Raster<Float>(size: stored.size) { x, y in stored[x, y] / 3 }
    let pair = RectifiedPair(left: try third("aloe/aloeL.jpg"), right: try third("aloe/aloeR.jpg"))
    let match = try StereoMatcher(disparities: 0..<96).match(pair, threads: 2)
    let accuracy = Accuracy(match, truth: truth, truthSigma: 1 / (3 * 3.4641))
    #expect(abs(accuracy.within - 0.68) < 0.08, "\(accuracy)")
    #expect(accuracy.withinTwo > 0.88, "\(accuracy)")
    #expect(accuracy.scatterPixels < 0.22, "\(accuracy)")
  }
}
