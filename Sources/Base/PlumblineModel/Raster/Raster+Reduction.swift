extension Raster where Sample == RGB8 {
  /// The image reduced by an integer factor so that its longer side fits; O(*n*).
  ///
  /// Each pixel is the rounded mean of a square of stored pixels, without linearization: suitable
  /// for a preview, not for measuring light. Columns and rows that do not fill a square are
  /// dropped, which is less than one pixel of the result. If no square of up to 256 × 256 pixels
  /// inside the image gives this size, for example for a very narrow image, the image is returned
  /// unchanged.
  /// - Precondition: `maximumSide` is at least 1.
  public func reduced(toMaximumSide maximumSide: Int) -> Raster {
    precondition(maximumSide >= 1, "an image cannot have \(maximumSide) pixels")
    let longer = max(width, height)
    let factor = (longer + maximumSide - 1) / maximumSide
    // A narrow image without a square of that side is returned unchanged, whatever its pixel count.
    guard factor > 1, factor <= 256, min(width, height) >= factor else { return packed }
    let target = RasterSize(width: width / factor, height: height / factor)
    let area = UInt32(factor * factor)
    // One multiplication replaces three divisions per pixel; it is exact for all sums of 8-bit
    // samples in squares of up to 256 × 256, since 2^40 / area is rounded up.
    let reciprocal = (UInt64(1) << 40) / UInt64(area) + 1
    let samplesPerRow = 3 * factor * target.width
    // Rows are summed first: that loop accesses adjacent memory and is vectorized. A column of 256
    // samples of 8 bits still fits 16 bits.
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

extension Raster<RGB8> {
  /// Downscales the image; each pixel is the mean of the area that it covers.
  ///
  /// A pixel in two areas counts in each by its fraction, so 1920×1440 can become 256×192, which is
  /// not possible with whole squares.
  ///
  /// Sums are integers and are rounded once, half up. Means are those of the stored codes, as in
  /// ``reduced(toMaximumSide:)``.
  ///
  /// - Precondition: Neither side grows, and both sizes have pixels. Cost: O(*n*) of the larger
  ///   image.
  package func averaged(to target: RasterSize) -> Raster {
    precondition(
      target.width > 0 && target.height > 0 && target.width <= width && target.height <= height,
      "\(size) cannot be averaged to \(target)")
    let columns = Self.shares(of: width, in: target.width)
    let rows = Self.shares(of: height, in: target.height)
    // In units of 1/(target.width · target.height) of a pixel, an area measures width · height.
    let area = UInt64(width) * UInt64(height)
    var sums = [UInt64](repeating: 0, count: 3 * target.width)
    let averaged = [RGB8](unsafeUninitializedCapacity: target.pixelCount) { result, count in
      for row in rows {
        for index in sums.indices { sums[index] = 0 }
        for (y, rowShare) in row {
          for (x, column) in columns.enumerated() {
            for (place, share) in column {
              let pixel = samples[y * rowStride + place]
              let weight = rowShare &* share
              sums[3 * x] &+= weight &* UInt64(pixel.red)
              sums[3 * x + 1] &+= weight &* UInt64(pixel.green)
              sums[3 * x + 2] &+= weight &* UInt64(pixel.blue)
            }
          }
        }
        for x in 0..<target.width {
          func mean(_ sum: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: (sum + area / 2) / area) }
          result[count] = RGB8(
            red: mean(sums[3 * x]), green: mean(sums[3 * x + 1]), blue: mean(sums[3 * x + 2]))
          count += 1
        }
      }
    }
    return Raster(size: target, samples: averaged)
  }

  /// Divides a row of pixels into `parts` equal parts; for each part, the pixels in it and the
  /// fraction of each, in units of 1/`parts` of a pixel.
  private static func shares(of count: Int, in parts: Int) -> [[(place: Int, share: UInt64)]] {
    (0..<parts).map { part in
      let (start, end) = (part * count, (part + 1) * count)
      return (start / parts...(end - 1) / parts).map { place in
        let share = min(end, (place + 1) * parts) - max(start, place * parts)
        return (place, UInt64(share))
      }
    }
  }
}
