import PlumblineModel
import PlumblineNumerics

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

extension CameraPair {
  /// The rotation of the whole camera after which the second one sees rays closest to where the
  /// first one does, by least squares over all rays alike.
  ///
  /// The ± of pixels is no weight here: it has a rotation taken out, so it is nearly zero around the
  /// middle, and a few cells would decide alone.
  ///
  /// Gauss and Newton's steps from no rotation, each halved until it helps: two to four suffice
  /// for calibrations of one device.
  /// - Parameters:
  ///   - samples: The rays; those that the second camera does not see unrotated do not count.
  ///   - count: How many rays it takes.
  /// - Returns: The rotation; `nil` for fewer rays, or rays that determine none.
  func rotation(fittedTo samples: [Sample], atLeast count: Int) -> Rotation? {
    let seen = samples.filter { second.project($0.direction).map(Self.isFinite) ?? false }
    guard seen.count >= count else { return nil }
    var rotation = Rotation.identity
    guard var cost = cost(of: rotation, seen) else { return nil }
    for _ in 0..<30 {
      guard let step = step(from: rotation, seen) else { return nil }
      var share = 1.0
      var next: (rotation: Rotation, cost: Double)?
      while next == nil, share > 1e-3 {
        if let turn = Rotation(axisAngle: step * share),
          let lower = self.cost(of: turn * rotation, seen),
          lower < cost
        {
          next = (turn * rotation, lower)
        }
        share /= 2
      }
      // Nothing lowers the sum any more beyond rounding.
      guard let next else { return rotation }
      (rotation, cost) = next
    }
    return rotation
  }

  /// The sum of squares in square pixels; `nil` where a ray is not seen.
  func cost(of secondFromFirst: Rotation, _ samples: [Sample]) -> Double? {
    var sum = 0.0
    for sample in samples {
      guard let seen = second.project(secondFromFirst * sample.direction) else { return nil }
      let miss = seen - sample.pixel
      sum += (miss * miss).sum()
    }
    return sum.isFinite ? sum : nil
  }

  /// The small rotation, axis times angle in radians, that should follow a rotation; `nil` where
  /// the rays determine none.
  private func step(from secondFromFirst: Rotation, _ samples: [Sample]) -> SIMD3<Double>? {
    var normal = SymmetricMatrix(count: 3)
    var side = SIMD3<Double>.zero
    for sample in samples {
      let direction = secondFromFirst * sample.direction
      guard let seen = second.projectWithDerivatives(direction) else { return nil }
      let miss = sample.pixel - seen.pixel
      // A rotation by ω moves the direction v by ω × v, so a pixel by ω · (v × its slope).
      let slopes = [
        (direction.cross(seen.columnByPoint), miss.x), (direction.cross(seen.rowByPoint), miss.y),
      ]
      for (slope, miss) in slopes {
        side += slope * miss
        for row in 0..<3 {
          for column in 0..<3 {
            normal[row, column] += slope[row] * slope[column]
          }
        }
      }
    }
    guard let factor = normal.cholesky else { return nil }
    let solution = factor.solve([side.x, side.y, side.z])
    let step = SIMD3(solution[0], solution[1], solution[2])
    return solution.allSatisfy(\.isFinite) ? step : nil
  }

  private static func isFinite(_ pixel: SIMD2<Double>) -> Bool {
    pixel.x.isFinite && pixel.y.isFinite
  }
}
