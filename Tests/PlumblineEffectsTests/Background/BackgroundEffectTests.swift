import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

@Suite struct BackgroundEffectTests {
  private let size = RasterSize(width: 64, height: 48)

  /// A disk with a soft edge whose coverage is known, before a background.
  private func mixture(
    front: RGB8, back: RGB8, softPixels: Double
  ) -> (photo: Raster<RGB8>, coverage: Raster<UInt8>) {
    let coverage = Raster<UInt8>(size: size) { x, y in
      let (dx, dy) = (Double(x) - 32, Double(y) - 24)
      let inside = 14 - (dx * dx + dy * dy).squareRoot()
      return UInt8((min(max(inside / softPixels + 0.5, 0), 1) * 255).rounded())
    }
    let photo = Raster<RGB8>(size: size) { x, y in
      let share = Double(coverage[x, y]) / 255
      func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
        UInt8((Double(a) * share + Double(b) * (1 - share)).rounded())
      }
      return RGB8(
        red: mix(front.red, back.red), green: mix(front.green, back.green),
        blue: mix(front.blue, back.blue))
    }
    return (photo, coverage)
  }

  private func scene(_ photo: Raster<RGB8>, _ coverage: Raster<UInt8>) -> EffectScene {
    var scene = EffectScene(
      color: photo, disparity: coverage.map { $0 > 127 ? 2 : 0.5 }, isMetric: true)
    scene.mattes = [Matte(kind: .portraitEffects, coverage: coverage)]
    return scene
  }

  private let mask = ForegroundMask(source: .matte, followsColors: false)

  @Test("A cut-out laid over its own background gives the photo back")
  func recomposes() throws {
    let back = RGB8(red: 30, green: 90, blue: 200)
    let (photo, coverage) = mixture(
      front: RGB8(red: 220, green: 160, blue: 60), back: back, softPixels: 6)
    let cut = try BackgroundEffect(.transparent, foreground: mask).applied(
      to: scene(photo, coverage))
    let opacity = try #require(cut.opacity)
    #expect(opacity == coverage)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let share = Double(opacity[x, y]) / 255
        func error(_ front: UInt8, _ behind: UInt8, _ true: UInt8) -> Double {
          abs(Double(front) * share + Double(behind) * (1 - share) - Double(`true`))
        }
        let (front, original) = (cut.color[x, y], photo[x, y])
        // Two codes: colors and their mixture are rounded.
        #expect(error(front.red, back.red, original.red) <= 2)
        #expect(error(front.green, back.green, original.green) <= 2)
        #expect(error(front.blue, back.blue, original.blue) <= 2)
        if opacity[x, y] == 0 { #expect(front == RGB8(red: 0, green: 0, blue: 0)) }
      }
    }
  }

  @Test("Freed edges are nearer to the foreground's true color, by far")
  func decontaminates() throws {
    let front = RGB8(red: 220, green: 160, blue: 60)
    let (photo, coverage) = mixture(
      front: front, back: RGB8(red: 30, green: 90, blue: 200), softPixels: 8)
    func error(_ decontaminates: Bool) throws -> Double {
      let cut = try BackgroundEffect(
        .transparent, foreground: mask, decontaminatesEdges: decontaminates
      ).applied(to: scene(photo, coverage))
      let edge = zip(cut.color.samples, coverage.samples).filter { $0.1 > 20 && $0.1 < 235 }
      let sum = edge.reduce(0) {
        $0 + abs(Int($1.0.red) - 220) + abs(Int($1.0.green) - 160) + abs(Int($1.0.blue) - 60)
      }
      return Double(sum) / Double(3 * edge.count)
    }
    let (freed, plain) = (try error(true), try error(false))
    #expect(freed < 3)
    #expect(freed < plain / 10)
  }

  @Test("An image behind covers the photo from its middle")
  func covers() throws {
    let (photo, _) = mixture(
      front: RGB8(red: 0, green: 0, blue: 0), back: RGB8(red: 0, green: 0, blue: 0), softPixels: 1)
    let none = Raster<UInt8>(size: size, repeating: 0)
    // Twice as wide as it must be: the outer quarters are cut.
    let image = Raster<RGB8>(size: RasterSize(width: 128, height: 48)) { x, _ in
      RGB8(red: UInt8(x), green: 0, blue: 0)
    }
    let result = try BackgroundEffect(.image(image), foreground: mask)
      .applied(to: scene(photo, none))
    for x in 0..<64 { #expect(Int(result.color[x, 20].red) == x + 32) }
  }

  @Test("A blurred background holds nothing of the foreground")
  func blursBackground() throws {
    let back = RGB8(red: 30, green: 90, blue: 200)
    let (photo, coverage) = mixture(
      front: RGB8(red: 255, green: 255, blue: 0), back: back, softPixels: 2)
    let behind = BlurredBackground.made(photo, coverage, sigmaPercent: 5, threads: 2)
    #expect(
      behind.samples.allSatisfy { abs(Int($0.red) - 30) <= 2 && abs(Int($0.blue) - 200) <= 2 })
  }

  @Test("Any size and any disparity give an image, the same for any threads")
  func hostile() throws {
    for (index, size) in RandomScenes.sizes.enumerated() {
      let scene = RandomScenes.hostile(size, seed: UInt64(index), isMetric: index % 2 == 0)
      for background in [
        BackgroundEffect.Background.transparent, .color(RGB8(red: 1, green: 2, blue: 3)),
        .image(scene.color), .blurred(sigmaPercent: 3),
      ] {
        let effect = BackgroundEffect(background)
        let (one, three) = (
          try effect.applied(to: scene, threads: 1), try effect.applied(to: scene, threads: 3)
        )
        #expect(one.color.size == size)
        #expect(one.color == three.color)
      }
    }
  }

  @Test("Refuses blurs beyond sense, empty images and photos without any depth")
  func refuses() {
    let scene = RandomScenes.steps(size, seed: 1)
    func reason(_ effect: BackgroundEffect, _ scene: EffectScene) -> EffectError.Reason? {
      #expect(throws: EffectError.self) { try effect.applied(to: scene) }?.reason
    }
    #expect(reason(BackgroundEffect(.blurred(sigmaPercent: .nan)), scene) == .outOfRange)
    #expect(reason(BackgroundEffect(.blurred(sigmaPercent: 21)), scene) == .outOfRange)
    let empty = Raster<RGB8>(size: RasterSize(width: 0, height: 5), samples: [])
    #expect(reason(BackgroundEffect(.image(empty)), scene) == .mismatch)
    var blind = scene
    blind.disparity = Raster(size: size, repeating: .nan)
    #expect(reason(BackgroundEffect(.transparent), blind) == .missing)
  }

  @Test("Filling keeps what is known and continues it")
  func completes() {
    var random = SeededGenerator(seed: 4)
    let color = RandomScenes.color(size, &random)
    let known = (0..<size.pixelCount).map { _ in UInt8.random(in: 0...1, using: &random) }
    let disparity = (0..<size.pixelCount).map { _ in Float.random(in: 1...2, using: &random) }
    let filled = BackgroundCompletion.completed(
      color: color, disparity: disparity, known: known, threads: 2)
    for index in known.indices {
      if known[index] == 1 {
        #expect(filled.color.samples[index] == color.samples[index])
        #expect(filled.disparity[index] == disparity[index])
      } else {
        #expect(filled.disparity[index] >= 1 && filled.disparity[index] <= 2)
      }
    }
    let plain = BackgroundCompletion.completed(
      color: Raster(size: size, repeating: RGB8(red: 9, green: 8, blue: 7)), disparity: disparity,
      known: known, threads: 1)
    #expect(plain.color.samples.allSatisfy { $0 == RGB8(red: 9, green: 8, blue: 7) })
  }
}
