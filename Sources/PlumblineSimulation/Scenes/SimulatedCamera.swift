public import PlumblineModel

/// A camera that sees a scene exactly as its calibration says, lens distortion included.
public struct SimulatedCamera: Sendable {
  /// The true calibration; what a file *claims* may differ, see `CalibrationFault`.
  public var calibration: CameraCalibration
  /// Where the camera stands: its frame is `x` right, `y` down, `z` forward, in meters.
  public var sceneFromCamera: RigidTransform

  /// Creates a camera; without a transform its frame is the scene's.
  public init(calibration: CameraCalibration, sceneFromCamera: RigidTransform = .identity) {
    self.calibration = calibration
    self.sceneFromCamera = sceneFromCamera
  }

  /// The size of its image.
  public var size: RasterSize { calibration.intrinsics.size }

  /// The same camera with its image resampled to another size of the same aspect ratio.
  public func scaled(to size: RasterSize) -> SimulatedCamera {
    SimulatedCamera(calibration: calibration.scaled(to: size), sceneFromCamera: sceneFromCamera)
  }

  /// The ray that a point of the distorted image sees; its parameter is depth in meters.
  ///
  /// - Parameter pixel: Pixels, not necessarily whole; the first pixel center is (0, 0).
  /// - Returns: A ray of the scene, from the camera's center.
  public func ray(through pixel: SIMD2<Double>) -> Ray {
    let ideal = calibration.distortion?.undistorted(pixel) ?? pixel
    let directionInCamera = calibration.intrinsics.unproject(ideal, depth: 1)
    return Ray(
      origin: sceneFromCamera.translation,
      direction: sceneFromCamera.rotation * directionInCamera)
  }

  /// Where a point of the scene falls on the distorted image; not finite in the camera's plane.
  public func pixel(of pointInScene: SIMD3<Double>) -> SIMD2<Double> {
    calibration.pixel(of: sceneFromCamera.inverse * pointInScene)
  }
}
