import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

@Suite struct WiggleEffectTests {
  private let size = RasterSize(width: 64, height: 32)

  private func plane(_ disparity: Float, seed: UInt64) -> EffectScene {
    var random = SeededGenerator(seed: seed)
    var scene = EffectScene(
      color: RandomScenes.color(size, &random), disparity: Raster(size: size, repeating: disparity),
      isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [60, 60], principalPoint: [31.5, 15.5], size: size)
    return scene
  }

  @Test("A camera that does not move sees the photo", arguments: WiggleEffect.Path.allCases)
  func identity(_ path: WiggleEffect.Path) throws {
    let scene = RandomScenes.steps(size, seed: 1)
    let effect = WiggleEffect(amplitude: .percentOfWidth(0), path: path, frameCount: 4)
    for frame in try effect.frames(of: scene).frames { #expect(frame == scene.color) }
  }

  /// With f = 60 px, half of a baseline of 0.1 m and d − d₀ in 1/m, pixels move by 3 · (d − d₀).
  @Test("A plane moves by amplitude · (d − d₀)", arguments: [(Float(2), 0.0), (2, 1), (1, 2)])
  func shiftLaw(_ disparity: Float, _ focus: Double) throws {
    let scene = plane(disparity, seed: 2)
    let pair = try StereoEffect(amplitude: .baseline(meters: 0.1), focus: .disparity(focus))
      .pair(of: scene)
    let move = Int((3 * (Double(disparity) - focus)).rounded())
    // The left camera sees it farther right.
    for y in 0..<size.height {
      for x in 8..<size.width - 8 {
        #expect(pair.left[x, y] == scene.color[x - move, y])
        #expect(pair.right[x, y] == scene.color[x + move, y])
      }
    }
    #expect(pair.baselineMeters == 0.1)
    #expect(pair.intrinsics == scene.intrinsics)
  }

  @Test("Between whole pixels colors are mixed as linear interpolation mixes them")
  func subPixel() throws {
    var scene = plane(0.75, seed: 3)
    scene.color = Raster(size: size) { x, _ in RGB8(red: UInt8(x * 4), green: 0, blue: 0) }
    let pair = try StereoEffect(amplitude: .baseline(meters: 0.1), focus: .disparity(0))
      .pair(of: scene)
    // 3 · 0.75 px are 2.25 px: nine codes of a slope of 4.
    for x in 8..<size.width - 8 { #expect(Int(pair.left[x, 9].red) == 4 * x - 9) }
  }

  @Test("What is in front moves whole, and what appears beside it comes from behind it")
  func occlusion() throws {
    let front = RGB8(red: 250, green: 20, blue: 20)
    let back = RGB8(red: 20, green: 20, blue: 250)
    var scene = plane(0, seed: 4)
    // A square before a wall: it moves by 6 px, the wall by none.
    func isFront(_ x: Int, _ y: Int) -> Bool { (24..<40).contains(x) && (8..<24).contains(y) }
    scene.color = Raster(size: size) { isFront($0, $1) ? front : back }
    scene.disparity = Raster(size: size) { isFront($0, $1) ? 2 : 0 }
    let pair = try StereoEffect(amplitude: .baseline(meters: 0.1), focus: .disparity(0))
      .pair(of: scene)
    for y in 0..<size.height {
      for x in 0..<size.width {
        // Around the square a pixel of the wall goes with it, whose color edges of photos share.
        let expected = isFront(x - 6, y) ? front : back
        #expect(pair.left[x, y] == expected, "(\(x), \(y))")
      }
    }
  }

  @Test("Looking only as near as something can be gives what looking everywhere gives")
  func bounds() throws {
    for seed in 0..<4 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let color = RandomScenes.color(size, &random)
      let disparity = Raster<Float>(size: size) { _, _ in Float.random(in: 0...2, using: &random) }
      let clean = try CleanDisparity.cleaned(
        disparity, isMetric: true, sigma: 0, effect: "test", threads: 1)
      var whole = ParallaxScene.prepared(
        color: color, disparity: clean, pixelsPerUnit: 4, threads: 1)
      let fast = whole.view(shift: [4, -2], focus: 1, threads: 2)
      whole.looksEverywhere = true
      #expect(fast == whole.view(shift: [4, -2], focus: 1, threads: 1))
    }
  }

  @Test("Running minima equal the minima of windows", arguments: [0, 1, 3, 7, 40])
  func minima(_ radius: Int) {
    for size in RandomScenes.sizes {
      var random = SeededGenerator(seed: UInt64(radius))
      let values = Raster<Float>(size: size) { _, _ in Float.random(in: -1...1, using: &random) }
      let fast = ParallaxScene.minima(values.samples, size, radius: radius, threads: 2)
      let slow = Raster<Float>(size: size) { x, y in
        var least = Float.infinity
        for row in max(y - radius, 0)...min(y + radius, size.height - 1) {
          for column in max(x - radius, 0)...min(x + radius, size.width - 1) {
            least = min(least, values[column, row])
          }
        }
        return least
      }
      #expect(fast == slow.samples)
    }
  }

  @Test("Frames are as large as asked for, their border cut")
  func sizes() throws {
    let scene = RandomScenes.steps(RasterSize(width: 200, height: 100), seed: 5)
    let effect = WiggleEffect(amplitude: .percentOfWidth(4), frameCount: 3, maximumSide: 80)
    let (frames, notes) = try effect.frames(of: scene)
    #expect(frames.count == 3)
    // Half of 4 % of 80 px, of which the focus leaves half to each side: 0.8 px, cut as one.
    #expect(frames.allSatisfy { $0.size == RasterSize(width: 78, height: 38) })
    #expect(notes.map(\.code) == [.reduced])
  }

  @Test("Any size and disparity give frames, the same for any threads")
  func hostile() throws {
    for (index, size) in RandomScenes.sizes.enumerated() {
      let scene = RandomScenes.hostile(size, seed: UInt64(index), isMetric: index % 2 == 0)
      let effect = WiggleEffect(amplitude: .percentOfWidth(20), path: .circle, frameCount: 3)
      let one = try effect.frames(of: scene, threads: 1).frames
      #expect(one == (try effect.frames(of: scene, threads: 3).frames))
    }
  }

  @Test("Refuses numbers beyond sense, and meters of relative scenes or without a camera")
  func refuses() {
    var scene = RandomScenes.steps(size, seed: 6)
    func reason(_ effect: WiggleEffect) -> EffectError.Reason? {
      #expect(throws: EffectError.self) { try effect.frames(of: scene) }?.reason
    }
    #expect(reason(WiggleEffect(frameCount: 1)) == .outOfRange)
    #expect(reason(WiggleEffect(maximumSide: 0)) == .outOfRange)
    #expect(reason(WiggleEffect(amplitude: .percentOfWidth(.nan))) == .outOfRange)
    #expect(reason(WiggleEffect(amplitude: .baseline(meters: -1))) == .outOfRange)
    #expect(reason(WiggleEffect(amplitude: .baseline(meters: 0.1))) == .missing)
    scene.isMetric = false
    #expect(reason(WiggleEffect(focus: .meters(1))) == .missing)
  }

  @Test("Two views of one gray make that gray in glasses")
  func anaglyph() {
    let gray = Raster(size: size, repeating: RGB8(red: 120, green: 120, blue: 120))
    let both = StereoViews(left: gray, right: gray).anaglyph()
    // Rows of the matrix sum to 1 within 0.001.
    for pixel in both.samples {
      #expect(abs(Int(pixel.red) - 120) <= 1 && abs(Int(pixel.green) - 120) <= 1)
      #expect(abs(Int(pixel.blue) - 120) <= 1)
    }
    let black = Raster(size: size, repeating: RGB8(red: 0, green: 0, blue: 0))
    let left = StereoViews(left: gray, right: black).anaglyph()
    #expect(left[3, 3].red > 100 && left[3, 3].green < 5 && left[3, 3].blue < 5)
  }
}
