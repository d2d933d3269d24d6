extension Raster where Sample == RGB8 {
  /// The image reduced by a whole factor so that its longer side fits; O(*n*).
  ///
  /// Each pixel is the rounded mean of a square of stored ones, without linearization: right for a
  /// preview, not for measuring light. Columns and rows that do not fill a square are left out,
  /// which is less than one pixel of the result. An image that no square of up to 256 × 256 pixels
  /// can reduce so far, such as a ribbon, comes back as it is.
  /// - Precondition: `maximumSide` is at least 1.
  public func reduced(toMaximumSide maximumSide: Int) -> Raster {
    precondition(maximumSide >= 1, "an image cannot have \(maximumSide) pixels")
    let longer = max(width, height)
    let factor = (longer + maximumSide - 1) / maximumSide
    // A ribbon that has no square of that side stays as it is, and so does one of 100 megapixels.
    guard factor > 1, factor <= 256, min(width, height) >= factor else { return packed }
    let target = RasterSize(width: width / factor, height: height / factor)
    let area = UInt32(factor * factor)
    // A multiplication in place of three divisions per pixel: exact for all sums of 8-bit samples
    // in squares of up to 256 × 256, since 2^40 / area is rounded up.
    let reciprocal = (UInt64(1) << 40) / UInt64(area) + 1
    let samplesPerRow = 3 * factor * target.width
    // Rows are added first: that loop runs over neighbors in memory and is vectorized. A column
    // of 256 samples of 8 bits still fits 16 bits.
    var columnSums = [UInt16](repeating: 0, count: samplesPerRow)
    let reduced = [RGB8](unsafeUninitializedCapacity: target.pixelCount) { result, count in
      samples.withUnsafeBytes { bytes in
        for y in 0..<target.height {
          for index in 0..<samplesPerRow { columnSums[index] = 0 }
          for row in y * factor..<(y + 1) * factor {
            let line = UnsafeRawBufferPointer(rebasing: bytes[(3 * row * rowStride)...])
            columnSums.withUnsafeMutableBufferPointer { sums in
              for index in 0..<samplesPerRow { sums[index] &+= UInt16(line[index]) }
            }
          }
          columnSums.withUnsafeBufferPointer { sums in
            for column in 0..<target.width {
              var sum = SIMD3<UInt32>(repeating: area / 2)
              for index in column &* factor..<(column &+ 1) &* factor {
                sum.x &+= UInt32(sums[3 &* index])
                sum.y &+= UInt32(sums[3 &* index &+ 1])
                sum.z &+= UInt32(sums[3 &* index &+ 2])
              }
              func mean(_ sum: UInt32) -> UInt8 {
                UInt8(truncatingIfNeeded: (UInt64(sum) &* reciprocal) >> 40)
              }
              result[count] = RGB8(red: mean(sum.x), green: mean(sum.y), blue: mean(sum.z))
              count &+= 1
            }
          }
        }
      }
    }
    return Raster(size: target, samples: reduced)
  }
}
