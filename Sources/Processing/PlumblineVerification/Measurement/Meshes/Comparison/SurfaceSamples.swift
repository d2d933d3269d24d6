/// Places on a surface, each for the same area, where it is compared.
package struct SurfaceSamples: Sendable {
  /// One place.
  package struct Sample: Sendable {
    /// In meters.
    package let point: SIMD3<Double>
    /// The ± there, in meters; NaN where none is known.
    package let sigma: Double
    /// The vertices of its triangle.
    package let corners: SIMD3<Int32>
    /// The part of each.
    package let shares: SIMD3<Double>
  }

  /// The samples, by triangle.
  package let samples: [Sample]

  /// Spreads places over the area of the triangles; triangles without area, as of points, get one each.
  ///
  /// Along the sum of areas they are evenly apart; inside their triangles they follow the sequence of R₂, so
  /// that the same surface has the same places.
  ///
  /// - Parameters:
  ///   - surface: The surface.
  ///   - count: About how many, above 0.
  /// - Returns: The samples; none for a surface without triangles. Cost: O(*n* + `count`).
  /// - Source: M. Roberts 2018, *The unreasonable effectiveness of quasirandom sequences*: powers of
  ///   1/1.32471795724474602596.
  package static func spread(over surface: MeasurableMesh, count: Int) -> SurfaceSamples {
    let areas = surface.triangles.indices.map { surface.doubledArea($0).norm }
    let whole = areas.reduce(0, +)
    var samples: [Sample] = []
    guard whole > 0 else {
      // Points: evenly by their order.
      let step = max(1, surface.triangles.count / max(1, count))
      for index in stride(from: 0, to: surface.triangles.count, by: step) {
        samples.append(sample(surface, index, [1, 0, 0]))
      }
      return SurfaceSamples(samples: samples)
    }
    samples.reserveCapacity(count)
    let step = whole / Double(max(1, count))
    var (sum, next) = (0.0, step / 2)
    for (index, area) in areas.enumerated() {
      sum += area
      while next < sum {
        let place = Double(samples.count) + 1
        var u = (0.7548776662466927 * place).truncatingRemainder(dividingBy: 1)
        var v = (0.5698402909980532 * place).truncatingRemainder(dividingBy: 1)
        if u + v > 1 { (u, v) = (1 - u, 1 - v) }
        samples.append(sample(surface, index, [1 - u - v, u, v]))
        next += step
      }
    }
    return SurfaceSamples(samples: samples)
  }

  private static func sample(
    _ surface: MeasurableMesh, _ triangle: Int, _ shares: SIMD3<Double>
  ) -> Sample {
    let (a, b, c) = surface.corners(triangle)
    let corners = surface.triangles[triangle]
    return Sample(
      point: a * shares.x + b * shares.y + c * shares.z,
      sigma: surface.sigma(corners, shares), corners: corners, shares: shares)
  }
}

extension MeasurableMesh {
  /// The ± inside a triangle, that of its corners by their parts; NaN where one has none.
  func sigma(_ corners: SIMD3<Int32>, _ shares: SIMD3<Double>) -> Double {
    guard let sigmas else { return .nan }
    return (0..<3).reduce(0) { sum, corner in
      shares[corner] == 0 ? sum : sum + shares[corner] * sigmas[Int(corners[corner])]
    }
  }

  /// The ± at a place on a triangle, in meters; NaN where none is known.
  func sigma(at place: NearestPlace) -> Double {
    let (a, b, c) = corners(place.triangle)
    let normal = (b - a).cross(c - a)
    let square = normal.dot(normal)
    let second = (place.point - a).cross(c - a).dot(normal)
    let third = (b - a).cross(place.point - a).dot(normal)
    let shares: SIMD3<Double> =
      square > 0 ? [1 - (second + third) / square, second / square, third / square] : [1, 0, 0]
    return sigma(triangles[place.triangle], shares)
  }
}
