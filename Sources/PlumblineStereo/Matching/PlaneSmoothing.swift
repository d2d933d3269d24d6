import CKernels

/// Fits a plane to the disparities around each pixel.
///
/// Whole disparities of a leaning surface come in steps and the noise of neighbors is their own; a
/// plane through those that differ little has neither.
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
    // The kernel's sums fit, and so does the range with a margin for slopes and for what is
    // missing.
    let weight = max(steps * (steps + 1) * (2 * steps + 1), 1)
    let mostBySums = 32_767 / (Self.tolerancePixels * Float(weight))
    let mostByRange = 65_000 / Float(disparities.count + 16)
    var units: Float = 256
    while units > 1, units > min(mostBySums, mostByRange) { units /= 2 }
    scale = 1 / units
    offset = Float(disparities.lowerBound) + Float(disparities.count) / 2
  }

  /// What one row of fits is written to; ``variance`` and ``neighbors`` are both `nil` or neither
  /// is.
  package struct Rows {
    /// By how much the plane lies above each disparity, in pixels; NaN where it is missing.
    package var shift: UnsafeMutablePointer<Float>
    /// What the fit leaves of the variance of one pixel's own noise, 0 to 1.
    package var variance: UnsafeMutablePointer<Float>?
    /// The share of the neighbors that differ little enough to be fitted.
    package var neighbors: UnsafeMutablePointer<Float>?

    package init(
      shift: UnsafeMutablePointer<Float>, variance: UnsafeMutablePointer<Float>? = nil,
      neighbors: UnsafeMutablePointer<Float>? = nil
    ) {
      self.shift = shift
      self.variance = variance
      self.neighbors = neighbors
    }
  }

  /// Calls `fit` with each row, in any order and on several threads: it is given a closure that
  /// writes that row's fits, and may change the row of `disparity` afterwards.
  package func forEachRow(
    of disparity: UnsafeMutablePointer<Float>, threads: Int,
    _ body: @Sendable (_ row: Int, _ fit: (Rows) -> Void) -> Void
  ) {
    // Strips of 32 pixels may reach beyond the end of a row.
    let stride = width + 2 * radius + 32
    let padded = MatchingMemory<Int16>(
      count: stride * (height + 2 * radius) + 32, repeating: Int16(PLB_PLANE_MISSING))
    nonisolated(unsafe) let source = padded.base
    for y in 0..<height {
      plb_stereo_quantize(
        disparity + y * width, width, scale, offset, source + (y + radius) * stride + radius)
    }
    forEachPart(of: 0..<height, threads: threads) { rows in
      for y in rows {
        body(y) { target in
          plb_stereo_smooth(
            source + (y + radius) * stride + radius, stride, width, Int32(radius),
            Int16(Self.tolerancePixels / scale), scale, target.shift, target.variance,
            target.neighbors)
        }
      }
    }
  }
}
