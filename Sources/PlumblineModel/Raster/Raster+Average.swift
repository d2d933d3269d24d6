extension Raster<RGB8> {
  /// The image with fewer pixels, each the mean of the area that it covers.
  ///
  /// Pixels in two areas count by their share: 1920×1440 becomes 256×192, which whole squares do not.
  ///
  /// Sums are of whole numbers and rounded once, half up. Means are of codes, as ``reduced(toMaximumSide:)``
  /// takes them.
  ///
  /// - Precondition: Neither side grows, and both have pixels. Cost: O(*n*) of the larger image.
  public func averaged(to target: RasterSize) -> Raster {
    precondition(
      target.width > 0 && target.height > 0 && target.width <= width && target.height <= height,
      "\(size) cannot be averaged to \(target)")
    let columns = Self.shares(of: width, in: target.width)
    let rows = Self.shares(of: height, in: target.height)
    // In units of 1/(target.width · target.height) of a pixel, an area has width · height.
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

  /// For each of `parts` equal parts of a row of pixels the pixels in it, with how much of each, in
  /// 1/`parts` of a pixel.
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
