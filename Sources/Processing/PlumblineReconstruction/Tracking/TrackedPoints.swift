internal import CKernels
internal import PlumblineModel

/// The points of a frame that take part in registration, those of the coarsest level first.
///
/// A point has a depth, a finite ± and a normal from its neighbors; pixels at depth edges have none.
package struct TrackedPoints: Sendable {
  /// Planes of x, y, z, variance and normal, each of `capacity` values.
  let values: [Float]
  let capacity: Int
  /// The number of points of each level; a finer level has the points of the coarser ones as well.
  let counts: [Int]
  /// The size of the depth map.
  let size: RasterSize

  /// The number of points of the finest level.
  package var count: Int { counts.last ?? 0 }

  /// A point in the axes of the camera.
  func position(_ index: Int) -> SIMD3<Float> {
    SIMD3(values[index], values[capacity + index], values[2 * capacity + index])
  }

  /// The points of each level of some settings.
  ///
  /// - Parameters:
  ///   - frame: Any frame; its color is not used.
  ///   - levels: At least one, each stride a divisor of the one before.
  /// - Returns: Points in the axes of the frame's camera. Cost: O(pixels / stride²).
  package static func of(_ frame: ScanFrame, levels: [TrackingSettings.Level]) -> TrackedPoints {
    let strides = levels.map(\.stride)
    precondition(
      !strides.isEmpty && strides.allSatisfy { $0 > 0 }
        && zip(strides, strides.dropFirst()).allSatisfy { $0 % $1 == 0 },
      "strides of \(strides): each divides the one before")
    let finest = strides.last ?? 1
    let size = frame.depth.size
    let capacity =
      ((size.width + finest - 1) / finest) * ((size.height + finest - 1) / finest)
    var counts: [Int] = []
    let planes = Int(PLB_TRACKING_PLANES)
    let values = [Float](unsafeUninitializedCapacity: planes * capacity) { buffer, initialized in
      buffer.initialize(repeating: 0)
      initialized = planes * capacity
      guard let base = buffer.baseAddress else { return }
      frame.withKernelFrame { kernel in
        var count = 0
        var done = 0
        for stride in strides {
          if stride != done {
            withUnsafePointer(to: kernel) {
              count = plb_tracking_gather($0, Int32(stride), Int32(done), base, capacity, count)
            }
          }
          counts.append(count)
          done = stride
        }
      }
    }
    return TrackedPoints(values: values, capacity: capacity, counts: counts, size: size)
  }
}

extension ScanFrame {
  /// The frame as the kernels take it.
  func withKernelFrame<Result>(_ body: (plb_tracking_frame) -> Result) -> Result? {
    depth.meters.samples.withUnsafeBufferPointer { depths in
      noiseMeters.samples.withUnsafeBufferPointer { noises in
        guard let depthBase = depths.baseAddress, let noiseBase = noises.baseAddress else {
          return nil
        }
        return body(
          plb_tracking_frame(
            depth: depthBase, noise: noiseBase, depth_stride: depth.meters.rowStride,
            noise_stride: noiseMeters.rowStride, width: Int32(depth.size.width),
            height: Int32(depth.size.height), focal_x: Float(camera.focalLength.x),
            focal_y: Float(camera.focalLength.y), principal_x: Float(camera.principalPoint.x),
            principal_y: Float(camera.principalPoint.y), reach: normalReach, step: 0.05,
            shared_constant: Float(shared.constantMeters), shared_linear: Float(shared.perMeter),
            shared_quadratic: Float(shared.perMeterSquared)))
      }
    }
  }

  /// The pixels to each side that a normal is made of.
  ///
  /// Two of 256 columns: a difference over less holds mostly noise, over more it rounds corners off.
  private var normalReach: Int32 { Int32(max(1, depth.size.width / 128)) }
}
