public import PlumblineEffects
public import PlumblineImages
public import PlumblineModel

extension StereoViews {
  /// Both views beside each other, the left one left, upright.
  public func sideBySide(orientation: ImageOrientation) -> Raster<RGB8> {
    let left = self.left.oriented(by: orientation)
    let right = self.right.oriented(by: orientation)
    let size = RasterSize(width: left.width + right.width, height: left.height)
    let samples = (0..<size.height).flatMap { Array(left.row($0)) + Array(right.row($0)) }
    return Raster(size: size, samples: samples)
  }
}

extension EffectPhoto {
  /// Two views as a spatial photo, upright, as headsets show them.
  ///
  /// - Throws: ``EffectError`` where the scene has no meters or no camera, ``PhotoWritingError``.
  public func spatialPhoto(
    _ views: StereoViews, _ scene: EffectScene, options: PhotoWritingOptions
  ) throws -> [UInt8] {
    guard let baseline = views.baselineMeters, let camera = views.intrinsics else {
      throw EffectError(
        .missing, effect: "stereo", expected: "depth in meters and a camera for a spatial photo",
        found: scene.isMetric ? "no camera" : "relative depth")
    }
    let turned = camera.oriented(by: scene.orientation)
    let photo = SpatialPhoto(
      left: views.left.oriented(by: scene.orientation),
      right: views.right.oriented(by: scene.orientation), intrinsics: turned,
      baselineMillimeters: baseline * 1000, metadata: metadata)
    return try SpatialPhotoWriter().bytes(of: photo, options: options)
  }
}
