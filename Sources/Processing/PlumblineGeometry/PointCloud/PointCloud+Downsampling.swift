import PlumblineModel

extension PointCloud {
  /// One point for each voxel: the mean of the points in it.
  ///
  /// Colors are averaged as stored, rounded to nearest, halves up; ± is that of a mean of errors that the
  /// points do not share (what they share stays, and is not in ``sigmaMeters``); pixels have no mean and are
  /// left out.
  /// - Parameters:
  ///   - voxelMeters: The edge of a voxel, in the unit of the points.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Returns: Points in the order of their voxels, x first.
  /// - Throws: ``VoxelNumberingError`` where there are more than 2²⁰ voxels along an axis.
  /// - Precondition: The edge is finite and above 0.
  /// - Complexity: O(*n*).
  package func downsampled(voxelMeters: Double, threads: Int) throws(VoxelNumberingError)
    -> PointCloud
  {
    let groups = try VoxelGroups.grouping(positions, size: voxelMeters)
    return PointCloud(
      positions: groups.means(of: positions, threads: threads),
      colors: colors.map { groups.meanColors(of: $0, threads: threads) },
      sigmaMeters: sigmaMeters.map { groups.sigmas(of: $0, threads: threads) },
      isMetric: isMetric, frame: frame)
  }

  /// The points of the given indices with their attributes, in that order.
  ///
  /// - Precondition: The indices are those of points.
  package func selecting(_ indices: [Int]) -> PointCloud {
    PointCloud(
      positions: indices.map { positions[$0] },
      colors: colors.map { colors in indices.map { colors[$0] } },
      sigmaMeters: sigmaMeters.map { sigmas in indices.map { sigmas[$0] } },
      pixelIndices: pixelIndices.map { pixels in indices.map { pixels[$0] } },
      isMetric: isMetric, frame: frame)
  }
}

extension VoxelGroups {
  /// The mean color of each voxel, by channel, rounded to nearest.
  func meanColors(of colors: [RGB8], threads: Int) -> [RGB8] {
    colors.withUnsafeBufferPointer { colors in
      map(initial: RGB8(red: 0, green: 0, blue: 0), threads: threads) { members in
        var (red, green, blue) = (0, 0, 0)
        for index in members {
          let color = colors[Int(index)]
          red += Int(color.red)
          green += Int(color.green)
          blue += Int(color.blue)
        }
        let count = members.count
        func mean(_ sum: Int) -> UInt8 { UInt8((2 * sum + count) / (2 * count)) }
        return RGB8(red: mean(red), green: mean(green), blue: mean(blue))
      }
    }
  }
}
