import CKernels

/// Means over some 24×24 pixels around each pixel of a map.
///
/// A pixel's own numbers scatter more than what they stand for; their means over what smoothing
/// joins do not. Means are those of 3×3 cells of 8×8 pixels, and linear between the centers of
/// cells.
package struct NeighborhoodMeans {
  /// The side of a cell in pixels.
  private static let cell = 8

  private let width: Int
  private let columns: Int
  private let rows: Int
  /// The mean of the 3×3 cells around each.
  private let means: [Float]

  /// Takes means of `values`, or of their squares, where `known` is not NaN; O(*n*).
  ///
  /// Where nothing is known nearby, `whenNone` stands.
  package init(
    of values: UnsafePointer<Float>, where known: UnsafePointer<Float>, areSquared: Bool = false,
    width: Int, height: Int, whenNone: Float = 0
  ) {
    let columns = (width + Self.cell - 1) / Self.cell, rows = (height + Self.cell - 1) / Self.cell
    let sums = MatchingMemory<Float>(unwritten: columns * rows)
    let counts = MatchingMemory<Float>(unwritten: columns * rows)
    // Sums of the columns of a cell first: what lies in a row is added at once.
    let line = MatchingMemory<Float>(unwritten: 2 * columns * Self.cell)
    let (lineSums, lineCounts) = (line.base, line.base + columns * Self.cell)
    for j in 0..<rows {
      line.base.update(repeating: 0, count: 2 * columns * Self.cell)
      for y in j * Self.cell..<min((j + 1) * Self.cell, height) {
        plb_stereo_accumulate(
          values + y * width, known + y * width, width, areSquared, lineSums, lineCounts)
      }
      for i in 0..<columns {
        var (sum, count): (Float, Float) = (0, 0)
        for x in i * Self.cell..<(i + 1) * Self.cell {
          sum += lineSums[x]
          count += lineCounts[x]
        }
        sums.base[j * columns + i] = sum
        counts.base[j * columns + i] = count
      }
    }
    means = (0..<columns * rows).map { index in
      let (i, j) = (index % columns, index / columns)
      var (sum, count): (Float, Float) = (0, 0)
      for v in max(j - 1, 0)...min(j + 1, rows - 1) {
        for u in max(i - 1, 0)...min(i + 1, columns - 1) {
          sum += sums.base[v * columns + u]
          count += counts.base[v * columns + u]
        }
      }
      return count > 0 ? sum / count : whenNone
    }
    self.width = width
    self.columns = columns
    self.rows = rows
  }

  /// Writes the means of the pixels of one row.
  package func write(row y: Int, to target: UnsafeMutablePointer<Float>) {
    let half = Self.cell / 2
    let upper = max(y - half, 0) / Self.cell, lower = min(upper + 1, rows - 1)
    // How far the row is from the first centers to the second.
    let share = Float(max(2 * (y - half - upper * Self.cell) + 1, 0)) / Float(2 * Self.cell)
    // Each end once more, so that every pixel lies between two centers.
    let line = MatchingMemory<Float>(unwritten: columns + 2)
    for i in 0..<columns + 2 {
      let inside = min(max(i - 1, 0), columns - 1)
      let (above, below) = (means[upper * columns + inside], means[lower * columns + inside])
      line.base[i] = above + share * (below - above)
    }
    plb_stereo_between(line.base, width, target)
  }
}
