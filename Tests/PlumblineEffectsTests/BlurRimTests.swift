import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineEffects

/// A soft edge between two even surfaces, as of defocused fur before a wall: what a lens of another opening
/// shows of it is known exactly.
@Suite struct BlurRimTests {
  private static let size = RasterSize(width: 128, height: 80)
  /// The edge lies between two columns, and is soft so many pixels to each side.
  private static let edge = 63.5
  private static let softness = 5.0
  /// Disparities, and the focus: the front is blurred by a radius of 1.4 pixels, the back by 8.6.
  private static let (near, far, focus) = (3.5, 1.0, 4.0)
  private static let number = 0.8

  struct Pair: Sendable, CustomTestStringConvertible {
    var name: String
    var front: RGB8
    var back: RGB8
    var testDescription: String { name }
  }

  static let pairs = [
    Pair(
      name: "dark before bright", front: RGB8(red: 34, green: 30, blue: 28),
      back: RGB8(red: 190, green: 184, blue: 172)),
    Pair(
      name: "bright before dark", front: RGB8(red: 214, green: 180, blue: 160),
      back: RGB8(red: 40, green: 52, blue: 60)),
    Pair(
      name: "colors of like brightness", front: RGB8(red: 170, green: 90, blue: 60),
      back: RGB8(red: 70, green: 120, blue: 130)),
  ]

  private static func share(_ x: Double) -> Double {
    min(max((edge + softness - x) / (2 * softness), 0), 1)
  }

  /// The code of the light of both surfaces.
  private static func code(_ pair: Pair, _ share: Double) -> SIMD3<Double> {
    func mixed(_ front: UInt8, _ back: UInt8) -> Double {
      let tables = LinearLight.shared
      let light =
        share * Double(tables.linear[Int(front)]) + (1 - share) * Double(tables.linear[Int(back)])
      return Double(tables.codes[Int(light.rounded())])
    }
    return SIMD3(
      mixed(pair.front.red, pair.back.red), mixed(pair.front.green, pair.back.green),
      mixed(pair.front.blue, pair.back.blue))
  }

  /// The photo with the map of a phone: cells of 4 pixels, smooth over two and a half, off by 2 pixels.
  private static func scene(_ pair: Pair) throws -> EffectScene {
    var random = SeededGenerator(seed: 11)
    var capture = Capture(source: CaptureSource())
    capture.color = Raster(size: size) { x, _ in
      // Noise of ±2 codes, as of a photo.
      let codes = code(pair, share(Double(x)))
      func noisy(_ code: Double) -> UInt8 {
        UInt8(min(max(code + Double(random.integer(below: 5)) - 2, 0), 255))
      }
      return RGB8(red: noisy(codes.x), green: noisy(codes.y), blue: noisy(codes.z))
    }
    capture.colorSize = size
    let map = Raster<Float>(size: RasterSize(width: size.width / 4, height: size.height / 4)) {
      x, _ in
      let middle = 4 * Double(x) + 1.5 + 2
      let nearer = min(max((edge - middle) / 10 + 0.5, 0), 1)
      return Float(far + nearer * (near - far))
    }
    capture.depth = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: map)), storedType: "fdis",
      accuracy: .absolute)
    var scene = try EffectScene.prepared(from: capture, effect: "blur", threads: 2)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [128, 128], principalPoint: [63.5, 39.5], size: size)
    return scene
  }

  /// Surfaces that share a pixel share its light, so that dark ones cover no less than bright ones.
  @Test(arguments: pairs) func coverageIsThatOfLight(pair: Pair) throws {
    let coverage = try #require(try Self.scene(pair).edgeCoverage)
    var sum = 0.0
    for y in 10..<70 {
      for x in 59..<69 {
        sum += Double(coverage[x, y]) / 255 - Self.share(Double(x))
      }
    }
    // With the sign. Stored codes would give −0.14 for dark before bright and 0.12 the other way round, light
    // 0, and the power between them, at which photos have the least errors, ±0.045.
    let bias = sum / 600
    #expect(abs(bias) < 0.06, "\(bias)")
  }

  /// Within four pixels on either side of the edge the blurred photo is neither brighter nor darker.
  @Test(arguments: pairs) func softEdgeHasNoRim(pair: Pair) throws {
    let scene = try Self.scene(pair)
    var effect = BlurEffect(focus: .disparity(Self.focus), aperture: .fNumber(Self.number))
    effect.largestRadius = 0.2
    let blurred = try effect.applied(to: scene).color
    // 128 px · 36 mm / f-number, half of it, for each 1/m.
    let radius = 128 * 36 / Self.number / 2000 * (Self.focus - Self.near)
    var rim = 0.0
    var largest = 0.0
    for x in 60..<68 {
      let wanted = Self.code(pair, Self.blurredShare(Double(x), radius))
      var mean = SIMD3<Double>.zero
      for y in 20..<60 {
        let pixel = blurred[x, y]
        mean += SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue)) / 40
      }
      let off = mean - wanted
      rim += off.sum() / 24
      largest = max(largest, abs(off.x), abs(off.y), abs(off.z))
    }
    // In codes: the first of all eight columns, the second of the worst one.
    #expect(abs(rim) < 3, "\(rim)")
    #expect(largest < 9, "\(largest)")
  }

  /// The share blurred by a disc, a line of which has the weight √(r² − t²).
  private static func blurredShare(_ x: Double, _ radius: Double) -> Double {
    var (sum, weights) = (0.0, 0.0)
    for step in -50...50 {
      let place = Double(step) / 50
      let weight = (1 - place * place).squareRoot()
      sum += weight * share(x + radius * place)
      weights += weight
    }
    return sum / weights
  }
}
