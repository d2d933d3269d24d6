extension LensDistortion {
  /// The magnification offset from undistorted to distorted at an undistorted radius.
  public func distortingMagnification(atRadius radius: Double) -> Double {
    if let distorting { return offset(of: distorting, at: radius) }
    return inverted(undistorting, at: radius)
  }

  /// The magnification offset from distorted to undistorted at a distorted radius.
  public func undistortingMagnification(atRadius radius: Double) -> Double {
    if let undistorting { return offset(of: undistorting, at: radius) }
    return inverted(distorting, at: radius)
  }

  private func offset(of magnification: RadialMagnification, at radius: Double) -> Double {
    magnification.offset(
      atRadius: radius, maximumRadius: maximumRadius, pixelSizeMillimeters: pixelSizeMillimeters)
  }

  /// Inverts the other direction at a radius by bisection, to 1e-9 of the radius.
  ///
  /// Bisection converges for tables that are not monotonic in `m`, as Apple's are not.
  private func inverted(_ magnification: RadialMagnification?, at radius: Double) -> Double {
    guard let magnification else { return 0 }
    if radius == 0 { return 1 / (1 + offset(of: magnification, at: 0)) - 1 }
    var low = 0.0
    var high = 2 * radius
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if middle * (1 + offset(of: magnification, at: middle)) < radius {
        low = middle
      } else {
        high = middle
      }
    }
    return (low + high) / 2 / radius - 1
  }

  /// The same lens for an image resampled by a factor for its columns and one for its rows.
  ///
  /// Radii follow the columns: sizes rounded to whole pixels make the factors differ by less than
  /// a pixel over the image.
  func scaled(by scale: SIMD2<Double>) -> LensDistortion {
    var copy = self
    copy.center = (center + 0.5) * scale - 0.5
    copy.maximumRadius = maximumRadius * scale.x
    copy.pixelSizeMillimeters = pixelSizeMillimeters / scale.x
    return copy
  }

  /// The same lens for an image whose first pixel was another one's (`x`, `y`).
  func shifted(by origin: SIMD2<Double>) -> LensDistortion {
    var copy = self
    copy.center = center - origin
    return copy
  }

  /// The same lens for the image turned or mirrored to be upright.
  func oriented(by orientation: ImageOrientation, from size: RasterSize) -> LensDistortion {
    var copy = self
    copy.center = orientation.upright(center, in: size)
    return copy
  }
}
