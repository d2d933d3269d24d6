#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

@Suite struct FogEffectTests {
  private let size = RasterSize(width: 40, height: 30)

  private func scene(_ seed: UInt64) -> EffectScene {
    var random = SeededGenerator(seed: seed)
    return EffectScene(
      color: RandomScenes.color(size, &random),
      disparity: Raster(size: size) { _, _ in Float.random(in: 0.02...3, using: &random) },
      isMetric: true)
  }

  @Test("No fog changes nothing", arguments: [true, false])
  func identity(_ isMetric: Bool) throws {
    var scene = scene(1)
    scene.isMetric = isMetric
    #expect(try FogEffect(density: 0).applied(to: scene).color == scene.color)
  }

  @Test("Koschmieder's law, with and without a camera", arguments: [false, true])
  func law(_ hasCamera: Bool) throws {
    var scene = scene(2)
    if hasCamera {
      scene.intrinsics = PinholeIntrinsics(
        focalLength: [35, 36], principalPoint: [18, 16], size: size)
    }
    let color = RGB8(red: 180, green: 190, blue: 220)
    let result = try FogEffect(density: 0.3, color: color).applied(to: scene).color
    func code(_ light: Double) -> Double {
      255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let depth = 1 / Double(scene.disparity[x, y])
        let way =
          hasCamera
          ? depth * (1 + pow((Double(x) - 18) / 35, 2) + pow((Double(y) - 16) / 36, 2)).squareRoot()
          : depth
        let through = exp(-0.3 * way)
        let clear = LinearLight.light(of: Double(scene.color[x, y].green) / 255)
        let air = LinearLight.light(of: 190.0 / 255)
        let expected = code(clear * through + air * (1 - through))
        // Half a code for rounding, a little for tables of 16 bits.
        #expect(abs(Double(result[x, y].green) - expected) < 0.6)
      }
    }
  }

  @Test("Fog that hardly thins with height is fog of one density; thin fog hides less above")
  func height() throws {
    var scene = scene(3)
    scene.disparity = Raster(size: size, repeating: 0.1)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [35, 35], principalPoint: [19.5, 14.5], size: size)
    scene.color = Raster(size: size, repeating: RGB8(red: 0, green: 0, blue: 0))
    let plain = try FogEffect(density: 0.05).applied(to: scene).color
    let high = try FogEffect(density: 0.05, heightMeters: 1e6).applied(to: scene).color
    for (a, b) in zip(plain.samples, high.samples) { #expect(abs(Int(a.red) - Int(b.red)) <= 1) }
    let low = try FogEffect(density: 0.05, heightMeters: 2).applied(to: scene).color
    #expect(low[20, 2].red < plain[20, 2].red)
    #expect(low[20, 28].red > plain[20, 28].red)
    // Turned by half, the sky is at the other end.
    scene.orientation = .down
    let turned = try FogEffect(density: 0.05, heightMeters: 2).applied(to: scene).color
    #expect(turned[20, 28].red < plain[20, 28].red)
  }

  @Test("Any size and disparity give an image, the same for any threads")
  func hostile() throws {
    for (index, size) in RandomScenes.sizes.enumerated() {
      let scene = RandomScenes.hostile(size, seed: UInt64(index), isMetric: index % 2 == 0)
      let effect = FogEffect(density: 2)
      let one = try effect.applied(to: scene, threads: 1)
      #expect(one.color == (try effect.applied(to: scene, threads: 3)).color)
    }
  }

  @Test("Refuses densities beyond sense and heights of relative depth")
  func refuses() {
    var scene = scene(4)
    for density in [-1, .nan, 1001, .infinity] {
      let error = #expect(throws: EffectError.self) {
        try FogEffect(density: density).applied(to: scene)
      }
      #expect(error?.reason == .outOfRange)
    }
    scene.isMetric = false
    let error = #expect(throws: EffectError.self) {
      try FogEffect(density: 1, heightMeters: 2).applied(to: scene)
    }
    #expect(error?.reason == .missing)
  }
}
