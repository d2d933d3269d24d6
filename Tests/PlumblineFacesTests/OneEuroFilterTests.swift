import PlumblineFaces
import PlumblineTestSupport
import Testing

@Suite struct OneEuroFilterTests {
  private let side: Float = 100

  @Test func whatRestsStays() {
    var filter = OneEuroFilter()
    for frame in 0..<50 {
      #expect(filter.smoothed([[3, -7]], at: Double(frame) / 30, sidePixels: side) == [[3, -7]])
    }
  }

  /// A low-pass of cutoff *c* lags by *v*/(2π*c*), and *c* is at least coefficient · *v*.
  @Test(arguments: [0.01, 0.1, 1, 5] as [Float])
  func constantMotionLagsByTheStatedShareOfAFaceAtMost(facesPerSecond: Float) {
    var filter = OneEuroFilter()
    let bound = side / (2 * .pi * filter.parameters.speedCoefficient)
    var lag = SIMD2<Float>.zero
    for frame in 0..<600 {
      let seconds = Double(frame) / 30
      let place = SIMD2<Float>(0.6, -0.8) * facesPerSecond * side * Float(seconds)
      lag = place - filter.smoothed([place], at: seconds, sidePixels: side)[0]
    }
    #expect(distance(lag, .zero) <= bound * 1.001, "\(distance(lag, .zero)) of \(bound)")
    // It lags behind and never to a side.
    #expect(abs(lag.x * 0.8 + lag.y * 0.6) < 0.01)
    #expect(lag.x >= 0)
  }

  @Test(arguments: 0..<5)
  func jitterAtRestIsSmoothedWithoutBias(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var filter = OneEuroFilter()
    var raw: [SIMD2<Float>] = []
    var smooth: [SIMD2<Float>] = []
    for frame in 0..<1500 {
      let place = SIMD2<Float>(
        .random(in: -0.1...0.1, using: &generator), .random(in: -0.1...0.1, using: &generator))
      let found = filter.smoothed([place], at: Double(frame) / 30, sidePixels: side)[0]
      if frame >= 300 {
        raw.append(place)
        smooth.append(found)
      }
    }
    func spread(_ places: [SIMD2<Float>]) -> Float {
      (places.reduce(0) { $0 + ($1 * $1).sum() } / Float(places.count)).squareRoot()
    }
    let mean = smooth.reduce(SIMD2.zero, +) / Float(smooth.count)
    #expect(spread(smooth) < 0.6 * spread(raw), "\(spread(smooth)) of \(spread(raw))")
    // 1,200 draws of ±0.1, correlated over some frames.
    #expect(distance(mean, .zero) < 0.02)
  }

  @Test func nearAndFarFacesAreTreatedAlike() {
    var near = OneEuroFilter()
    var far = OneEuroFilter()
    var generator = SeededGenerator(seed: 1)
    for frame in 0..<100 {
      let place = SIMD2<Float>(.random(in: 0...9, using: &generator), Float(frame))
      let one = near.smoothed([4 * place], at: Double(frame) / 30, sidePixels: 4 * side)[0]
      let other = far.smoothed([place], at: Double(frame) / 30, sidePixels: side)[0]
      #expect(distance(one, 4 * other) < 1e-3)
    }
  }

  @Test func timeThatStandsStillAndOtherCountsStartAnew() {
    var filter = OneEuroFilter()
    _ = filter.smoothed([[0, 0]], at: 1, sidePixels: side)
    #expect(filter.smoothed([[9, 9]], at: 1, sidePixels: side) == [[9, 9]])
    #expect(filter.smoothed([[5, 5]], at: 0.5, sidePixels: side) == [[5, 5]])
    #expect(filter.smoothed([[1, 1], [2, 2]], at: 2, sidePixels: side) == [[1, 1], [2, 2]])
    #expect(filter.smoothed([[3, 3], [4, 4]], at: .nan, sidePixels: side) == [[3, 3], [4, 4]])
  }
}
