package import PlumblineModel

extension SurfaceVolume {
  /// The surface as a camera sees it: a ray for each pixel to the first change from free space to solid.
  ///
  /// Rays pass blocks that do not exist in one step, and others in steps of 0.8 of the distance, at least half a
  /// voxel. The normal is the gradient of the distance over two voxels; where it is not known, or the surface is
  /// seen from behind, the pixel is missing. The ± is √(1/W + shared²/views).
  ///
  /// - Parameters:
  ///   - camera: A pinhole camera of any size.
  ///   - worldFromCamera: Its pose.
  ///   - threads: The maximum number of threads; the result has the same bytes for any.
  /// - Returns: Depth, normals, ± and color.
  /// - Complexity: O(pixels × blocks along a ray).
  package func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    let ranges = ViewRanges.make(of: self, camera: camera, worldFromCamera: worldFromCamera)
    let size = camera.size
    var rows = [[ViewPixel]](repeating: [], count: size.height)
    rows.withUnsafeMutableBufferPointer { rows in
      slabs.withUnsafeBufferPointer { slabs in
        forEachConcurrently(size.height, threads: threads) { y in
          var caster = RayCaster(
            sampler: VolumeSampler(index: index, slabs: slabs), camera: camera,
            worldFromCamera: worldFromCamera, voxelMeters: settings.voxelMeters)
          rows[y] = (0..<size.width).map { x in
            ranges.range(x: x, y: y).flatMap { caster.cast(x: x, y: y, range: $0) } ?? ViewPixel()
          }
        }
      }
    }
    let pixels = rows.flatMap { $0 }
    let hasColor = slabs.contains { !$0.colors.isEmpty }
    return SurfaceView(
      depth: DepthMap(meters: Raster(size: size, samples: pixels.map(\.depth))),
      normals: Raster(size: size, samples: pixels.map(\.normal)),
      sigmaMeters: Raster(size: size, samples: pixels.map(\.sigma)),
      color: hasColor ? Raster(size: size, samples: pixels.map(\.color)) : nil,
      camera: camera, worldFromCamera: worldFromCamera)
  }
}

/// What a ray finds.
struct ViewPixel {
  var depth = Float.nan
  var normal = PackedPoint(x: .nan, y: .nan, z: .nan)
  var sigma = Float.nan
  var color = RGB8(red: 0, green: 0, blue: 0)
}

/// Between which depths the blocks of each tile of 8 × 8 pixels lie.
private struct ViewRanges {
  private static let side = 8
  let columns: Int
  var ranges: [SIMD2<Double>]

  static func make(
    of volume: SurfaceVolume, camera: PinholeIntrinsics, worldFromCamera: RigidTransform
  ) -> ViewRanges {
    let (columns, rows) = ((camera.size.width + 7) / side, (camera.size.height + 7) / side)
    var result = ViewRanges(
      columns: columns,
      ranges: Array(repeating: SIMD2(.infinity, -.infinity), count: columns * rows))
    let cameraFromWorld = worldFromCamera.inverse
    let voxel = volume.settings.voxelMeters
    // The ball around the voxels and half a voxel more: 4 √3 = 6.93.
    let radius = 7 * voxel
    for key in volume.keys {
      let center = cameraFromWorld * ((key.firstVoxel + 3.5) * voxel)
      guard center.z + radius > 0 else { continue }
      let near = max(center.z - radius, 0)
      var tiles = (0...columns - 1, 0...rows - 1)
      if near > radius {
        let (low, high) = (center - radius, center + radius)
        // At its nearest depth the square around the ball is seen the widest.
        let far = center.z + radius
        let corner = SIMD2(low.x / (low.x < 0 ? near : far), low.y / (low.y < 0 ? near : far))
        let other = SIMD2(high.x / (high.x > 0 ? near : far), high.y / (high.y > 0 ? near : far))
        let first = (corner * camera.focalLength + camera.principalPoint) / Double(side)
        let last = (other * camera.focalLength + camera.principalPoint) / Double(side)
        guard last.x > -1, last.y > -1, first.x < Double(columns), first.y < Double(rows) else {
          continue
        }
        tiles = (
          max(0, Int(first.x) - 1)...min(columns - 1, Int(last.x) + 1),
          max(0, Int(first.y) - 1)...min(rows - 1, Int(last.y) + 1)
        )
      }
      result.widen(columns: tiles.0, rows: tiles.1, near, center.z + radius)
    }
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

  /// The depths to examine, in meters; `nil` for none.
  func range(x: Int, y: Int) -> ClosedRange<Double>? {
    let range = ranges[y / ViewRanges.side * columns + x / ViewRanges.side]
    return range.x < range.y ? range.x...range.y : nil
  }
}
