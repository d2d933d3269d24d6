import PlumblineModel
import PlumblineVision

extension Plane {
  /// The distance from the plane, negative behind it; O(1).
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    dot(point - self.point, unitNormal)
  }
}

extension OrientedBox {
  /// The exact distance from faces, edges and corners; O(1).
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    let place = turned(point - center, by: rotation.inverse)
    let beyond = SIMD3(abs(place.x), abs(place.y), abs(place.z)) - halfSize
    let outside = pointwiseMax(beyond, .zero)
    return length(outside) + min(beyond.max(), 0)
  }
}

extension Ellipsoid {
  /// The exact distance, to rounding; O(1).
  ///
  /// The nearest place has the coordinates `r·y/(u + r − 1)`, with `r = (semiaxis/smallest)²` and the one
  /// root `u > 0` of a function that falls and is convex there, so that Newton's steps from the left never
  /// pass it.
  /// - Source: D. Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid",
  ///   Geometric Tools, 2013, §3; Newton's method in place of its bisection.
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    let turnedPoint = turned(point - center, by: rotation.inverse)
    // By symmetry; a coordinate of 0 is moved by less than 1e-12 of the axis, which moves the result as little.
    let place = pointwiseMax(
      SIMD3(abs(turnedPoint.x), abs(turnedPoint.y), abs(turnedPoint.z)), semiaxes * 1e-12)
    let smallest = semiaxes.min()
    let ratios = (semiaxes / smallest) * (semiaxes / smallest)
    let scaled = place / semiaxes
    let numerators = ratios * scaled
    // The term of the smallest axis alone reaches 1 here, so the root lies at or beyond it.
    var u = 0.0
    for axis in 0..<3 where ratios[axis] == 1 { u = max(u, scaled[axis]) }
    for _ in 0..<120 {
      let divisors = ratios + (u - 1)
      let terms = numerators / divisors
      let value = dot(terms, terms) - 1
      let slope = -2 * dot(terms, terms / divisors)
      let next = u - value / slope
      guard next > u * (1 + 1e-15) else { break }
      u = next
    }
    let nearest = ratios * place / (ratios + (u - 1))
    let distance = length(place - nearest)
    return dot(scaled, scaled) < 1 ? -distance : distance
  }
}

extension BlendedSolid {
  /// The distance beyond which only a lower bound is given.
  package static let exactDistance = 0.02

  /// The distance from the blended surface, to a micrometer near it.
  ///
  /// A foot of the perpendicular is searched: onto the surface along the gradient, then along the surface
  /// toward the point. Beyond ``exactDistance`` of the field's value, the value itself is given, which is at
  /// most the distance; so is it where the search does not end, as near the center of a hollow. Where two sides
  /// of a crease are almost as near, the foot may be that on the other side.
  ///
  /// Cost: O(parts), some twenty times near the surface.
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    let start = field(at: point)
    guard abs(start) < Self.exactDistance else { return start }
    var foot = point
    for _ in 0..<200 {
      let (value, gradient) = fieldAndGradient(at: foot)
      let square = dot(gradient, gradient)
      guard square > 1e-12 else { return start }
      let onto = foot - gradient * (value / square)
      let rest = point - onto
      let along = rest - gradient * (dot(rest, gradient) / square)
      // A part of the step, so that points up to their radius outside of a bulge lead to its foot.
      let next = onto + along * 0.6
      let step = length(next - foot)
      foot = next
      if step < 1e-8 {
        let distance = length(point - foot)
        return start < 0 ? -distance : distance
      }
    }
    return start
  }
}

extension BoardSurface {
  /// The distance from the sheet, never negative; O(1).
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    let size = SIMD2(Double(board.columns), Double(board.rows)) * board.squareMeters
    let place = sceneFromBoard.inverse * point
    let nearest = SIMD3(
      min(max(place.x, -marginMeters), size.x + marginMeters),
      min(max(place.y, -marginMeters), size.y + marginMeters), 0)
    return length(place - nearest)
  }
}

extension SimulatedScene {
  /// The distance of a point from all surfaces together, in meters; negative inside of a body.
  ///
  /// Outside of all bodies it is exact as far as that of each surface is; inside, what bodies hide of each
  /// other counts as surface, so that the distance may be too short there, and is right next to what can be
  /// seen.
  ///
  /// - Returns: Infinity for a scene without surfaces. Cost: O(surfaces).
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    var nearest = Double.infinity
    for surface in surfaces {
      if let ball = surface.bounds, length(point - ball.center) - ball.radius > nearest { continue }
      nearest = min(nearest, surface.signedDistance(to: point))
    }
    return nearest
  }
}
