import CKernels

/// Corrects the pull towards whole pixels in the disparities of surfaces that face the cameras.
///
/// Where neighboring pixels along a path have one disparity, the disparities one above and one below it pay the
/// penalty of a step in addition to their cost. So the minimum between them appears nearer to the whole
/// pixel than it is. On slopes there are many steps, and smoothing averages over them; a wall, however,
/// keeps one fraction of a pixel over many pixels. The difference to the choice without the penalty is
/// averaged over the area that smoothing joins, and added: in full where the smoothed surface is level, less
/// the more it slopes.
/// - Source: decision 0031, with the errors before and after.
package struct FacingSurfaces {
  /// The slope at which half of the difference is added, in pixels of disparity per pixel.
  ///
  /// Over 24 pixels the fraction then changes by 0.3, and smoothing begins to average by itself.
  package static let steepestSlope: Float = 0.012
  /// The distance over which the slope is measured, in pixels: as far as the far plane reaches.
  package static let reachPixels = 12
  /// The maximum deviation from a line of the three pixels of a slope, as twice the sagitta in pixels; a
  /// larger one is an edge.
  package static let bendPixels: Float = 0.5
  /// The share of the change that is added to σ: about as much error remains on textures.
  package static let sigmaShare: Float = 0.5

  private let means: NeighborhoodMeans
  private let width: Int
  private let height: Int

  /// Averages the change of each pixel where a disparity is known; O(*n*).
  ///
  /// - Parameters:
  ///   - changes: Pixels to be added where the surface faces the cameras.
  ///   - disparity: Disparities before smoothing, NaN where missing.
  ///   - width: The number of columns.
  ///   - height: The number of rows.
  package init(
    _ changes: UnsafePointer<Float>, where disparity: UnsafePointer<Float>, width: Int, height: Int
  ) {
    means = NeighborhoodMeans(of: changes, where: disparity, width: width, height: height)
    self.width = width
    self.height = height
  }

  /// Changes smoothed disparities, and adds the error that remains to their σ; missing ones stay missing.
  ///
  /// - Complexity: O(*n*), one further map of floats.
  package func correct(
    _ disparity: UnsafeMutablePointer<Float>, sigma: UnsafeMutablePointer<Float>, threads: Int
  ) {
    let memory = MatchingMemory<Float>(unwritten: width * height)
    nonisolated(unsafe) let (values, sigmas, changes) = (disparity, sigma, memory.base)
    forEachPart(of: 0..<height, threads: threads) { rows in
      let mean = MatchingMemory<Float>(unwritten: width)
      for y in rows {
        let (above, below) = (max(y - Self.reachPixels, 0), min(y + Self.reachPixels, height - 1))
        means.write(row: y, to: mean.base)
        plb_stereo_facing(
          values + y * width, values + above * width, values + below * width, mean.base, width,
          Self.reachPixels, below - above, Self.steepestSlope, Self.bendPixels, changes + y * width)
      }
    }
    // Changes are written only after all slopes, which are those of the unchanged neighbors.
    forEachPart(of: 0..<height, threads: threads) { rows in
      for index in rows.lowerBound * width..<rows.upperBound * width {
        let rest = Self.sigmaShare * changes[index]
        values[index] += changes[index]
        sigmas[index] = (sigmas[index] * sigmas[index] + rest * rest).squareRoot()
      }
    }
  }
}

/// Means over some 24×24 pixels around each pixel of a map.
///
/// The numbers of single pixels are noisy; their means over the area that smoothing joins are not. A mean
/// is that of 3×3 cells of 8×8 pixels, interpolated linearly between the centers of cells.
package struct NeighborhoodMeans {
  /// The side of a cell in pixels.
  private static let cell = 8

  private let width: Int
  private let columns: Int
  private let rows: Int
  /// The mean of the 3×3 cells around each cell.
  private let means: [Float]

  /// Takes means of `values`, or of their squares, where `known` is not NaN; O(*n*).
  ///
  /// Where nothing is known nearby, the mean is `whenNone`.
  package init(
    of values: UnsafePointer<Float>, where known: UnsafePointer<Float>, areSquared: Bool = false,
    width: Int, height: Int, whenNone: Float = 0
  ) {
    let columns = (width + Self.cell - 1) / Self.cell, rows = (height + Self.cell - 1) / Self.cell
    let sums = MatchingMemory<Float>(unwritten: columns * rows)
    let counts = MatchingMemory<Float>(unwritten: columns * rows)
    // The columns of a cell are added up first, since all columns of a row are added at once.
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
    // The position of the row between the upper and the lower centers, 0 to 1.
    let share = Float(max(2 * (y - half - upper * Self.cell) + 1, 0)) / Float(2 * Self.cell)
    // Both ends are repeated, so that every pixel lies between two centers.
    let line = MatchingMemory<Float>(unwritten: columns + 2)
    for i in 0..<columns + 2 {
      let inside = min(max(i - 1, 0), columns - 1)
      let (above, below) = (means[upper * columns + inside], means[lower * columns + inside])
      line.base[i] = above + share * (below - above)
    }
    plb_stereo_between(line.base, width, target)
  }
}
