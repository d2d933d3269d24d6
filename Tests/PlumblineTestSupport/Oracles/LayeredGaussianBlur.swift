package import PlumblineModel

/// The plain way to blur by depth, kept as the oracle: pixels parted into layers of like blur, each
/// layer blurred by a Gaussian and laid over those behind it, in linear light.
///
/// Nothing is known of what lies behind edges, so layers are transparent there and the sum is divided
/// by what is covered: the halo that better ways are measured by.
package struct LayeredGaussianBlur: Sendable {
  /// The disparity that is sharp.
  package var focus: Double
  /// The radius of the blur circle in pixels for a disparity of 1 beside the focus.
  package var pixelsPerDisparity: Double
  /// How many layers part the radii of the photo evenly.
  package var layers: Int

  /// Creates the blur.
  package init(focus: Double, pixelsPerDisparity: Double, layers: Int = 16) {
    self.focus = focus
    self.pixelsPerDisparity = pixelsPerDisparity
    self.layers = layers
  }

  /// The blurred photo; O(pixels · layers · radius).
  package func blurred(_ color: Raster<RGB8>, disparity: Raster<Float>) -> Raster<RGB8> {
    let size = color.size
    let radii = disparity.packed.samples.map {
      Float(pixelsPerDisparity * (Double($0) - focus))
    }
    let (least, most) = (radii.min() ?? 0, radii.max() ?? 0)
    let step = (most - least) / Float(layers)
    let curve = (0..<256).map { Self.linear(Double($0) / 255) }
    var result = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
    for layer in 0..<layers {
      let low = least + Float(layer) * step
      var light = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
      for (index, radius) in radii.enumerated()
      where min(Int((radius - least) / max(step, 1e-9)), layers - 1) == layer {
        let pixel = color.samples[index / size.width * color.rowStride + index % size.width]
        light[index] = SIMD4(
          curve[Int(pixel.red)], curve[Int(pixel.green)], curve[Int(pixel.blue)], 1)
      }
      // A disc of radius r has the variance r²/4 along each axis.
      light = Self.gaussian(light, size, sigma: abs(low + step / 2) / 2)
      for index in result.indices {
        result[index] = result[index] * (1 - light[index].w) + light[index]
      }
    }
    return Raster(size: size) { x, y in
      let sum = result[y * size.width + x]
      func code(_ value: Float) -> UInt8 {
        let light = Double(min(max(value / max(sum.w, 1e-6), 0), 1))
        return UInt8(Self.encoded(light) * 255 + 0.5)
      }
      return RGB8(red: code(sum.x), green: code(sum.y), blue: code(sum.z))
    }
  }

  private static func gaussian(
    _ light: [SIMD4<Float>], _ size: RasterSize, sigma: Float
  ) -> [SIMD4<Float>] {
    let reach = Int((3 * sigma).rounded(.up))
    guard reach > 0, sigma > 0.2 else { return light }
    var weights = (-reach...reach).map { offset in
      Float(portable(-Double(offset * offset) / Double(2 * sigma * sigma)))
    }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    func pass(_ source: [SIMD4<Float>], _ step: Int, _ place: (Int) -> Int, _ count: Int)
      -> [SIMD4<Float>]
    {
      source.indices.map { index in
        let here = place(index)
        var value = SIMD4<Float>.zero
        for (tap, weight) in weights.enumerated() {
          let at = min(max(here + tap - reach, 0), count - 1)
          value += source[index + (at - here) * step] * weight
        }
        return value
      }
    }
    let across = pass(light, 1, { $0 % size.width }, size.width)
    return pass(across, size.width, { $0 / size.width }, size.height)
  }

  /// `e` to a power that is not above 0, by squaring a short series.
  private static func portable(_ power: Double) -> Double {
    var value = 1 + power / 1024 + power * power / (2 * 1024 * 1024)
    for _ in 0..<10 { value *= value }
    return value
  }

  /// sRGB by a table of its own, so that the oracle shares nothing with what it tests.
  private static func linear(_ code: Double) -> Float {
    if code <= 0.04045 { return Float(code / 12.92) }
    // The root of y = encoded(x), by halving.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if encoded(middle) < code { low = middle } else { high = middle }
    }
    return Float((low + high) / 2)
  }

  /// - Source: IEC 61966-2-1; `x^(1/2.4)` is `x^(1/4)·x^(1/6)`.
  private static func encoded(_ linear: Double) -> Double {
    guard linear > 0.0031308 else { return 12.92 * linear }
    let root = linear.squareRoot()
    var cube = root.squareRoot()
    for _ in 0..<8 { cube -= (cube - root / (cube * cube)) / 3 }
    return 1.055 * root.squareRoot() * cube - 0.055
  }
}
