import PlumblineModel

/// Two cameras of one image size, and the rotation between them that fits rays best.
struct CameraPair {
  let first: CameraModel
  let second: CameraModel

  /// A ray of the first camera.
  struct Ray {
    /// Its pixel.
    var pixel: SIMD2<Double>
    /// Its direction with `z` = 1; `nil` where the lens has none.
    var direction: SIMD3<Double>?
    /// The ± of both sides at the pixel, in pixels; `nil` where none states it.
    var sigmaPixels: Double?
    /// Whether a board was seen there; `nil` where no side says.
    var isCovered: Bool?

    /// A difference in units of its ±; `nil` without one above 0.
    func sigmas(of difference: SIMD2<Double>) -> Double? {
      sigmaPixels.flatMap { $0 > 0 ? difference.length / $0 : nil }
    }

    /// The ray as a rotation is fitted to it.
    var sample: Sample? {
      direction.map { Sample(pixel: pixel, direction: $0) }
    }
  }

  /// A ray and the pixel that it should be seen at.
  struct Sample {
    var pixel: SIMD2<Double>
    var direction: SIMD3<Double>
  }

  /// The ray at a position in the image, given as shares of its width and height.
  func ray(at share: SIMD2<Double>, _ maps: [ProjectionUncertainty]) -> Ray {
    let size = SIMD2(Double(first.intrinsics.size.width), Double(first.intrinsics.size.height))
    let pixel = share * size - 0.5
    // Both sides are asked at one position: cells are far larger than any difference that counts.
    let variance = maps.reduce(0.0) { sum, map in
      let sigma = map.sigmaShare(at: share) * size.x
      return sum + sigma * sigma
    }
    return Ray(
      pixel: pixel, direction: direction(of: pixel),
      sigmaPixels: maps.isEmpty ? nil : variance.squareRoot(),
      isCovered: maps.isEmpty ? nil : maps.contains { $0.isCovered(at: share) })
  }

  /// Rays around the principal point, as where a rotation is taken out of
  /// ``BoardFit/projectionUncertainty(columns:rows:misses:lens:)``.
  var middleSamples: [Sample] {
    let radius = BoardFit.turnRadiusShare * Double(first.intrinsics.size.width)
    return (0..<169).compactMap { step in
      let offset = SIMD2(Double(step % 13 - 6), Double(step / 13 - 6)) / 6 * radius
      guard offset.length <= radius else { return nil }
      let pixel = first.intrinsics.principalPoint + offset
      return direction(of: pixel).map { Sample(pixel: pixel, direction: $0) }
    }
  }

  /// Second minus first for a ray after a rotation; `nil` without a counterpart.
  func difference(_ ray: Ray, _ secondFromFirst: Rotation) -> SIMD2<Double>? {
    let size = SIMD2(Double(second.intrinsics.size.width), Double(second.intrinsics.size.height))
    guard let direction = ray.direction, let seen = pixel(of: secondFromFirst * direction),
      seen.x >= -0.5, seen.y >= -0.5, seen.x <= size.x - 0.5, seen.y <= size.y - 0.5
    else { return nil }
    return seen - ray.pixel
  }

  private func direction(of pixel: SIMD2<Double>) -> SIMD3<Double>? {
    first.unproject(pixel).flatMap { ray in
      ray.x.isFinite && ray.y.isFinite ? SIMD3(ray, 1) : nil
    }
  }

  /// Where the second camera sees a direction; `nil` where its lens folds the image over, so that
  /// the pixel is that of another ray.
  private func pixel(of direction: SIMD3<Double>) -> SIMD2<Double>? {
    guard let pixel = second.project(direction), pixel.x.isFinite, pixel.y.isFinite,
      let back = second.unproject(pixel)
    else { return nil }
    let ray = SIMD2(direction.x, direction.y) / direction.z
    // Lenses are inverted to 1e-7 px or better; a fold leads to a ray elsewhere.
    return (back - ray).length <= 1e-6 * (1 + ray.length) ? pixel : nil
  }
}
