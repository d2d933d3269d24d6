import CKernels

extension DepthMap {
  /// Unprojects every pixel, one point for each; missing pixels give three NaN.
  ///
  /// - Parameter intrinsics: The camera that took the map, without distortion.
  /// - Returns: Points in the camera frame, in the map's own pixel order.
  /// - Precondition: `intrinsics.size` equals the size of the map.
  /// - Complexity: O(*n*), close to the bandwidth of memory.
  public func points(intrinsics: PinholeIntrinsics) -> Raster<PackedPoint> {
    let samples = [PackedPoint](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      unproject(intrinsics: intrinsics, into: buffer, streams: exceedsCaches)
      count = size.pixelCount
    }
    return Raster(size: size, samples: samples)
  }

  /// Unprojects every pixel into existing memory, which avoids an allocation per frame.
  ///
  /// - Parameters:
  ///   - intrinsics: The camera that took the map, without distortion.
  ///   - points: Overwritten in the map's own pixel order; reallocated if its size differs.
  /// - Precondition: `intrinsics.size` equals the size of the map.
  public func unproject(intrinsics: PinholeIntrinsics, into points: inout Raster<PackedPoint>) {
    guard points.size == size, points.rowStride == size.width else {
      points = self.points(intrinsics: intrinsics)
      return
    }
    points.samples.withUnsafeMutableBufferPointer {
      unproject(intrinsics: intrinsics, into: $0, streams: exceedsCaches)
    }
  }

  /// Unprojects every pixel along its own ray; the map is not resampled.
  ///
  /// - Precondition: `rays.size` equals the size of the map.
  public func points(rays: RayMap) -> Raster<PackedPoint> {
    precondition(rays.size == size, "rays of \(rays.size) for a map of \(size)")
    let x = rays.xOverZ.packed.samples
    let y = rays.yOverZ.packed.samples
    let samples = [PackedPoint](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      withRows(of: buffer) { row, depth, result in
        x.withUnsafeBufferPointer { x in
          y.withUnsafeBufferPointer { y in
            guard let x = x.baseAddress, let y = y.baseAddress else { return }
            plb_unproject_row_rays(
              depth, x + row * size.width, y + row * size.width, size.width, result,
              exceedsCaches)
          }
        }
      }
      count = size.pixelCount
    }
    return Raster(size: size, samples: samples)
  }

  /// Whether the points exceed the caches of current processors, so that stores bypass the cache.
  private var exceedsCaches: Bool {
    size.pixelCount > (32 << 20) / MemoryLayout<PackedPoint>.stride
  }

  /// Unprojects into memory with space for all points; the result does not depend on `streams`.
  func unproject(
    intrinsics: PinholeIntrinsics, into buffer: UnsafeMutableBufferPointer<PackedPoint>,
    streams: Bool
  ) {
    precondition(intrinsics.size == size, "intrinsics of \(intrinsics.size) for a map of \(size)")
    let rays = intrinsics.rayTable
    rays.columns.withUnsafeBufferPointer { columns in
      guard let columns = columns.baseAddress else { return }
      withRows(of: buffer) { row, depth, result in
        plb_unproject_row(depth, columns, rays.rows[row], size.width, result, streams)
      }
    }
  }

  /// Passes the start of each row of depths and of its points, three floats per point.
  private func withRows(
    of buffer: UnsafeMutableBufferPointer<PackedPoint>,
    _ body: (_ row: Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    guard let base = buffer.baseAddress, size.pixelCount > 0 else { return }
    base.withMemoryRebound(to: Float.self, capacity: 3 * size.pixelCount) { result in
      meters.samples.withUnsafeBufferPointer { depths in
        guard let depths = depths.baseAddress else { return }
        for row in 0..<size.height {
          body(row, depths + row * meters.rowStride, result + 3 * row * size.width)
        }
      }
    }
  }
}

/// A point of the camera frame in single precision: 12 bytes without padding.
///
/// Frame: `x` right, `y` down, `z` forward. Unit: meters, or the relative unit of a relative map.
public struct PackedPoint: BitwiseCopyable, Hashable, Sendable {
  /// Right.
  public var x: Float
  /// Down.
  public var y: Float
  /// Forward: the depth.
  public var z: Float

  /// Creates a point from its coordinates.
  @inlinable
  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The point in double precision.
  @inlinable public var vector: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}
