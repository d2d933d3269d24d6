internal import PlumblineModel
internal import PlumblineNumerics

/// A frame that stands for its surroundings in the graph of poses: its pose and a reduced copy of its depths.
package struct Keyframe: Sendable {
  /// The number of the frame in the trajectory.
  package var index: Int
  /// The number of the surface that it was fused into.
  package var fragment: Int
  /// The pose in the world of that surface, as tracked.
  package var estimate: PoseEstimate
  /// The depths, at most ``maximumSide`` pixels a side, without color, with the recorded pose.
  package var frame: ScanFrame
  /// The distance that the keyframes before it moved, in meters.
  package var passedMeters: Double
  /// The angle that they turned by, in radians.
  package var passedRadians: Double

  /// The longer side of a reduced map: 160 pixels of 8 bytes, in the shape 4:3 150 KiB.
  package static let maximumSide = 160

  /// The median depth of every eleventh pixel, in meters; 0 without any.
  var medianMeters: Double {
    let depths = frame.depth.meters.packed.samples
    let some = stride(from: 0, to: depths.count, by: 11).map { depths[$0] }
    return Double(some.filter { $0 > 0 && $0.isFinite }.upperMedian ?? 0)
  }
}

extension ScanFrame {
  /// The frame with every n-th column and row, so that no side is longer than a limit, without color.
  ///
  /// Pixels keep their depth and their ±: nothing is averaged, so that no depth lies between two surfaces.
  /// - Parameter side: At least 1 pixel.
  /// - Returns: The frame of the same field of view; the pixels that remain are where they were.
  package func thinned(toSide side: Int) -> ScanFrame {
    let step = (max(depth.size.width, depth.size.height) + side - 1) / side
    var copy = self
    copy.color = nil
    guard step > 1 else { return copy }
    let size = RasterSize(
      width: (depth.size.width + step - 1) / step, height: (depth.size.height + step - 1) / step)
    func thinned(_ raster: Raster<Float>) -> Raster<Float> {
      Raster(size: size) { x, y in raster[x * step, y * step] }
    }
    return ScanFrame(
      depth: DepthMap(meters: thinned(depth.meters)), noiseMeters: thinned(noiseMeters),
      shared: shared,
      camera: PinholeIntrinsics(
        focalLength: camera.focalLength / Double(step),
        principalPoint: camera.principalPoint / Double(step), size: size),
      worldFromCamera: worldFromCamera, timestampSeconds: timestampSeconds)
  }
}
