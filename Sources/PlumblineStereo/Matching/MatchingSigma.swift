/// How well the cost curves of a neighborhood place their minima: σ of a pixel disparity, before
/// smoothing, is 0.044 + 0.65 · q pixels, with q the mean of (least + ½) / rise nearby.
///
/// `least` is what the best disparity costs on all paths, `rise` how much more its dearer neighbor
/// does: curves that are deep and steep are sure. The mean is that of what smoothing joins: one
/// pixel's own q scatters more than its error does.
/// - Source: this project's choice, from the 68 % quantiles of the errors on synthetic pairs of four
///   textures with noise of 0 to 8 gray levels; tested at all of them. See Documentation/stereo.md.
struct MatchingSigma {
  static let offsetPixels: Float = 0.044
  static let scalePixels: Float = 0.65
  /// What is added to the least cost: half its unit.
  static let floor: Float = 0.5
  /// The most that q may be: beyond 6 pixels of σ a curve says no more.
  static let mostRatio: Float = 10
  /// The side of a cell in pixels; 3×3 of them give the mean.
  private static let cell = 8

  let width: Int
  let height: Int
  private var columns: Int { (width + Self.cell - 1) / Self.cell }
  private var rows: Int { (height + Self.cell - 1) / Self.cell }

  /// Turns q of each pixel into its σ, from the pixels that have a disparity; NaN for the others.
  func write(over ratios: UnsafeMutablePointer<Float>, of disparity: UnsafePointer<Float>) {
    let means = means(ratios, disparity)
    let line = MatchingMemory<Float>(unwritten: columns + 2)
    for y in 0..<height {
      let (upper, lower, share) = place(y, last: rows - 1)
      // Each end once more, so that every pixel lies between two centers.
      for i in 0..<columns {
        let (above, below) = (means[upper * columns + i], means[lower * columns + i])
        line.base[i + 1] = above + share * (below - above)
      }
      line.base[0] = line.base[1]
      line.base[columns + 1] = line.base[columns]
      let row = ratios + y * width, known = disparity + y * width
      for i in 0...columns {
        let (first, slope) = (line.base[i], line.base[i + 1] - line.base[i])
        let start = i * Self.cell - Self.cell / 2
        for x in max(start, 0)..<max(min(start + Self.cell, width), max(start, 0)) {
          let part = Float(2 * (x - start) + 1) / Float(2 * Self.cell)
          let sigma = Self.offsetPixels + Self.scalePixels * (first + part * slope)
          row[x] = known[x].isNaN ? .nan : sigma
        }
      }
    }
  }

  /// The rows of cells whose centers lie beside a pixel, and how far it is from the first to the
  /// second.
  private func place(_ pixel: Int, last: Int) -> (Int, Int, Float) {
    let half = Self.cell / 2
    let lower = max(pixel - half, 0) / Self.cell
    let share = Float(max(2 * (pixel - half - lower * Self.cell) + 1, 0)) / Float(2 * Self.cell)
    return (lower, min(lower + 1, last), share)
  }

  /// The mean q of 3×3 cells around each.
  private func means(
    _ ratios: UnsafePointer<Float>, _ disparity: UnsafePointer<Float>
  ) -> [Float] {
    let sums = MatchingMemory<Float>(count: columns * rows, repeating: 0)
    let counts = MatchingMemory<Float>(count: columns * rows, repeating: 0)
    for y in 0..<height {
      let row = ratios + y * width, known = disparity + y * width
      for i in 0..<columns {
        var (sum, count): (Float, Float) = (0, 0)
        for x in i * Self.cell..<min((i + 1) * Self.cell, width) where !known[x].isNaN {
          sum += row[x]
          count += 1
        }
        sums.base[y / Self.cell * columns + i] += sum
        counts.base[y / Self.cell * columns + i] += count
      }
    }
    return (0..<columns * rows).map { index in
      let (i, j) = (index % columns, index / columns)
      var (sum, count): (Float, Float) = (0, 0)
      for v in max(j - 1, 0)...min(j + 1, rows - 1) {
        for u in max(i - 1, 0)...min(i + 1, columns - 1) {
          sum += sums.base[v * columns + u]
          count += counts.base[v * columns + u]
        }
      }
      return count > 0 ? sum / count : Self.mostRatio
    }
  }
}
