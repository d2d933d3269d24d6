extension Raster where Sample == RGB8 {
  /// The picture reduced by a whole factor so that its longer side fits; O(*n*).
  ///
  /// Each pixel is the rounded mean of a square of stored ones, without linearization: right for a
  /// preview, not for measuring light. Columns and rows that do not fill a square are left out,
  /// which is less than one pixel of the result.
  /// - Precondition: `maximumSide` is at least 1.
  public func reduced(toMaximumSide maximumSide: Int) -> Raster {
    precondition(maximumSide >= 1, "a picture cannot have \(maximumSide) pixels")
    let longer = max(width, height)
    let factor = (longer + maximumSide - 1) / maximumSide
    guard factor > 1, min(width, height) >= factor else { return packed }
    let target = RasterSize(width: width / factor, height: height / factor)
    let area = UInt32(factor * factor)
    // A multiplication in place of three divisions per pixel: exact for all sums of 8-bit samples
    // in squares of up to 256 × 256, since 2^40 / area is rounded up.
    let reciprocal = (UInt64(1) << 40) / UInt64(area) + 1
    var result = Raster(size: target, repeating: RGB8(red: 0, green: 0, blue: 0))
    var sums = [SIMD3<UInt32>](repeating: .zero, count: target.width)
    samples.withUnsafeBufferPointer { source in
      for y in 0..<target.height {
        for column in 0..<target.width { sums[column] = SIMD3(repeating: area / 2) }
        for row in y * factor..<(y + 1) * factor {
          var index = row &* rowStride
          for column in 0..<target.width {
            var sum = sums[column]
            for _ in 0..<factor {
              let pixel = source[index]
              sum.x &+= UInt32(pixel.red)
              sum.y &+= UInt32(pixel.green)
              sum.z &+= UInt32(pixel.blue)
              index &+= 1
            }
            sums[column] = sum
          }
        }
        for column in 0..<target.width {
          func mean(_ sum: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: (UInt64(sum) &* reciprocal) >> 40)
          }
          let sum = sums[column]
          result.samples[y &* target.width &+ column] = RGB8(
            red: mean(sum.x), green: mean(sum.y), blue: mean(sum.z))
        }
      }
    }
    return result
  }
}
