package import PlumblineModel

/// The surface as single frames saw it: odometry from keyframe to frame, without a volume.
///
/// A frame becomes a keyframe when the camera has moved; with limits of 0 each one does, which is odometry from
/// frame to frame.
package struct KeyframeModel: FusedModel {
  /// The motion after which a frame becomes a keyframe, in meters.
  package let maximumMeters: Double
  /// The rotation after which it does, in radians.
  package let maximumRadians: Double
  /// How many keyframes are kept; older ones are dropped.
  package let limit: Int
  private var views: [SurfaceView] = []

  /// Creates a model without frames.
  ///
  /// - Precondition: The limit is at least 1.
  package init(maximumMeters: Double = 0.03, maximumRadians: Double = 0.1, limit: Int = 32) {
    precondition(limit >= 1, "a model of \(limit) keyframes")
    self.maximumMeters = maximumMeters
    self.maximumRadians = maximumRadians
    self.limit = limit
  }

  /// Keeps the frame if no keyframe is near.
  package mutating func integrate(
    _ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int
  ) {
    if let nearest = nearest(worldFromCamera), nearest.distance <= 1 { return }
    if views.count == limit { views.removeFirst() }
    views.append(frame.surfaceView(worldFromCamera: worldFromCamera, threads: threads))
  }

  /// The view of the nearest keyframe.
  ///
  /// - Precondition: A frame was integrated.
  package func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    guard let nearest = nearest(worldFromCamera) else {
      preconditionFailure("a view of a model without frames")
    }
    return views[nearest.index]
  }

  /// The keyframe with the smallest distance in units of the limits; the latest of equal ones.
  private func nearest(_ worldFromCamera: RigidTransform) -> (index: Int, distance: Double)? {
    var best: (index: Int, distance: Double)?
    for (index, view) in views.enumerated() {
      let motion = view.worldFromCamera.inverse * worldFromCamera
      let distance =
        motion.distanceMeters / max(maximumMeters, 1e-9)
        + motion.angleRadians / max(maximumRadians, 1e-9)
      if distance <= best?.distance ?? .infinity { best = (index, distance) }
    }
    return best
  }
}
