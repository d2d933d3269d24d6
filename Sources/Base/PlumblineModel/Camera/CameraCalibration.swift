/// All that a producer states about the camera of one image.
public struct CameraCalibration: Hashable, Sendable {
  /// The pinhole model, with the size of the image that it belongs to.
  public var intrinsics: PinholeIntrinsics
  /// The pitch of a pixel in millimeters; nominal in Apple's files, `nil` when not given.
  public var pixelSizeMillimeters: Double?
  /// The lens distortion that is still present in the image; `nil` when not given.
  public var distortion: LensDistortion?
  /// The camera's pose relative to the producer's reference camera; `nil` when not given.
  public var extrinsics: CameraExtrinsics?

  /// Creates a calibration from its parts.
  public init(
    intrinsics: PinholeIntrinsics, pixelSizeMillimeters: Double? = nil,
    distortion: LensDistortion? = nil, extrinsics: CameraExtrinsics? = nil
  ) {
    self.intrinsics = intrinsics
    self.pixelSizeMillimeters = pixelSizeMillimeters
    self.distortion = distortion
    self.extrinsics = extrinsics
  }

  /// Projects a point in the camera frame to the image, with lens distortion; not finite for z = 0.
  public func pixel(of pointInCamera: SIMD3<Double>) -> SIMD2<Double> {
    let undistorted = intrinsics.project(pointInCamera)
    return distortion?.distorted(undistorted) ?? undistorted
  }

  /// The calibration of the image resampled to another size of the same aspect ratio.
  ///
  /// - Precondition: `intrinsics.matchesAspect(of: target)`.
  public func scaled(to target: RasterSize) -> CameraCalibration {
    let scale = target.scale(from: intrinsics.size)
    return CameraCalibration(
      intrinsics: intrinsics.scaled(to: target),
      pixelSizeMillimeters: pixelSizeMillimeters.map { $0 / scale.x },
      distortion: distortion?.scaled(by: scale), extrinsics: extrinsics)
  }

  /// The calibration of a rectangle cut out of the image.
  ///
  /// - Precondition: The rectangle lies inside.
  public func cropped(to rectangle: PixelRectangle) -> CameraCalibration {
    CameraCalibration(
      intrinsics: intrinsics.cropped(to: rectangle), pixelSizeMillimeters: pixelSizeMillimeters,
      distortion: distortion?.shifted(by: SIMD2(Double(rectangle.x), Double(rectangle.y))),
      extrinsics: extrinsics)
  }

  /// The calibration of the image rotated or mirrored to be upright.
  public func oriented(by orientation: ImageOrientation) -> CameraCalibration {
    CameraCalibration(
      intrinsics: intrinsics.oriented(by: orientation), pixelSizeMillimeters: pixelSizeMillimeters,
      distortion: distortion?.oriented(by: orientation, from: intrinsics.size),
      extrinsics: extrinsics?.oriented(by: orientation))
  }
}
