/// Some rows of a raster inside a border, one band after the other.
///
/// A band and what is made of it stay in the second-level cache, where a padded copy of the whole
/// raster goes through memory twice.
struct PaddedBand {
  /// How many rows it holds, besides those of the border.
  let rows: Int
  /// The distance between two rows, in samples.
  let stride: Int
  /// The index of its first pixel.
  let origin: Int
  private(set) var samples: [Float]
  private let width, border: Int
  private let value: Float

  /// Makes room; `value` is what stands in the border.
  init(width: Int, border: Int, value: Float) {
    // 32 rows of 640 pixels are 82 kB. Wide borders want more rows, since each band loads them anew.
    rows = max(32, 4 * border)
    stride = width + 2 * border
    origin = border * stride + border
    // Kernels take 16 pixels at a time and may read so many past the end of a row.
    samples = [Float](repeating: value, count: stride * (rows + 2 * border) + 16)
    self.width = width
    self.border = border
    self.value = value
  }

  /// Loads the band that starts at row `top`.
  ///
  /// `copy` writes row `y` of the raster, for all rows that it has. Cost: the samples.
  mutating func load(
    top: Int, height: Int, copy: (_ y: Int, _ target: UnsafeMutablePointer<Float>) -> Void
  ) {
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      for line in 0..<min(rows, height - top) + 2 * border {
        let y = top - border + line
        let target = start + line * stride + border
        if (0..<height).contains(y) {
          copy(y, target)
        } else {
          target.update(repeating: value, count: width)
        }
      }
    }
  }
}
