import PlumblineModel
import Testing

@testable import PlumblineEffects

/// A bright light far from the focus becomes a disc, in linear light.
@Suite struct HighlightTests {
  private static let size = RasterSize(width: 160, height: 160)
  /// Pixels along a side of the light.
  private static let side = 5
  private static let middle = SIMD2(80.0, 80.0)

  // The linear light of a blurred black photo with one light of a color, 1 being white; `radius` is that of
  // its disc in pixels, `gain` the headroom of a gain map that is white on the light.
  private static func blurred(radius: Double, code: UInt8, gain: Double?) throws -> Raster<Float> {
    try blurred(radius: radius, color: RGB8(red: code, green: code, blue: code), gain: gain)
  }

  private static func blurred(radius: Double, color own: RGB8, gain: Double?) throws -> Raster<
    Float
  > {
    func isLight(_ x: Int, _ y: Int) -> Bool { abs(x - 80) <= side / 2 && abs(y - 80) <= side / 2 }
    let color = Raster<RGB8>(size: size) { x, y in
      isLight(x, y) ? own : RGB8(red: 0, green: 0, blue: 0)
    }
    // 160 px · 36 mm / 0.6 are 4.8 pixels of radius for each 1/m.
    var scene = EffectScene(
      color: color, disparity: Raster(size: size, repeating: Float(radius / 4.8)), isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [160, 160], principalPoint: [79.5, 79.5], size: size)
    if let gain {
      let codes = Raster<UInt8>(size: size) { x, y in isLight(x, y) ? 255 : 0 }
      scene.gainMap = SceneGainMap(GainMap(samples: .uint8(codes), headroom: gain))
    }
    var effect = BlurEffect(focus: .disparity(0), aperture: .fNumber(0.6))
    effect.largestRadius = 0.2
    let image = try effect.applied(to: scene).color
    let linear = LinearLight.shared.linear
    return image.map { Float(linear[Int($0.green)]) / 65535 }
  }

  /// The sum of the light, the radius of the disc that has its variance, and its levels within a share of
  /// that radius from the middle.
  private static func disc(_ light: Raster<Float>, within share: Double, of radius: Double) -> (
    sum: Double, radius: Double, levels: [Double]
  ) {
    var (sum, squares) = (0.0, 0.0)
    var levels: [Double] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let off = SIMD2(Double(x), Double(y)) - middle
        let (value, square) = (Double(light[x, y]), (off * off).sum())
        sum += value
        squares += value * square
        if square < share * share * radius * radius { levels.append(value) }
      }
    }
    // A disc's variance is r²/4 along each axis; the light's own is that of five pixels, 2.
    let variance = squares / sum / 2 - 2
    return (sum, 2 * max(variance, 0).squareRoot(), levels)
  }

  /// Codes cost 2 % of the light, and layers of larger cells 4 % of the radius.
  @Test(
    "A light has the diameter of the law and three times its light, a gain map's headroom instead",
    arguments: [12, 14.5, 17, 24] as [Double], [nil, 4] as [Double?])
  func diameterAndLight(radius: Double, gain: Double?) throws {
    let light = try Self.blurred(radius: radius, code: 255, gain: gain)
    let found = Self.disc(light, within: 0.5, of: radius)
    #expect(abs(found.radius / radius - 1) < 0.04, "\(found.radius) of \(radius) px")
    let wanted = 25 * (gain ?? 3)
    #expect(abs(found.sum / wanted - 1) < 0.04, "\(found.sum) of \(wanted)")
  }

  /// Between two layers' radii a light is the sum of both discs: even up to the smaller one's rim.
  @Test(
    "A light is even within the disc", arguments: [(12, 0.6), (14.5, 0.4), (17, 0.6), (24, 0.6)])
  func even(radius: Double, share: Double) throws {
    let light = try Self.blurred(radius: radius, code: 255, gain: nil)
    let levels = Self.disc(light, within: share, of: radius).levels
    let mean = levels.reduce(0, +) / Double(levels.count)
    for level in levels { #expect(abs(level / mean - 1) < 0.05, "\(level) of \(mean)") }
  }

  /// Such as sunlit skin.
  @Test("One clipped color is no lamp", arguments: [nil, 4] as [Double?])
  func oneColor(gain: Double?) throws {
    let skin = RGB8(red: 255, green: 230, blue: 210)
    let light = try Self.blurred(radius: 12, color: skin, gain: gain)
    let wanted = 25 * Double(LinearLight.shared.linear[230]) / 65535
    #expect(abs(Self.disc(light, within: 0.5, of: 12).sum / wanted - 1) < 0.04)
  }

  @Test("What is in focus keeps its light", arguments: [nil, 4] as [Double?])
  func inFocus(gain: Double?) throws {
    let light = try Self.blurred(radius: 0.9, code: 255, gain: gain)
    #expect(abs(Self.disc(light, within: 1, of: 12).sum / 25 - 1) < 0.04)
  }

  @Test("A light that is not clipped keeps its light")
  func unclipped() throws {
    let light = try Self.blurred(radius: 12, code: 230, gain: nil)
    let wanted = 25 * Double(LinearLight.shared.linear[230]) / 65535
    #expect(abs(Self.disc(light, within: 0.5, of: 12).sum / wanted - 1) < 0.04)
  }
}
