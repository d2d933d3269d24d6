import CKernels

/// Takes the pull to whole pixels out of disparities of surfaces that face the cameras.
///
/// Where neighbors along a path have one disparity, both neighbors of the best one pay the penalty of a
/// step besides what they cost, so that the best looks nearer to the middle between them than it is.
/// On slopes the steps come often, and smoothing averages over them; a wall keeps one fraction of a
/// pixel over many pixels. What the choice would have been without the penalty is averaged over what
/// smoothing joins, and added by how little the smoothed surface slopes.
/// - Source: decision 0031, with the errors before and after.
package struct FacingSurfaces {
  /// The slope at which half is added, in pixels of disparity per pixel: over 24 pixels the
  /// fraction then changes by 0.3, and smoothing begins to average by itself.
  package static let steepestSlope: Float = 0.012
  /// How far away the slope is looked for, in pixels: as far as the far plane reaches.
  package static let reachPixels = 12
  /// How far the three pixels of a slope may be from a line, twice the sagitta in pixels: beyond it
  /// there is an edge.
  package static let bendPixels: Float = 0.5
  /// The share of what was added that σ gets, as the fit to textures leaves about as much.
  package static let sigmaShare: Float = 0.5

  private let means: NeighborhoodMeans
  private let width: Int
  private let height: Int

  /// Takes means of what each pixel's choice would change by, where a disparity is known; O(*n*).
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

  /// Changes smoothed disparities, and adds to their σ what the change leaves; missing ones stay
  /// missing.
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
    // Only now: slopes are those of neighbors before their change.
    forEachPart(of: 0..<height, threads: threads) { rows in
      for index in rows.lowerBound * width..<rows.upperBound * width {
        let rest = Self.sigmaShare * changes[index]
        values[index] += changes[index]
        sigmas[index] = (sigmas[index] * sigmas[index] + rest * rest).squareRoot()
      }
    }
  }
}
