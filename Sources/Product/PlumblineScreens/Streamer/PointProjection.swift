public import PlumblineModel

/// How the points of a frame come to the screen, laid out as a shader reads it.
public struct PointProjection: Hashable, Sendable {
  /// What turns points in the axes of the stored depth map into Metal's clip space.
  ///
  /// Clip space has `x` right and `y` up from −1 to 1 and `z` from 0, near, to 1, far, after the
  /// division by `w`.
  /// - Source: Apple, *Metal Shading Language Specification*, and *Using a Render Pipeline to Render
  ///   Primitives*: the near plane is at 0.
  public let clipFromCamera: TransformMatrix
  /// The side of a point in pixels of the view is this number times its `z` divided by its `w`.
  ///
  /// Neighbors of the depth map then touch where the camera is at home.
  public let pointScale: Float

  /// Creates a projection.
  ///
  /// - Parameters:
  ///   - camera: The camera that looks.
  ///   - orientation: What turns the stored map upright.
  ///   - isMirror: Whether left and right change places, as users expect of a front camera.
  ///   - intrinsics: The depth camera's at the size of its stored map; `nil` for a view of 60° along
  ///     the longer side.
  ///   - viewSize: The width and height of the view in pixels, above 0.
  public init(
    _ camera: OrbitCamera, orientation: ImageOrientation, isMirror: Bool,
    intrinsics: PinholeIntrinsics?, viewSize: SIMD2<Double>
  ) {
    let aspect = viewSize.x > 0 && viewSize.y > 0 ? viewSize.x / viewSize.y : 1
    let focal = Self.focalLength(intrinsics, orientation, viewAspect: aspect)
    let pixelsPerUnit = focal * max(viewSize.y, 1) / 2
    let step = intrinsics.map { 1 / min($0.focalLength.x, $0.focalLength.y) } ?? 0.002
    pointScale = Float(pixelsPerUnit * step)
    clipFromCamera =
      Self.clip(focal: focal, aspect: aspect, distance: camera.distance)
      * Self.view(camera) * Self.viewerFromCamera(orientation, isMirror: isMirror)
  }

  /// The focal length in halves of the view's height, so that the whole upright image is in view.
  private static func focalLength(
    _ intrinsics: PinholeIntrinsics?, _ orientation: ImageOrientation, viewAspect: Double
  ) -> Double {
    // A view of 60° along the longer side: 1/tan 30°, in halves of that side.
    guard let intrinsics, intrinsics.size.pixelCount > 0 else {
      return 1.732 * min(viewAspect, 1)
    }
    let size = orientation.uprightSize(of: intrinsics.size)
    let focal = intrinsics.focalLength
    let shown = orientation.swapsAxes ? SIMD2(focal.y, focal.x) : focal
    // Both the width and the height have to fit.
    return min(
      2 * shown.y / Double(size.height), 2 * shown.x / Double(size.width) * viewAspect)
  }

  /// Points of the stored map's camera, turned as the image is shown, in viewer axes.
  static func viewerFromCamera(
    _ orientation: ImageOrientation, isMirror: Bool
  ) -> TransformMatrix {
    let shown = isMirror ? orientation.followed(by: .upMirrored) : orientation
    let axes = shown.uprightFromStoredAxes
    return TransformMatrix(
      SIMD4(Float(axes.x.x), -Float(axes.x.y), 0, 0),
      SIMD4(Float(axes.y.x), -Float(axes.y.y), 0, 0),
      SIMD4(0, 0, -1, 0), SIMD4(0, 0, 0, 1))
  }

  /// What turns points of the world into those of the eye, which looks along −z.
  static func view(_ camera: OrbitCamera) -> TransformMatrix {
    let (right, up, back) = camera.axes
    let eye = camera.eye
    func column(_ axis: Int) -> SIMD4<Float> {
      SIMD4(Float(right[axis]), Float(up[axis]), Float(back[axis]), 0)
    }
    func along(_ direction: SIMD3<Double>) -> Float { -Float((direction * eye).sum()) }
    return TransformMatrix(
      column(0), column(1), column(2), SIMD4(along(right), along(up), along(back), 1))
  }

  /// Perspective, with planes that hold a cloud seen from that distance.
  private static func clip(focal: Double, aspect: Double, distance: Double) -> TransformMatrix {
    let (near, far) = (Float(distance * 0.01), Float(distance * 100))
    let scale = far / (near - far)
    return TransformMatrix(
      SIMD4(Float(focal / aspect), 0, 0, 0), SIMD4(0, Float(focal), 0, 0),
      SIMD4(0, 0, scale, -1), SIMD4(0, 0, near * scale, 0))
  }
}
