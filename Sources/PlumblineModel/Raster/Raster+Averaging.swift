extension Raster where Sample == RGB8 {
  /// The picture at a smaller size of any ratio; O(*n*).
  ///
  /// Each pixel is the rounded mean of the part of the picture that it covers, pixels that it covers
  /// in part counting by their share, without linearization. Edges stay at edges: the corner at
  /// (−½, −½) is that of both sizes, as ``PinholeIntrinsics/scaled(to:)`` has it. Halves are rounded
  /// up, so that whole ratios give what ``reduced(toMaximumSide:)`` gives.
  /// - Precondition: Neither side is 0 or larger than the picture's.
  public func averaged(to target: RasterSize) -> Raster {
    precondition(
      (1...max(width, 1)).contains(target.width) && (1...max(height, 1)).contains(target.height),
      "\(size) cannot be averaged to \(target)")
    if target == size { return packed }
    let columns = Self.shares(from: width, to: target.width)
    let rows = Self.shares(from: height, to: target.height)
    // Shares of one pixel add up to the sides of the picture, so all of them to its pixels.
    let total = UInt64(width) * UInt64(height)
    // 255 · height fits 32 bits, since no picture has 16 million rows.
    var columnSums = [UInt32](repeating: 0, count: 3 * width)
    let averages = [RGB8](unsafeUninitializedCapacity: target.pixelCount) { result, count in
      samples.withUnsafeBytes { bytes in
        for row in rows {
          for index in columnSums.indices { columnSums[index] = 0 }
          for (offset, share) in row.shares.enumerated() {
            let line = UnsafeRawBufferPointer(
              rebasing: bytes[(3 * (row.first + offset) * rowStride)...])
            columnSums.withUnsafeMutableBufferPointer { sums in
              for index in 0..<sums.count { sums[index] &+= UInt32(line[index]) &* share }
            }
          }
          for column in columns {
            var sum = SIMD3<UInt64>(repeating: total / 2)
            for (offset, share) in column.shares.enumerated() {
              let index = 3 &* (column.first &+ offset)
              sum.x &+= UInt64(columnSums[index]) &* UInt64(share)
              sum.y &+= UInt64(columnSums[index &+ 1]) &* UInt64(share)
              sum.z &+= UInt64(columnSums[index &+ 2]) &* UInt64(share)
            }
            result[count] = RGB8(
              red: UInt8(truncatingIfNeeded: sum.x / total),
              green: UInt8(truncatingIfNeeded: sum.y / total),
              blue: UInt8(truncatingIfNeeded: sum.z / total))
            count &+= 1
          }
        }
      }
    }
    return Raster(size: target, samples: averages)
  }

  /// For each of the new pixels of a side the old ones that it covers, and how much of each.
  ///
  /// The side is cut into `old · new` equal parts: an old pixel has `new` of them, a new one `old`.
  private static func shares(from old: Int, to new: Int) -> [(first: Int, shares: [UInt32])] {
    (0..<new).map { pixel in
      let parts = pixel * old..<(pixel + 1) * old
      let covered = parts.lowerBound / new...(parts.upperBound - 1) / new
      let shares = covered.map { source in
        UInt32(parts.clamped(to: source * new..<(source + 1) * new).count)
      }
      return (covered.lowerBound, shares)
    }
  }
}
