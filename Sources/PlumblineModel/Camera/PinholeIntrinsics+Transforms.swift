extension PinholeIntrinsics {
  /// The same camera for an image resampled to another size.
  ///
  /// - Source: `c' = (c + ½)·s − ½`, which Apple's own scaled intrinsics follow to 0.007 px.
  /// - Precondition: The aspect ratios agree; see ``matchesAspect(of:)``.
  public func scaled(to target: RasterSize) -> PinholeIntrinsics {
    precondition(matchesAspect(of: target), "\(size) cannot be scaled to \(target) without a crop")
    let scale = target.scale(from: size)
    // Pixel centers are integers, so the image starts at −½: shift to the corner, scale, shift back.
    return PinholeIntrinsics(
      focalLength: focalLength * scale, principalPoint: (principalPoint + 0.5) * scale - 0.5,
      size: target)
  }

  /// The same camera for a rectangle cut out of the image.
  ///
  /// - Precondition: The rectangle lies inside and is not empty.
  public func cropped(to rectangle: PixelRectangle) -> PinholeIntrinsics {
    precondition(rectangle.isInside(size), "\(rectangle) is not inside \(size)")
    return PinholeIntrinsics(
      focalLength: focalLength,
      principalPoint: principalPoint - SIMD2(Double(rectangle.x), Double(rectangle.y)),
      size: rectangle.size)
  }

  /// The same camera for the image turned or mirrored to be upright.
  ///
  /// The camera frame turns with the image; see ``Rotation/init(turning:)``.
  public func oriented(by orientation: ImageOrientation) -> PinholeIntrinsics {
    PinholeIntrinsics(
      focalLength: orientation.swapsAxes ? [focalLength.y, focalLength.x] : focalLength,
      principalPoint: orientation.upright(principalPoint, in: size),
      size: orientation.uprightSize(of: size))
  }
}

extension RasterSize {
  /// Columns and rows of this size per column and row of another one.
  func scale(from other: RasterSize) -> SIMD2<Double> {
    SIMD2(Double(width) / Double(other.width), Double(height) / Double(other.height))
  }
}
