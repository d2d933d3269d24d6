import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct DistanceFitErrorTests {
  static let near = DistanceFitTests.near
  static let far = DistanceFitTests.far
  let map = StepScene.measurement().disparity

  @Test(arguments: [(-1, 0), (64, 0), (0, -1), (0, 48), (.min, 0), (.max, 3), (2, .min)])
  func pixelsOutsideAreRefused(pixel: (Int, Int)) {
    let known = KnownDistance(x: pixel.0, y: pixel.1, meters: 1)
    let error = DistanceFitError.outside(known, width: 64, height: 48)
    #expect(throws: error) { try DistanceFit([known], in: map) }
    #expect(throws: DistanceFitError.self) {
      try DistanceFit([known], in: map, cutOutAt: [100, 100])
    }
  }

  @Test func cornersWork() throws {
    for (x, y) in [(0, 0), (63, 0), (0, 47), (63, 47)] {
      let fit = try DistanceFit(
        [KnownDistance(x: x, y: y, meters: StepScene.farMeters)], in: map)
      #expect(abs(fit.scale - 1) < 1e-6)
    }
  }

  @Test func aHoleIsNotMeasured() {
    let empty = DisparityMap(inverseMeters: Raster(size: StepScene.size, repeating: .nan))
    #expect(throws: DistanceFitError.notMeasured(Self.near)) {
      try DistanceFit([Self.near], in: empty)
    }
    #expect(throws: DistanceFitError.notMeasured(Self.far)) {
      try DistanceFit([Self.far, Self.near], in: empty)
    }
  }

  @Test func oneSurfaceGivesNoLine() {
    let beside = KnownDistance(x: Self.far.x, y: Self.far.y + 8, meters: 1.3)
    #expect(throws: DistanceFitError.tooSimilar(Self.far, beside)) {
      try DistanceFit([Self.far, beside], in: map)
    }
  }

  @Test(arguments: [(1.9, true), (2.1, false)])
  func surfacesMustDifferByTwoPercent(percent: Double, isTooSimilar: Bool) throws {
    let half = DisparityMap(
      inverseMeters: Raster(size: StepScene.size) { x, _ in x < 32 ? 1 : Float(1 - percent / 100) })
    let pair = [KnownDistance(x: 10, y: 9, meters: 1), KnownDistance(x: 50, y: 9, meters: 1.1)]
    if isTooSimilar {
      #expect(throws: DistanceFitError.tooSimilar(pair[0], pair[1])) {
        try DistanceFit(pair, in: half)
      }
    } else {
      #expect(try DistanceFit(pair, in: half).scale > 0)
    }
  }

  @Test func exchangedDistancesAreReversed() {
    let first = KnownDistance(x: Self.near.x, y: Self.near.y, meters: 1.2)
    let second = KnownDistance(x: Self.far.x, y: Self.far.y, meters: 0.5)
    #expect(throws: DistanceFitError.reversed(first, second)) {
      try DistanceFit([first, second], in: map)
    }
  }

  @Test func noneAndThreeAreRefused() {
    #expect(throws: DistanceFitError.count(0)) { try DistanceFit([], in: map) }
    #expect(throws: DistanceFitError.count(3)) {
      try DistanceFit([Self.near, Self.far, Self.near], in: map)
    }
  }

  @Test func everyErrorIsOneSentenceWithItsPixels() {
    let errors: [DistanceFitError] = [
      .outside(Self.near, width: 64, height: 48), .notMeasured(Self.near),
      .tooSimilar(Self.near, Self.far), .reversed(Self.near, Self.far),
    ]
    for error in errors {
      #expect("\(error)".contains("30,24"))
      #expect(!"\(error)".contains(". ") && !"\(error)".hasSuffix("."))
    }
    #expect("\(DistanceFitError.count(3))" == "one or two distances are needed, not 3")
  }
}
