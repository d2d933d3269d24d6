/// Colors for positions between near and far; near is red, yellow or white.
///
/// Turbo and viridis are the published tables, sampled at 33 positions with linear interpolation,
/// which is within 2/255 of the full tables. The viewer's `colormaps.js` has the same numbers; a
/// test compares them.
public enum ColorMap: String, CaseIterable, Hashable, Sendable {
  /// A rainbow of even brightness steps: red near, over yellow and green, dark blue far.
  ///
  /// - Source: A. Mikhailov, *Turbo, An Improved Rainbow Colormap for Visualization*, Google, 2019
  ///   (Apache-2.0).
  case turbo
  /// Yellow near, through green, to dark violet far; readable with red-green color blindness.
  ///
  /// - Source: S. van der Walt, N. Smith, *viridis*, matplotlib, 2015 (CC0).
  case viridis
  /// The classic rainbow, as in Apple's sample app: dark red near, dark blue far.
  ///
  /// - Source: three trapezoids of slope 4, centered at 3/4 (red), 1/2 (green) and 1/4 (blue), as
  ///   in MATLAB's `jet`; a formula, hence without a license.
  case jet
  /// White near, black far, in equal steps of the stored code.
  case gray

  /// 256 colors from the near end to the far end; O(1).
  public var colors: [RGB8] {
    switch self {
    case .turbo: Self.turboColors
    case .viridis: Self.viridisColors
    case .jet: Self.jetColors
    case .gray: Self.grayColors
    }
  }

  private static let turboColors = colors(knots: turboKnots)
  private static let viridisColors = colors(knots: viridisKnots)
  private static let jetColors = colors { place in
    func code(_ center: Double) -> UInt8 {
      UInt8((255 * min(max(1.5 - abs(4 * place - center), 0), 1)).rounded())
    }
    return RGB8(red: code(3), green: code(2), blue: code(1))
  }
  private static let grayColors = colors { place in
    let code = UInt8((255 * place).rounded())
    return RGB8(red: code, green: code, blue: code)
  }

  /// Calls a function for 256 positions from 1 (near) to 0 (far).
  private static func colors(_ colorAt: (_ place: Double) -> RGB8) -> [RGB8] {
    (0..<256).map { colorAt(Double(255 - $0) / 255) }
  }

  private static func colors(knots: [UInt32]) -> [RGB8] {
    colors { place in
      let position = place * Double(knots.count - 1)
      let index = min(knots.count - 2, Int(position))
      let weight = position - Double(index)
      func mixed(_ shift: UInt32) -> UInt8 {
        let low = Double(knots[index] >> shift & 0xFF)
        let high = Double(knots[index + 1] >> shift & 0xFF)
        return UInt8((low + weight * (high - low)).rounded())
      }
      return RGB8(red: mixed(16), green: mixed(8), blue: mixed(0))
    }
  }

  /// From far to near, `0xRRGGBB`.
  private static let turboKnots: [UInt32] = [
    0x30123B, 0x392A73, 0x4040A2, 0x4456C7, 0x466BE3, 0x4680F6, 0x4293FF, 0x37A7FA, 0x28BBEC,
    0x1DCCD9, 0x18DCC3, 0x1EE8B0, 0x31F299, 0x4CF97E, 0x6BFE64, 0x8AFF4C, 0xA2FC3C, 0xB8F735,
    0xCCED34, 0xDEE037, 0xEDD03A, 0xF7C03A, 0xFDAD35, 0xFE982C, 0xFB8022, 0xF56818, 0xEC520F,
    0xE14109, 0xD23105, 0xC12302, 0xAC1701, 0x950D01, 0x7A0403,
  ]

  private static let viridisKnots: [UInt32] = [
    0x440154, 0x470D60, 0x48186A, 0x482374, 0x472D7B, 0x453781, 0x424086, 0x3E4989, 0x3B528B,
    0x375B8D, 0x33638D, 0x2F6B8E, 0x2C728E, 0x297A8E, 0x26828E, 0x23898E, 0x21908C, 0x1F978B,
    0x1F9F88, 0x21A685, 0x27AD81, 0x31B57B, 0x3EBC74, 0x4DC26C, 0x5CC863, 0x6ECE58, 0x82D34D,
    0x95D840, 0xAADC32, 0xC0DF25, 0xD5E21A, 0xEAE51A, 0xFDE725,
  ]
}

/// Colors for numbers on both sides of 0: blue below, white at 0, red above.
///
/// The five colors at the knots are this project's own; they are distinct with red-green color
/// blindness, and both sides darken equally. The viewer's `colormaps.js` has the same numbers; a
/// test compares them.
package enum DivergingColors {
  /// 256 colors from the lowest to the highest number; 0 lies between the two middle ones.
  package static let colors: [RGB8] = (0..<256).map { index in
    let position = Double(index) / 255 * Double(knots.count - 1)
    let knot = min(knots.count - 2, Int(position))
    let weight = position - Double(knot)
    func mixed(_ shift: UInt32) -> UInt8 {
      let low = Double(knots[knot] >> shift & 0xFF)
      let high = Double(knots[knot + 1] >> shift & 0xFF)
      return UInt8((low + weight * (high - low)).rounded())
    }
    return RGB8(red: mixed(16), green: mixed(8), blue: mixed(0))
  }

  private static let knots: [UInt32] = [0x123A8C, 0x5B9BE0, 0xF5F5F5, 0xE8814F, 0x8E1616]
}
