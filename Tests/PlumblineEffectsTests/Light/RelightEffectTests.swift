import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

@Suite struct RelightEffectTests {
  private let size = RasterSize(width: 48, height: 36)

  private func plane(_ seed: UInt64) -> EffectScene {
    var random = SeededGenerator(seed: seed)
    var scene = EffectScene(
      color: RandomScenes.color(size, &random), disparity: Raster(size: size, repeating: 1),
      isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [40, 40], principalPoint: [23.5, 17.5], size: size)
    return scene
  }

  @Test("All of the photo's light and none other changes nothing")
  func identity() throws {
    let scene = RandomScenes.steps(size, seed: 3)
    let effect = RelightEffect(strength: 0, ambient: 1)
    #expect(try effect.applied(to: scene).color == scene.color)
  }

  @Test("A wall that faces the light has the photo's own light; one that faces away has none")
  func wall() throws {
    let scene = plane(1)
    let lit = try RelightEffect(.direction([0, 0, -2]), strength: 1, ambient: 0, wrap: 0)
      .applied(to: scene).color
    for (a, b) in zip(lit.samples, scene.color.samples) {
      // A code: the light is carried in 4080 steps.
      #expect(abs(Int(a.green) - Int(b.green)) <= 1)
    }
    let dark = try RelightEffect(.direction([0, 0, 2]), strength: 1, ambient: 0, wrap: 0)
      .applied(to: scene).color
    #expect(dark.samples.allSatisfy { $0 == RGB8(red: 0, green: 0, blue: 0) })
  }

  @Test("A slope turned to the light is brighter than one turned away")
  func slopes() throws {
    var scene = plane(2)
    scene.color = Raster(size: size, repeating: RGB8(red: 128, green: 128, blue: 128))
    // A roof: its ridge in the middle is nearest.
    scene.disparity = Raster(size: size) { x, _ in 1 / (2 - 0.6 * (1 - abs(Float(x) - 23.5) / 24)) }
    let lit = try RelightEffect(.direction([-1, 0, -0.3]), strength: 1, ambient: 0, wrap: 0)
      .applied(to: scene).color
    #expect(lit[12, 18].red > lit[35, 18].red + 20)
  }

  @Test("A point light is weaker farther away from it")
  func point() throws {
    var scene = plane(3)
    scene.color = Raster(size: size, repeating: RGB8(red: 128, green: 128, blue: 128))
    let lit = try RelightEffect(.point([-0.5, 0, 0.5]), strength: 1, ambient: 0, wrap: 0)
      .applied(to: scene).color
    #expect(lit[5, 18].red > lit[43, 18].red)
  }

  @Test("Any size and disparity give an image, the same for any threads")
  func hostile() throws {
    for (index, size) in RandomScenes.sizes.enumerated() {
      let scene = RandomScenes.hostile(size, seed: UInt64(index), isMetric: index % 2 == 0)
      for light in [RelightEffect.Light.direction([1, 0, 0]), .point([0, 0, 0])] {
        let effect = RelightEffect(light)
        let one = try effect.applied(to: scene, threads: 1)
        #expect(one.color == (try effect.applied(to: scene, threads: 3)).color)
      }
    }
  }

  @Test("Smoothing keeps planes and steps, and is the same for any threads", arguments: [1, 7, 40])
  func smooths(_ width: Int) {
    let size = RasterSize(width: width, height: 23)
    let step = Raster<Float>(size: size) { x, y in (2 * x > width ? 5 : 1) }
    let kept = SurfaceSmoothing.smoothed(step, step: 0.5, threads: 2)
    #expect(kept == step.samples)
    var random = SeededGenerator(seed: UInt64(width))
    let noise = Raster<Float>(size: size) { _, _ in Float.random(in: 1...1.2, using: &random) }
    let one = SurfaceSmoothing.smoothed(noise, step: 1, threads: 1)
    #expect(one == SurfaceSmoothing.smoothed(noise, step: 1, threads: 3))
    let slow = slow(noise, step: 1)
    // Single precision of sums of 25 in another order.
    for (fast, slow) in zip(one, slow) { #expect(abs(Double(fast) - slow) < 1e-5) }
  }

  /// The four levels as they are defined.
  private func slow(_ values: Raster<Float>, step: Double) -> [Double] {
    let spline = [1.0 / 16, 1.0 / 4, 3.0 / 8, 1.0 / 4, 1.0 / 16]
    let (width, height) = (values.width, values.height)
    var current = values.samples.map(Double.init)
    for spacing in [1, 2, 4, 8] {
      current = (0..<width * height).map { index in
        var (sum, total) = (0.0, 0.0)
        for (r, down) in spline.enumerated() {
          for (c, across) in spline.enumerated() {
            let x = min(max(index % width + (c - 2) * spacing, 0), width - 1)
            let y = min(max(index / width + (r - 2) * spacing, 0), height - 1)
            let off = current[y * width + x] - current[index]
            let near = max(1 - off * off / step / step, 0)
            sum += off * down * across * near * near
            total += down * across * near * near
          }
        }
        return current[index] + sum / total
      }
    }
    return current
  }

  @Test("Refuses numbers beyond sense")
  func refuses() {
    let effects = [
      RelightEffect(.direction([0, 0, 0])), RelightEffect(.direction([.nan, 0, 0])),
      RelightEffect(.point([0, .infinity, 0])), RelightEffect(strength: -1),
      RelightEffect(ambient: .nan), RelightEffect(wrap: 2), RelightEffect(relief: 11),
    ]
    for effect in effects {
      let error = #expect(throws: EffectError.self) { try effect.applied(to: plane(4)) }
      #expect(error?.reason == .outOfRange)
    }
  }
}
