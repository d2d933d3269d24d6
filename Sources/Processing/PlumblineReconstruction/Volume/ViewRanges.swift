import CKernels
import PlumblineModel

/// Between which depths rays of each tile of 4 × 4 pixels can meet a surface.
struct ViewRanges {
  private static let side = Int(PLB_VOLUME_VIEW_TILE)
  private let columns: Int
  private var ranges: [SIMD2<Double>]
  /// The blocks in view with a voxel behind a surface.
  private(set) var bricks = SolidBricks.collect([])

  /// Looks at the blocks of a volume with a voxel behind a surface; O(blocks in view + 1/64 of all).
  static func make(
    of volume: SurfaceVolume, camera: PinholeIntrinsics, worldFromCamera: RigidTransform
  ) -> ViewRanges {
    let (columns, rows) = (
      (camera.size.width + side - 1) / side, (camera.size.height + side - 1) / side
    )
    var result = ViewRanges(
      columns: columns,
      ranges: Array(repeating: SIMD2(.infinity, -.infinity), count: columns * rows))
    let cameraFromWorld = worldFromCamera.inverse
    let voxel = volume.settings.voxelMeters
    /// The tiles of a ball in voxels, and its nearest and farthest depth.
    func seen(
      _ center: SIMD3<Double>, _ radius: Double
    ) -> (tiles: (ClosedRange<Int>, ClosedRange<Int>), near: Double, far: Double)? {
      let (center, radius) = (cameraFromWorld * (center * voxel), radius * voxel)
      guard center.z + radius > 0 else { return nil }
      let depths = (max(center.z - radius, 0), center.z + radius)
      guard
        let ball = ProjectedBall(
          center: center, radius: radius, focalLength: camera.focalLength,
          principalPoint: camera.principalPoint)
      else { return ((0...columns - 1, 0...rows - 1), depths.0, depths.1) }
      return ball.tiles(side: side, columns: columns, rows: rows).map { ($0, depths.0, depths.1) }
    }
    var solid: [BlockKey] = []
    for (number, group) in volume.groups.enumerated() {
      let (center, radius) = group.ball
      guard seen(center, radius + 1) != nil else { continue }
      let first = number * BlockGroup.blockCount
      for place in first..<min(volume.keys.count, first + BlockGroup.blockCount)
      where volume.states[place].hasSolid {
        // The ball around the voxels and half a voxel more: 4 √3 = 6.93.
        guard let (tiles, near, far) = seen(volume.keys[place].firstVoxel + 3.5, 7) else {
          continue
        }
        result.widen(columns: tiles.0, rows: tiles.1, near, far)
        solid.append(volume.keys[place])
      }
    }
    result.bricks = SolidBricks.collect(solid)
    return result
  }

  private mutating func widen(
    columns tiles: ClosedRange<Int>, rows: ClosedRange<Int>, _ near: Double, _ far: Double
  ) {
    for row in rows {
      for column in tiles {
        let here = ranges[row * columns + column]
        ranges[row * columns + column] = SIMD2(min(here.x, near), max(here.y, far))
      }
    }
  }

  /// Calls with the ranges of a row of pixels: nearest and farthest depth of each tile, in meters.
  func withRow(_ y: Int, _ body: (UnsafePointer<Double>) -> Void) {
    ranges.withUnsafeBytes { bytes in
      guard let base = bytes.bindMemory(to: Double.self).baseAddress else { return }
      body(base + y / ViewRanges.side * columns * 2)
    }
  }
}
