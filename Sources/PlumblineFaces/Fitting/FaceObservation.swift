public import PlumblineModel

/// What one image says of one face: its landmarks, the camera, and the depth beside them.
///
/// Image and depth map are of one camera, upright, and have one field of view.
public struct FaceObservation: Sendable {
  /// The landmarks, in pixels of the image; `nil` where the face is turned away, which a recording
  /// follows by depth alone.
  public var landmarks: FaceLandmarks?
  /// The camera of the image.
  public var camera: CameraCalibration
  /// The measured surface; `nil` without metric depth.
  public var depth: MeasuredSurface?

  /// Creates an observation from its parts.
  public init(
    landmarks: FaceLandmarks?, camera: CameraCalibration, depth: MeasuredSurface? = nil
  ) {
    self.landmarks = landmarks
    self.camera = camera
    self.depth = depth
  }

  /// The landmarks 0…467 where a camera without distortion would have seen them, as directions: `x / z`
  /// and `y / z`; none without landmarks.
  var directions: [SIMD2<Double>] {
    guard let landmarks else { return [] }
    return landmarks.points.prefix(FaceLandmarks.meshCount).map { direction(of: $0) }
  }

  /// Where a camera without distortion would have seen a pixel, as `x / z` and `y / z`.
  func direction(of point: SIMD2<Float>) -> SIMD2<Double> {
    let pixel = SIMD2(Double(point.x), Double(point.y))
    let straight = camera.distortion?.undistorted(pixel) ?? pixel
    return (straight - camera.intrinsics.principalPoint) / camera.intrinsics.focalLength
  }

  /// Pixels for each unit of direction, the mean of both axes.
  var focalLength: Double {
    (camera.intrinsics.focalLength.x + camera.intrinsics.focalLength.y) / 2
  }
}
