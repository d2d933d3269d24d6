package import PlumblineModel

/// Thins the points of many frames: for each voxel of the world that has any, their weighted mean.
///
/// A point weighs one over the variance of its own noise. The σ of a mean has two parts: the noise,
/// which falls with the number of points, less for points of one frame, whose neighbors share
/// errors, and the shared error of the sensor, which does not fall. The error of the poses is not in
/// it. A voxel holds numbers only, so memory depends on the surface that was seen and not on the
/// number of frames.
///
/// Frames are added in their order, and a voxel belongs to one part of the grid, which one thread
/// fills at a time: the result is the same for any number of threads and of frames added together.
package struct VoxelGrid: Sendable {
  /// The reasons why a grid takes no more points.
  package struct LimitError: Error, Hashable {
    /// The most voxels that it may have.
    package var maximumCount: Int
  }

  /// The most voxels that a grid has, usually: 2.7 GB at the worst, with color.
  package static let usualMaximumCount = 1 << 24

  /// The side of a voxel in meters.
  package let sideMeters: Double
  /// Pixels that lay too far from the world's origin for a grid of this side: 2²⁰ sides.
  package private(set) var outsideCount = 0
  /// The pixels that were taken in.
  package private(set) var pixelCount = 0
  private let maximumCount: Int
  /// How many independent pixels *n* pixels of one frame in one voxel are worth.
  private let independent: [Float]
  private var parts = [VoxelPart](repeating: VoxelPart(), count: VoxelKey.partCount)
  private var frameCount: UInt32 = 0
  private var hasColor = false

  /// Creates an empty grid.
  ///
  /// - Parameters:
  ///   - sideMeters: The side of a voxel, above 0.
  ///   - correlation: How the noise of neighbors in one frame is correlated.
  ///   - mapWidth: The columns of the frames' maps, for the correlation.
  ///   - maximumCount: The most voxels.
  package init(
    sideMeters: Double, correlation: CorrelatedNoise = .independent, mapWidth: Int = 1,
    maximumCount: Int = usualMaximumCount
  ) {
    precondition(sideMeters > 0 && sideMeters.isFinite, "voxels of \(sideMeters) m")
    precondition(mapWidth > 0, "maps of \(mapWidth) columns")
    self.sideMeters = sideMeters
    self.maximumCount = maximumCount
    // Of a square of n pixels. More than 256 in one voxel are worth no more.
    independent =
      [0]
      + (1...256).map { pixels in
        Float(
          correlation.effectiveCount(ofMeanOver: Double(pixels).squareRoot(), mapWidth: mapWidth))
      }
  }

  /// The number of voxels that have a point.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// Brings the pixels of a frame into the world, for ``add(_:threads:)``; O(*n*).
  ///
  /// It changes nothing, so several threads may do it for several frames.
  package func points(of frame: VoxelFrame) -> VoxelPoints {
    VoxelPoints(frame, sideMeters: sideMeters)
  }

  /// Takes in the points of frames, in their order.
  ///
  /// - Parameters:
  ///   - frames: The next frames, made by ``points(of:)``.
  ///   - threads: The most threads; the result does not depend on it.
  /// - Throws: ``LimitError`` when there are too many voxels; the grid is then of no further use.
  /// - Complexity: O(*n*), about 50 ns for a pixel.
  package mutating func add(_ frames: [VoxelPoints], threads: Int) throws(LimitError) {
    let first = frameCount
    let independent = independent
    parts.withUnsafeMutableBufferPointer { parts in
      forEachConcurrently(parts.count, threads: threads) { part in
        for (index, frame) in frames.enumerated() {
          parts[part].add(
            frame.points[frame.starts[part]..<frame.starts[part + 1]],
            frame: first &+ UInt32(truncatingIfNeeded: index), hasColor: frame.hasColor,
            independent: independent)
        }
      }
    }
    frameCount &+= UInt32(truncatingIfNeeded: frames.count)
    for frame in frames {
      pixelCount += frame.pixelCount
      outsideCount += frame.outsideCount
      hasColor = hasColor || frame.hasColor
    }
    guard count <= maximumCount else { throw LimitError(maximumCount: maximumCount) }
  }

  /// The mean of each voxel, ordered by its place: along x, then y, then z.
  ///
  /// A voxel all of whose points came from frames without color is black where others have colors.
  ///
  /// - Parameter axes: The axes of the world of the frames' poses.
  /// - Returns: Points in the world with their ± along the rays. Cost: O(*n* log *n*).
  package func cloud(axes: WorldAxes) -> PointCloud {
    var order: [(key: UInt64, part: UInt16, place: UInt32)] = []
    order.reserveCapacity(count)
    for (part, table) in parts.enumerated() {
      for (place, key) in table.keys.enumerated() where key != VoxelKey.none {
        order.append((key, UInt16(part), UInt32(place)))
      }
    }
    order.sort { $0.key < $1.key }
    let positions = order.map { key, part, place in
      let voxel = parts[Int(part)].voxels[Int(place)]
      let corner = VoxelKey.corner(of: key)
      return PackedPoint(
        x: Float((corner.x + Double(voxel.x)) * sideMeters),
        y: Float((corner.y + Double(voxel.y)) * sideMeters),
        z: Float((corner.z + Double(voxel.z)) * sideMeters))
    }
    let colors =
      hasColor
      ? order.map { _, part, place in
        let colors = parts[Int(part)].colors
        return colors.isEmpty ? RGB8(red: 0, green: 0, blue: 0) : colors[Int(place)].code
      } : nil
    return PointCloud(
      positions: positions, colors: colors,
      sigmaMeters: order.map { _, part, place in parts[Int(part)].voxels[Int(place)].sigmaMeters },
      isMetric: true, frame: .world(axes))
  }
}
