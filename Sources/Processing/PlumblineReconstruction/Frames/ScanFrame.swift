package import PlumblineModel

/// One frame of a recording as registration and fusion take it: rectified depth with the ± of each pixel.
package struct ScanFrame: Sendable {
  /// Meters along the optical axis, free from lens distortion; missing pixels are ignored.
  package var depth: DepthMap
  /// One standard deviation of each pixel's own noise along the optical axis, in meters; a pixel where it is
  /// not finite and above 0 is no surface: it carves nothing and adds nothing.
  package var noiseMeters: Raster<Float>
  /// The error along the optical axis that neighboring pixels and successive frames share; no mean of them
  /// lowers it.
  package var shared: SigmaCurve
  /// The pinhole camera of the depth map, at its size.
  package var camera: PinholeIntrinsics
  /// Any size with the field of view of the depth map; `nil` for none.
  package var color: Raster<RGB8>?
  /// The recorded pose; `nil` for a recording without poses.
  package var worldFromCamera: RigidTransform?
  /// The time on the recording's clock; `nil` where it has none.
  package var timestampSeconds: Double?

  /// Collects a frame.
  ///
  /// - Precondition: ± and camera have the size of the map, which has pixels; a color image has pixels.
  package init(
    depth: DepthMap, noiseMeters: Raster<Float>, shared: SigmaCurve, camera: PinholeIntrinsics,
    color: Raster<RGB8>? = nil, worldFromCamera: RigidTransform? = nil,
    timestampSeconds: Double? = nil
  ) {
    precondition(
      noiseMeters.size == depth.size && camera.size == depth.size && depth.size.pixelCount > 0,
      "a ± of \(noiseMeters.size) and a camera of \(camera.size) for a map of \(depth.size)")
    precondition(color?.size.pixelCount != 0, "a color image without pixels")
    self.depth = depth
    self.noiseMeters = noiseMeters
    self.shared = shared
    self.camera = camera
    self.color = color
    self.worldFromCamera = worldFromCamera
    self.timestampSeconds = timestampSeconds
  }
}
