import PlumblineModel

/// A size of voxels that follows from the frames themselves, and why it is this one.
package struct VoxelSizeChoice: Hashable, Sendable {
  /// What the size follows from.
  package enum Reason: String, Hashable, Sendable {
    /// The distance of neighboring pixels on the surface: smaller voxels would lie between them.
    case pixelDistance
    /// The noise of a pixel: smaller voxels would hold noise.
    case noise
  }

  /// The side of a voxel in meters: 1, 1.5, 2, 3, 5 or 7 times a power of ten.
  package var voxelMeters: Double
  /// What decided.
  package var reason: Reason
  /// The median distance of neighboring pixels on surfaces across the view, in meters.
  package var pixelMeters: Double
  /// The median noise of the pixels, in meters.
  package var noiseMeters: Double

  /// Chooses the larger of the median distance of pixels and twice the median noise, and the number of the
  /// series at or below it; `nil` without any measured pixel.
  ///
  /// Twice the noise is a rule, not a measurement: the mean of several frames still has a finer surface than one.
  ///
  /// - Parameter frames: Some frames of the recording; every seventeenth pixel is examined.
  /// - Returns: The choice.
  /// - Complexity: O(*n* log *n*) in the pixels examined.
  package static func choose(_ frames: some Sequence<ScanFrame>) -> VoxelSizeChoice? {
    var distances: [Double] = []
    var noises: [Double] = []
    for frame in frames {
      let focal = max(frame.camera.focalLength.x, frame.camera.focalLength.y)
      let (depth, noise) = (frame.depth.meters.packed.samples, frame.noiseMeters.packed.samples)
      for i in stride(from: 0, to: depth.count, by: 17)
      where depth[i] > 0 && depth[i].isFinite && noise[i] > 0 && noise[i].isFinite {
        distances.append(Double(depth[i]) / focal)
        noises.append(Double(noise[i]))
      }
    }
    guard !distances.isEmpty else { return nil }
    distances.sort()
    noises.sort()
    let (distance, noise) = (distances[distances.count / 2], noises[noises.count / 2])
    return VoxelSizeChoice(
      voxelMeters: rounded(max(distance, 2 * noise)),
      reason: distance >= 2 * noise ? .pixelDistance : .noise, pixelMeters: distance,
      noiseMeters: noise)
  }

  /// The number of the series at or below a size, between 0.1 mm and 1 m.
  private static func rounded(_ meters: Double) -> Double {
    let series = [1e-4, 1e-3, 1e-2, 1e-1].flatMap { power in
      [1, 1.5, 2, 3, 5, 7].map { $0 * power }
    }
    // A billionth more, since 0.015 and 1.5 × 0.01 need not be the same number.
    return series.last { $0 <= meters * (1 + 1e-9) } ?? 1e-4
  }
}
