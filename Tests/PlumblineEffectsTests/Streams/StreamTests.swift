import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

@Suite struct StreamTests {
  private let size = RasterSize(width: 64, height: 48)
  private let depthSize = RasterSize(width: 32, height: 24)

  private func depth(near: Float = 2, far: Float = 0.5) -> Raster<Float> {
    Raster(size: depthSize) { x, _ in x < 14 ? near : far }
  }

  @Test("The smooth filter mixes nothing at 0, and takes the green of what is near at 1")
  func rose() throws {
    var random = SeededGenerator(seed: 1)
    let color = RandomScenes.color(size, &random)
    var none = SmoothFilter(mix: 0)
    #expect(try none.apply(to: color, disparity: depth()) == color)
    var filter = SmoothFilter()
    let result = try filter.apply(to: color, disparity: depth())
    for y in 0..<size.height {
      for x in 0..<size.width where x < 26 || x > 30 {
        let pixel = color[x, y]
        #expect(
          result[x, y] == (x < 26 ? RGB8(red: pixel.red, green: 0, blue: pixel.blue) : pixel))
      }
    }
  }

  @Test("Depth is gray, white nearest")
  func grayDepth() throws {
    let color = Raster(size: size, repeating: RGB8(red: 9, green: 9, blue: 9))
    var filter = SmoothFilter(look: .depth)
    let result = try filter.apply(to: color, disparity: depth())
    #expect(result[5, 5] == RGB8(red: 255, green: 255, blue: 255))
    #expect(result[60, 5] == RGB8(red: 0, green: 0, blue: 0))
  }

  @Test("Noise of depth falls from frame to frame, a jump is taken at once, a hole keeps the last")
  func steadies() {
    var random = SeededGenerator(seed: 2)
    var steady = SteadyDisparity()
    let place = RasterSize(width: 200, height: 1)
    func noise() -> Raster<Float> {
      Raster(size: place) { _, _ in 1 + Float.random(in: -0.1...0.1, using: &random) }
    }
    for _ in 0..<20 { steady.take(noise(), newShare: 0.2, step: 0.5) }
    // An exponential mean of share a has a variance of a / (2 − a) of the noise's: σ is a third.
    let variance = steady.values.reduce(0) { $0 + ($1 - 1) * ($1 - 1) } / 200
    #expect(variance < 0.1 * 0.1 / 3 / 5)
    steady.take(Raster(size: place, repeating: 3), newShare: 0.2, step: 0.5)
    #expect(steady.values.allSatisfy { $0 == 3 })
    steady.take(Raster(size: place, repeating: .nan), newShare: 0.2, step: 0.5)
    #expect(steady.values.allSatisfy { $0 == 3 })
  }

  @Test("What is near stays before the new background, what is far does not")
  func replaces() throws {
    var random = SeededGenerator(seed: 3)
    let color = RandomScenes.color(size, &random)
    for border in [
      BackgroundStream.Border.automatic, .distance(.meters(1)), .behind(x: 3, y: 3, meters: 0.25),
    ] {
      var stream = BackgroundStream(border: border, sigmaPixels: 1, followsColors: false)
      stream.background = Raster(size: size, repeating: RGB8(red: 0, green: 255, blue: 0))
      for _ in 0..<2 {
        let result = try stream.apply(to: color, disparity: depth(), isMetric: true)
        #expect(result[5, 20] == color[5, 20])
        #expect(result[60, 20] == RGB8(red: 0, green: 255, blue: 0))
      }
    }
  }

  @Test("Frames without depth, of other sizes and with any disparity pass; threads change nothing")
  func hostile() throws {
    var one = BackgroundStream()
    var three = BackgroundStream()
    var filters = (SmoothFilter(), SmoothFilter())
    for (index, size) in RandomScenes.sizes.enumerated() {
      let scene = RandomScenes.hostile(size, seed: UInt64(index), isMetric: true)
      let blind = Raster<Float>(size: size, repeating: .nan)
      for disparity in [blind, scene.disparity, blind] {
        #expect(
          try one.apply(to: scene.color, disparity: disparity, isMetric: true, threads: 1)
            == three.apply(to: scene.color, disparity: disparity, isMetric: true, threads: 3))
        #expect(
          try filters.0.apply(to: scene.color, disparity: disparity, threads: 1)
            == filters.1.apply(to: scene.color, disparity: disparity, threads: 3))
      }
    }
  }

  @Test("Refuses numbers beyond sense and meters of relative disparity")
  func refuses() {
    let color = Raster(size: size, repeating: RGB8(red: 9, green: 9, blue: 9))
    for var filter in [
      SmoothFilter(mix: 2), SmoothFilter(nearness: .nan), SmoothFilter(newShare: -1),
    ] {
      let error = #expect(throws: EffectError.self) {
        try filter.apply(to: color, disparity: depth())
      }
      #expect(error?.reason == .outOfRange)
    }
    for (border, reason) in [
      (BackgroundStream.Border.behind(x: 0, y: 0, meters: 1), EffectError.Reason.missing),
      (.distance(.meters(1)), .missing), (.distance(.nearness(2)), .outOfRange),
    ] {
      var stream = BackgroundStream(border: border)
      let error = #expect(throws: EffectError.self) {
        try stream.apply(to: color, disparity: depth(), isMetric: false)
      }
      #expect(error?.reason == reason)
    }
    var outside = BackgroundStream(border: .behind(x: 99, y: 0, meters: 1))
    let error = #expect(throws: EffectError.self) {
      try outside.apply(to: color, disparity: depth(), isMetric: true)
    }
    #expect(error?.reason == .outOfRange)
  }
}
