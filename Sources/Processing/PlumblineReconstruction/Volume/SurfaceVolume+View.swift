import CKernels
package import PlumblineModel

extension SurfaceVolume {
  /// The surface as a camera sees it: a ray for each pixel to the first change from free space to solid.
  ///
  /// Rays pass blocks without a voxel behind a surface in one step, many where there are many, and others in steps
  /// of 0.8 of the distance, at least half a voxel. Normals come from the depths of the neighbors; where one is missing or another surface there is none.
  /// The ± is that of a vertex: ``VertexErrors``.
  ///
  /// - Parameters:
  ///   - camera: A pinhole camera of any size.
  ///   - worldFromCamera: Its pose.
  ///   - threads: The maximum number of threads; the result has the same bytes for any.
  /// - Returns: Depth, normals and ±, without color.
  /// - Complexity: O(pixels × blocks along a ray).
  package func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    let ranges = ViewRanges.make(of: self, camera: camera, worldFromCamera: worldFromCamera)
    let size = camera.size
    var rays = CastRays(size)
    rays.cast(
      self, kernelCamera(camera, worldFromCamera), ranges: ranges, rows: size.height,
      threads: threads)
    let sigma = Raster(size: size, samples: rays.sigmas(states))
    // The depths of a frame, whose normals come from neighbors; the ± is along the normal already.
    let frame = ScanFrame(
      depth: DepthMap(meters: Raster(size: size, samples: rays.depth)), noiseMeters: sigma,
      shared: SigmaCurve(), camera: camera)
    var view = frame.surfaceView(worldFromCamera: worldFromCamera, threads: threads)
    view.sigmaMeters = sigma
    return view
  }

  private func kernelCamera(
    _ camera: PinholeIntrinsics, _ worldFromCamera: RigidTransform
  ) -> plb_volume_camera {
    let origin = worldFromCamera.translation / settings.voxelMeters
    let r = worldFromCamera.rowMajor
    return plb_volume_camera(
      focal_x: camera.focalLength.x, focal_y: camera.focalLength.y,
      center_x: camera.principalPoint.x, center_y: camera.principalPoint.y,
      origin: (origin.x, origin.y, origin.z),
      rotation: (r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]),
      voxel: settings.voxelMeters, width: Int32(camera.size.width))
  }
}

/// What the rays of a camera meet, row after row.
private struct CastRays {
  var depth: [Float]
  private var weights: [Float]
  private var places: [Int32]
  /// Rows that one task casts.
  private static let rowsPerTask = 4

  init(_ size: RasterSize) {
    let count = size.pixelCount
    depth = Array(repeating: .nan, count: count)
    weights = Array(repeating: 0, count: count)
    places = Array(repeating: -1, count: count)
  }

  mutating func cast(
    _ volume: SurfaceVolume, _ camera: plb_volume_camera, ranges: ViewRanges, rows: Int,
    threads: Int
  ) {
    let width = Int(camera.width)
    withPointers { depth, weights, places in
      volume.withKernelBlocks(ranges.bricks) { blocks in
        let each = Self.rowsPerTask
        forEachConcurrently((rows + each - 1) / each, threads: threads) { task in
          for y in task * each..<min(rows, (task + 1) * each) {
            let first = y * width
            withUnsafePointer(to: blocks) { blocks in
              withUnsafePointer(to: camera) { camera in
                ranges.withRow(y) {
                  plb_volume_cast_row(
                    blocks, camera, Int32(y), $0, depth + first, weights + first, places + first)
                }
              }
            }
          }
        }
      }
    }
  }

  private mutating func withPointers(
    _ body: (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Int32>
    ) -> Void
  ) {
    depth.withUnsafeMutableBufferPointer { depth in
      weights.withUnsafeMutableBufferPointer { weights in
        places.withUnsafeMutableBufferPointer { places in
          guard let depth = depth.baseAddress, let weights = weights.baseAddress,
            let places = places.baseAddress
          else { return }
          body(depth, weights, places)
        }
      }
    }
  }

  /// One standard deviation of each pixel, NaN where there is no surface.
  func sigmas(_ states: [BlockState]) -> [Float] {
    zip(weights, places).map { weight, place in
      guard place >= 0 else { return .nan }
      let state = states[Int(place)]
      let shared = Float(state.shared.sharedVariance / state.shared.views)
      return (state.varianceShare / weight + shared).squareRoot()
    }
  }
}

extension SurfaceVolume {
  /// Calls with the blocks as kernels take them.
  fileprivate func withKernelBlocks(
    _ bricks: SolidBricks, _ body: (plb_volume_blocks) -> Void
  ) {
    withVoxels { voxels in
      let slabs = voxels.values.map(\.baseAddress)
      slabs.withUnsafeBufferPointer { slabs in
        index.withSlots { keys, places, mask in
          guard let keys = keys.baseAddress, let places = places.baseAddress,
            let slabs = slabs.baseAddress
          else { return }
          bricks.withSlots { brickKeys, bits, brickMask in
            guard let brickKeys = brickKeys.baseAddress, let bits = bits.baseAddress else { return }
            body(
              plb_volume_blocks(
                keys: keys, places: places, mask: mask, slabs: slabs, brick_keys: brickKeys,
                bricks: bits, brick_mask: brickMask))
          }
        }
      }
    }
  }
}
