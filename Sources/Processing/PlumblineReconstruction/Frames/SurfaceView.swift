package import PlumblineModel

/// A surface as one camera sees it: what frames are registered against.
///
/// It is drawn from a model by casting a ray for each pixel, or made from the depths of another frame.
package struct SurfaceView: Sendable {
  /// Meters along the optical axis of the camera; missing where no surface is seen.
  package var depth: DepthMap
  /// Unit vectors out of the surface, toward the camera, in the camera's axes; NaN where there is none.
  package var normals: Raster<PackedPoint>
  /// One standard deviation of the surface along its normal, in meters; NaN where it is not known.
  package var sigmaMeters: Raster<Float>
  /// The color of each pixel; `nil` without color.
  package var color: Raster<RGB8>?
  /// The pinhole camera.
  package var camera: PinholeIntrinsics
  /// The pose of the camera that sees it.
  package var worldFromCamera: RigidTransform

  /// Collects a view.
  ///
  /// - Precondition: All parts have the size of the depth map.
  package init(
    depth: DepthMap, normals: Raster<PackedPoint>, sigmaMeters: Raster<Float>,
    color: Raster<RGB8>? = nil, camera: PinholeIntrinsics, worldFromCamera: RigidTransform
  ) {
    let sizes = [normals.size, sigmaMeters.size, color?.size ?? depth.size, camera.size]
    precondition(sizes.allSatisfy { $0 == depth.size }, "\(sizes) for a map of \(depth.size)")
    self.depth = depth
    self.normals = normals
    self.sigmaMeters = sigmaMeters
    self.color = color
    self.camera = camera
    self.worldFromCamera = worldFromCamera
  }
}
