package import PlumblineModel

/// The linear light of 8-bit sRGB codes, and the codes of light.
///
/// - Source: IEC 61966-2-1; the power 12/5 comes from a fifth root by Newton's method and products, so that every
///   platform computes the same numbers.
package struct LightCodes: Sendable {
  /// The light of each code, from 0 to 1, rising.
  private let lights: [Float]
  /// The nearest code of each of 4,096 lights from 0 to 1.
  private let codes: [UInt8]

  private static let lastStep = 4095

  /// Makes the tables; O(1).
  package init() {
    let lights = (0...255).map { code -> Float in
      let share = Double(code) / 255
      guard share > 0.04045 else { return Float(share / 12.92) }
      let base = (share + 0.055) / 1.055
      var root = 1.0
      for _ in 0..<60 {
        let fourth = root * root * root * root
        root -= (root * fourth - base) / (5 * fourth)
      }
      let cube = root * root * root
      return Float(cube * cube * cube * cube)
    }
    var code = 0
    codes = (0...Self.lastStep).map { step in
      let light = Float(step) / Float(Self.lastStep)
      while code < 255, light - lights[code] > lights[code + 1] - light { code += 1 }
      return UInt8(code)
    }
    self.lights = lights
  }

  /// The linear light of a color, each part from 0 to 1.
  package func light(_ color: RGB8) -> SIMD3<Float> {
    SIMD3(lights[Int(color.red)], lights[Int(color.green)], lights[Int(color.blue)])
  }

  /// The color of a linear light; what is below 0 or above 1 is cut off, and NaN is black.
  package func color(_ light: SIMD3<Float>) -> RGB8 {
    func code(_ light: Float) -> UInt8 {
      // A NaN fails the comparison.
      guard light > 0 else { return 0 }
      return codes[Int(min(light, 1) * Float(Self.lastStep) + 0.5)]
    }
    return RGB8(red: code(light.x), green: code(light.y), blue: code(light.z))
  }

  /// A color whose light is multiplied, part by part; what becomes brighter than white is cut off.
  package func color(_ color: RGB8, multipliedBy gains: SIMD3<Float>) -> RGB8 {
    self.color(light(color) * gains)
  }
}
