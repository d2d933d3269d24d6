import CStereoKernels

/// Draws each disparity to the plane that fits its neighborhood.
///
/// Whole disparities of a leaning surface come in steps and the noise of neighbors is their own; a
/// plane through those that differ little has neither. Missing pixels stay missing.
///
/// It works on whole numbers of 16 bits, twice as many at once as floats. Their unit is a power of
/// two of a pixel, 1/256 for up to 255 disparities and the default radius: rounding neighbors adds
/// less than 1 % of that of a pixel's own noise.
package struct PlaneSmoothing {
  /// By how much a neighbor's disparity differs at most, in pixels.
  static let tolerancePixels: Float = 1.5
  /// The farthest that a plane reaches, in pixels.
  static let largestRadiusPixels = 32

  let width: Int
  let height: Int
  /// A multiple of the step.
  let radius: Int
  /// Pixels in a unit, and the pixels of unit 0.
  package let scale: Float
  let offset: Float

  package init(width: Int, height: Int, radiusPixels: Int, disparities: Range<Int>) {
    self.width = width
    self.height = height
    let step = Int(PLB_PLANE_STEP)
    radius = min(max(radiusPixels, 0), Self.largestRadiusPixels) / step * step
    let steps = radius / step
    // The kernel's sums fit, and so does the range with a margin for slopes and for what is missing.
    let weight = max(steps * (steps + 1) * (2 * steps + 1), 1)
    let mostBySums = 32_767 / (Self.tolerancePixels * Float(weight))
    let mostByRange = 65_000 / Float(disparities.count + 16)
    var units: Float = 256
    while units > 1, units > min(mostBySums, mostByRange) { units /= 2 }
    scale = 1 / units
    offset = Float(disparities.lowerBound) + Float(disparities.count) / 2
  }

  /// Replaces each value by that of the plane at its place, so many times; `sigma`, where given, becomes
  /// what the last fit leaves of it.
  package func apply(
    to disparity: UnsafeMutablePointer<Float>, sigma: UnsafeMutablePointer<Float>? = nil,
    passes: Int = 1, threads: Int
  ) {
    guard passes > 0 else { return }
    // Strips of 32 pixels may reach beyond the end of a row.
    let stride = width + 2 * radius + 32
    let padded = MatchingMemory<Int16>(
      count: stride * (height + 2 * radius) + 32, repeating: Int16(PLB_PLANE_MISSING))
    nonisolated(unsafe) let (source, target) = (padded.base, disparity)
    for pass in 1...passes {
      nonisolated(unsafe) let sigma = pass == passes ? sigma : nil
      for y in 0..<height {
        plb_stereo_quantize(
          target + y * width, width, scale, offset, source + (y + radius) * stride + radius)
      }
      forEachPart(of: 0..<height, threads: threads) { rows in
        for y in rows {
          plb_stereo_smooth(
            source + (y + radius) * stride + radius, stride, width, Int32(radius),
            Int16(Self.tolerancePixels / scale), scale, offset, target + y * width,
            sigma.map { $0 + y * width })
        }
      }
    }
  }
}
