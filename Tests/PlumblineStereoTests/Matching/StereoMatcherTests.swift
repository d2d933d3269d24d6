import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite struct StereoMatcherTests {
  /// A matcher whose result is the choice alone.
  private func bare(_ disparities: Range<Int>, _ paths: StereoMatcher.Paths) -> StereoMatcher {
    var matcher = StereoMatcher(disparities: disparities, paths: paths)
    matcher.uniqueness = 0
    matcher.leftRightTolerancePixels = nil
    matcher.speckleLeastPixels = 0
    matcher.smoothingRadiusPixels = 0
    matcher.comparesAcrossEdges = false
    return matcher
  }

  private func bits(_ match: StereoMatch) -> [UInt32] {
    (match.disparity.pixels.samples + match.sigmaPixels.samples).map(\.bitPattern)
  }

  @Test(
    "Kernels choose what the plain twin chooses", arguments: StereoMatcher.Paths.allCases, 1...4)
  func kernelsEqualTheTwin(paths: StereoMatcher.Paths, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = RasterSize(width: 19 + seed, height: 9)
    let images = (0..<2).map { _ in
      Raster<UInt8>(size: size) { _, _ in UInt8.random(in: 0...255, using: &random) }
    }
    let first = Int.random(in: -9...3, using: &random)
    var matcher = bare(first..<first + [1, 7, 33, 9][seed - 1], paths)
    matcher.leftRightTolerancePixels = seed == 4 ? 1 : seed == 3 ? 0 : nil
    matcher.smallStepPenalty = Int.random(in: 1...30, using: &random)
    matcher.largeStepPenalty = Int.random(in: 30...144, using: &random)
    let pair = RectifiedPair(left: images[0], right: images[1])
    let expected = PlainMatching(matcher: matcher, pair: pair).disparities()
    let found = try matcher.match(pair).disparity.pixels.samples
    let differing = zip(found, expected).filter { $0 != $1 && !($0.isNaN && $1.isNaN) }
    #expect(differing.isEmpty)
  }

  @Test(
    "Whole and broken vectors of pixels and disparities give what the plain twin gives",
    arguments: [(63, 32), (64, 64), (65, 33), (83, 64), (72, 70), (70, 97)])
  func vectorsEqualTheTwin(width: Int, count: Int) throws {
    let pair = SimulatedPair(
      width: width, height: 5, seed: UInt64(count), slope: 0.02, noise: 16
    ).pair
    var matcher = bare(-3 ..< -3 + count, .eight)
    matcher.uniqueness = 0.03
    matcher.leftRightTolerancePixels = 1
    let expected = PlainMatching(matcher: matcher, pair: pair).disparities()
    let match = try matcher.match(pair)
    let found = match.disparity.pixels.samples
    let differing = zip(found, expected).filter { $0 != $1 && !($0.isNaN && $1.isNaN) }
    #expect(differing.isEmpty)
    #expect(found.count { !$0.isNaN } > found.count / 4)
    #expect(match.removed.ambiguous > 0 && match.removed.inconsistent > 0)
  }

  @Test(arguments: StereoMatcher.Paths.allCases, [-4.0, 0, 3])
  func aShiftedTextureGivesTheShift(paths: StereoMatcher.Paths, shift: Double) throws {
    let scene = SimulatedPair(seed: 11, nearest: shift)
    let match = try StereoMatcher(disparities: -8..<8, paths: paths).match(scene.pair)
    let found = match.disparity.pixels.samples.filter { !$0.isNaN }
    #expect(found.count > 128 * 64 * 9 / 10)
    // At the ends of rows the other image shows nothing to match.
    let far = found.filter { abs($0 - Float(shift)) > 0.2 }.count
    #expect(far < found.count / 50, "in pixels")
  }

  @Test("Between whole pixels the bias stays small", arguments: [0, 2, 4, 6, 8])
  func fractionsAreUnbiased(tenth: Int) throws {
    let shift = 4 + Double(tenth) / 10
    let scene = SimulatedPair(seed: 5, nearest: shift, noise: 1)
    let errors = try StereoMatcher(disparities: 0..<12).match(scene.pair).disparity.pixels.samples
      .filter { !$0.isNaN }.map { $0 - Float(shift) }.sorted()
    #expect(abs(errors[errors.count / 2]) < 0.08, "median, in pixels; at most 0.063 was measured")
  }

  @Test func gainAndOffsetOfOneImageMatterLittle() throws {
    let scene = SimulatedPair(seed: 3, slope: 0.02, box: 8, gain: 0.8, offset: 30)
    let match = try StereoMatcher(disparities: 0..<32).match(scene.pair)
    let errors = zip(match.disparity.pixels.samples, scene.truth.samples)
      .filter { !$0.0.isNaN }.map { abs($0 - $1) }
    #expect(errors.count > 128 * 64 * 3 / 4)
    let wrong = errors.filter { $0 > 1 }.count
    #expect(wrong < errors.count / 40)
  }

  @Test func theSameBytesForAnyNumberOfThreads() throws {
    let pair = SimulatedPair(height: 70, seed: 8, slope: 0.02, box: 8, noise: 3).pair
    for paths in StereoMatcher.Paths.allCases {
      let matcher = StereoMatcher(disparities: 0..<24, paths: paths)
      let one = bits(try matcher.match(pair, threads: 1))
      for threads in [2, 3, 7] {
        let several = bits(try matcher.match(pair, threads: threads))
        #expect(several == one)
      }
    }
  }

  @Test func whatAnEarlierPairLeftChangesNothing() throws {
    var workspace = MatchingWorkspace()
    for (width, height, paths) in [
      (90, 40, StereoMatcher.Paths.eight), (40, 70, .five), (64, 64, .four),
    ] {
      let pair = SimulatedPair(width: width, height: height, seed: 8, box: 8, noise: 3).pair
      let matcher = StereoMatcher(disparities: 0..<24, paths: paths)
      let kept = bits(try matcher.match(pair, in: &workspace))
      let fresh = bits(try matcher.match(pair))
      #expect(kept == fresh)
    }
  }

  @Test("Rows that are divided more often give the same bits", arguments: [1, 2, 3, 47, 250])
  func divisionsChangeNothing(height: Int) throws {
    let pair = SimulatedPair(
      width: 64, height: height, seed: 9, slope: 0.02, box: 8, noise: 3
    ).pair
    for paths in StereoMatcher.Paths.allCases {
      var matcher = StereoMatcher(disparities: 0..<24, paths: paths)
      let usual = bits(try matcher.match(pair))
      for bytes in [0, 100_000, 200_000] {
        matcher.memoryBytes = bytes
        for threads in [1, 3] {
          #expect(bits(try matcher.match(pair, threads: threads)) == usual, "\(bytes) bytes")
        }
      }
    }
  }

  /// A volume of costs and sums would take 3 bytes for each pixel and disparity.
  @Test(
    "Memory grows with the square root of the rows", arguments: [(64, 100), (64, 1600), (400, 400)])
  func memoryIsOfTheSquareRoot(width: Int, height: Int) throws {
    let pair = SimulatedPair(width: width, height: height, seed: 9, slope: 0.01).pair
    let lanes = 32
    for (paths, vertical) in [(StereoMatcher.Paths.four, 1.0), (.eight, 3)] {
      var workspace = MatchingWorkspace()
      let matcher = StereoMatcher(disparities: 0..<24, paths: paths)
      _ = try matcher.match(pair, in: &workspace)
      // As many rows of paths are kept as rows of costs and sums, which are 3 bytes, cost least.
      let law = 2 * (3 * vertical * Double(height)).squareRoot() * Double(width * lanes)
      #expect(Double(workspace.bytes) < 1.15 * law + 4 * Double(width * lanes), "\(paths)")
      var divided = matcher
      divided.memoryBytes = workspace.bytes / 2
      var smaller = MatchingWorkspace()
      _ = try divided.match(pair, in: &smaller)
      #expect(smaller.bytes < workspace.bytes)
    }
  }

  @Test func whereNothingIsPreferredNothingIsSaid() throws {
    let flat = Raster<UInt8>(size: RasterSize(width: 40, height: 20), repeating: 90)
    let match = try StereoMatcher(disparities: 0..<16).match(RectifiedPair(left: flat, right: flat))
    let found = match.disparity.pixels.samples.filter { !$0.isNaN }
    #expect(found.isEmpty)
    #expect(match.removed.total == 800)
  }

  @Test(arguments: [(1, 1), (1, 9), (9, 1), (0, 5), (5, 0), (3, 40)])
  func anySizeIsTaken(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: 2)
    let image = Raster<UInt8>(size: RasterSize(width: width, height: height)) { _, _ in
      UInt8.random(in: 0...255, using: &random)
    }
    for disparities in [0..<1, -3..<2, 0..<64, 900..<1000, -1000 ..< -900] {
      for paths in StereoMatcher.Paths.allCases {
        let match = try StereoMatcher(disparities: disparities, paths: paths)
          .match(RectifiedPair(left: image, right: image), threads: 2)
        #expect(match.disparity.size == image.size)
        let missing = match.disparity.pixels.samples.filter(\.isNaN).count
        #expect(missing == match.removed.total)
        let unsure = match.sigmaPixels.samples.filter(\.isNaN).count
        #expect(unsure == missing)
      }
    }
  }

  @Test func whatAMaskHidesIsNotMatched() throws {
    let scene = SimulatedPair(seed: 4)
    var pair = scene.pair
    pair.leftCoverage = Raster(size: pair.size) { x, _ in x < 60 ? 1 : 0 }
    pair.rightCoverage = Raster(size: pair.size) { _, y in y < 32 ? 1 : 0 }
    let found = try StereoMatcher(disparities: 0..<12).match(pair).disparity.pixels
    for y in 0..<64 {
      for x in 0..<128 where x >= 60 || y >= 32 { #expect(found[x, y].isNaN) }
    }
    #expect(!found[40, 10].isNaN)
  }

  @Test func rangesThatCannotBeAreRefused() {
    let image = Raster<UInt8>(size: RasterSize(width: 4, height: 4), repeating: 0)
    let pair = RectifiedPair(left: image, right: image)
    #expect(throws: StereoError.self) { try StereoMatcher(disparities: 3..<3).match(pair) }
    #expect(throws: StereoError.self) { try StereoMatcher(disparities: 0..<99_999).match(pair) }
  }
}
