internal import CKernels
internal import PlumblineModel

/// Which pixels are darker than their surroundings, in a frame of one light pixel.
///
/// The limit lies halfway, or another part of the way, between the darkest and the brightest sample of the 12 × 12 pixels around
/// each tile of 4 × 4, which follows uneven light; tiles without contrast are light throughout.
/// - Source: the tiles of E. Olson et al., AprilTag 2 and 3; the contrast demanded follows the noise.
struct BinaryImage {
  /// 1 for dark, 0 for light; rows of `width + 2` marks.
  private(set) var marks: [UInt8]
  /// The size without the frame.
  let size: RasterSize
  private var offset = 0
  private var points: [UInt16]

  /// Marks the dark pixels; O(*n*).
  ///
  /// A limit nearer to the bright end holds a blurred marker's border together beside white cells,
  /// one in the middle keeps it apart from black squares close by.
  /// Columns and rows that fill no tile take the limits of the last one.
  /// - Precondition: Both sides are from 4 to 60,000 pixels.
  init(_ luma: Raster<UInt8>, leastContrast: Int = 10, brightPercent: Int = 50) {
    let (width, height) = (luma.width, luma.height)
    precondition(min(width, height) >= 4 && max(width, height) <= 60_000, "\(luma.size)")
    size = luma.size
    let tiles = TileExtremes(luma)
    let contrast = max(leastContrast, min(tiles.noiseContrast, 40))
    let limits = tiles.limits(leastContrast: contrast, brightPercent: brightPercent)
    let stride = width + 2
    var marks = [UInt8](repeating: 0, count: stride * (height + 2))
    var rowLimits = [UInt8](repeating: 0, count: width)
    marks.withUnsafeMutableBufferPointer { marks in
      rowLimits.withUnsafeMutableBufferPointer { rowLimits in
        luma.samples.withUnsafeBufferPointer { samples in
          guard let source = samples.baseAddress, let limit = rowLimits.baseAddress,
            let target = marks.baseAddress
          else { return }
          for y in 0..<height {
            if y % 4 == 0 && y / 4 < tiles.rows {
              let row = y / 4 * tiles.columns
              for x in 0..<tiles.columns * 4 { rowLimits[x] = limits[row &+ x &>> 2] }
              for x in tiles.columns * 4..<max(width, tiles.columns * 4) {
                rowLimits[x] = limits[row + tiles.columns - 1]
              }
            }
            plb_darker(
              source + y * luma.rowStride, limit, width, target + (y + 1) * stride + 1)
          }
        }
      }
    }
    self.marks = marks
    points = [UInt16](repeating: 0, count: 2 * Self.longestBorder(luma.size))
  }

  /// The number of steps around a shape as large as the image, with some ruggedness.
  private static func longestBorder(_ size: RasterSize) -> Int { 3 * (size.width + size.height) }

  /// Hands out the next border's points in order, in pixels of the image; `false` at the end.
  mutating func nextBorder(
    ofAtLeast shortest: Int, _ body: (UnsafeBufferPointer<UInt16>) -> Void
  ) -> Bool {
    let capacity = points.count / 2
    return marks.withUnsafeMutableBufferPointer { marks in
      points.withUnsafeMutableBufferPointer { points in
        guard let mark = marks.baseAddress, let point = points.baseAddress else { return false }
        let count = plb_next_border(
          mark, size.width, size.height, &offset, shortest, capacity, point)
        guard count > 0 else { return false }
        body(UnsafeBufferPointer(start: point, count: 2 * count))
        return true
      }
    }
  }
}

/// The darkest and brightest sample of each tile of 4 × 4 pixels.
struct TileExtremes {
  let columns: Int
  let rows: Int
  private var low: [UInt8]
  private var high: [UInt8]

  init(_ luma: Raster<UInt8>) {
    let (columns, rows) = (luma.width / 4, luma.height / 4)
    self.columns = columns
    self.rows = rows
    low = [UInt8](repeating: 0, count: columns * rows)
    high = low
    var scratch = [UInt8](repeating: 0, count: 8 * columns)
    luma.samples.withUnsafeBufferPointer { samples in
      low.withUnsafeMutableBufferPointer { low in
        high.withUnsafeMutableBufferPointer { high in
          scratch.withUnsafeMutableBufferPointer { scratch in
            guard let source = samples.baseAddress, let low = low.baseAddress,
              let high = high.baseAddress, let scratch = scratch.baseAddress
            else { return }
            for row in 0..<rows {
              plb_tile_extremes(
                source + 4 * row * luma.rowStride, luma.rowStride, columns, low + row * columns,
                high + row * columns, scratch)
            }
          }
        }
      }
    }
  }

  /// The contrast that noise alone reaches in 12 × 12 pixels, from the calmest fifth of the tiles.
  ///
  /// The range of 16 normal samples is 3.5 σ, of 144 samples 5.3 σ on average and rarely 7.5 σ, so
  /// that twice the range of a calm tile is seldom reached.
  /// - Source: L. Tippett, On the extreme individuals and the range of samples, 1925.
  var noiseContrast: Int {
    var counts = [Int](repeating: 0, count: 256)
    for index in low.indices { counts[Int(high[index] &- low[index])] += 1 }
    var seen = 0
    for range in counts.indices {
      seen += counts[range]
      if seen * 5 >= low.count { return 2 * range }
    }
    return 0
  }

  /// So much of the way from dark to bright around each tile; 0 where the contrast is less than
  /// demanded.
  func limits(leastContrast: Int, brightPercent: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: low.count)
    var lowest = [UInt8](repeating: 0, count: columns)
    var highest = lowest
    for row in 0..<rows {
      let above = max(row - 1, 0) * columns
      let here = row * columns
      let below = min(row + 1, rows - 1) * columns
      for x in 0..<columns {
        lowest[x] = min(low[above &+ x], low[here &+ x], low[below &+ x])
        highest[x] = max(high[above &+ x], high[here &+ x], high[below &+ x])
      }
      for x in 0..<columns {
        let (left, right) = (max(x &- 1, 0), min(x &+ 1, columns &- 1))
        let dark = Int(min(lowest[left], lowest[x], lowest[right]))
        let bright = Int(max(highest[left], highest[x], highest[right]))
        let limit = (dark * (100 - brightPercent) + bright * brightPercent + 50) / 100
        result[here &+ x] = bright - dark >= leastContrast ? UInt8(truncatingIfNeeded: limit) : 0
      }
    }
    return result
  }
}
