import PlumblineModel
import Testing

@testable import PlumblineEffects

@Suite struct IsolateEffectTests {
  private let size = RasterSize(width: 40, height: 20)

  @Test("Keeps colors within the range to the code and makes the rest gray")
  func keepsRange() throws {
    let scene = RandomScenes.steps(size, seed: 1)
    let effect = IsolateEffect(nearest: .meters(0.3), farthest: .meters(1), followsColors: false)
    let result = try effect.applied(to: scene).color
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = result[x, y]
        if x < 16 {
          #expect(pixel == scene.color[x, y])
        } else {
          let original = scene.color[x, y]
          let luma =
            0.2126 * Double(original.red) + 0.7152 * Double(original.green)
            + 0.0722 * Double(original.blue)
          #expect(pixel.red == pixel.green && pixel.green == pixel.blue)
          #expect(abs(Double(pixel.red) - luma) <= 0.51)
        }
      }
    }
  }

  @Test("Without ends everything keeps its color")
  func identity() throws {
    let scene = RandomScenes.steps(size, seed: 2)
    let effect = IsolateEffect(nearest: nil, farthest: nil)
    #expect(try effect.applied(to: scene).color == scene.color)
  }

  @Test("Any size and disparity give an image, the same for any threads")
  func hostile() throws {
    for (index, size) in RandomScenes.sizes.enumerated() {
      let scene = RandomScenes.hostile(size, seed: UInt64(index), isMetric: index % 2 == 0)
      let effect = IsolateEffect(nearest: .nearness(0.9), farthest: .nearness(0.2))
      let one = try effect.applied(to: scene, threads: 1)
      #expect(one.color == (try effect.applied(to: scene, threads: 3)).color)
    }
  }

  @Test("Refuses ends the wrong way round and meters of relative depth")
  func refuses() {
    var scene = RandomScenes.steps(size, seed: 3)
    let turned = IsolateEffect(nearest: .meters(2), farthest: .meters(1))
    #expect(throws: EffectError.self) { try turned.applied(to: scene) }
    scene.isMetric = false
    let error = #expect(throws: EffectError.self) {
      try IsolateEffect(nearest: nil, farthest: .meters(1)).applied(to: scene)
    }
    #expect(error?.reason == .missing)
  }
}
