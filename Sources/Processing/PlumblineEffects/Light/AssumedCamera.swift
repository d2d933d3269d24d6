internal import PlumblineModel

extension PinholeIntrinsics {
  /// A camera for a photo that knows none: 26 mm of 35 mm film, as the wide cameras of phones have.
  static func assumed(for size: RasterSize) -> PinholeIntrinsics {
    // Video is 36 mm wide; the longer side counts.
    let focal = Double(max(size.width, size.height, 1)) * 26 / 36
    return PinholeIntrinsics(
      focalLength: [focal, focal],
      principalPoint: [Double(size.width - 1) / 2, Double(size.height - 1) / 2], size: size)
  }
}

extension EffectScene {
  /// Notes about a camera that is the photo's own statement; empty for a calibrated one.
  var statedCameraNotes: [EffectNote] {
    statedCamera.map { [EffectNote(.statedCamera, "the focal length is the photo's own: \($0)")] }
      ?? []
  }
}

extension EffectNote {
  /// The note about the assumed camera.
  static let assumedCamera = EffectNote(
    .assumedCamera, "the photo knows no camera: a lens of 26 mm (35 mm film) is assumed")
}

extension ImageOrientation {
  /// The direction of the upright photo's top in stored pixels, one of the four.
  var upInStored: SIMD2<Float> {
    let size = RasterSize(width: 3, height: 3)
    let origin = upright(SIMD2(1, 1), in: size)
    let right = upright(SIMD2(2, 1), in: size) - origin
    let down = upright(SIMD2(1, 2), in: size) - origin
    return SIMD2(Float(-right.y), Float(-down.y))
  }
}
