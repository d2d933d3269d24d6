public import PlumblineModel

/// A half-line in the scene.
///
/// Its parameter is in units of `direction`. Camera rays have a direction with `z` = 1 in the
/// camera frame, so the parameter of a hit *is* its depth.
package struct Ray: Sendable {
  /// The origin of the ray, in meters.
  package var origin: SIMD3<Double>
  /// The direction, not necessarily a unit vector.
  package var direction: SIMD3<Double>

  /// Creates a ray from its parts.
  package init(origin: SIMD3<Double>, direction: SIMD3<Double>) {
    self.origin = origin
    self.direction = direction
  }

  /// The point at a parameter.
  package func point(at parameter: Double) -> SIMD3<Double> { origin + direction * parameter }
}

func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }
func length(_ a: SIMD3<Double>) -> Double { dot(a, a).squareRoot() }
func normalized(_ a: SIMD3<Double>) -> SIMD3<Double> { a / length(a) }

/// `rotation * vector`, inside this module so that the renderer's innermost loops can inline it.
@inline(__always)
func turned(_ vector: SIMD3<Double>, by rotation: Rotation) -> SIMD3<Double> {
  rotation.x * vector.x + rotation.y * vector.y + rotation.z * vector.z
}

extension Rotation {
  /// A rotation about a unit axis by the angle θ, given tan(θ/2); needs no sine.
  ///
  /// - Source: Rodrigues' formula with `cos θ = (1 − t²)/(1 + t²)`, `sin θ = 2t/(1 + t²)`.
  public static func about(_ unitAxis: SIMD3<Double>, halfTangent t: Double) -> Rotation {
    let cosine = (1 - t * t) / (1 + t * t)
    let sine = 2 * t / (1 + t * t)
    func column(_ vector: SIMD3<Double>) -> SIMD3<Double> {
      vector * cosine + cross(unitAxis, vector) * sine
        + unitAxis * (dot(unitAxis, vector) * (1 - cosine))
    }
    return Rotation(x: column([1, 0, 0]), y: column([0, 1, 0]), z: column([0, 0, 1]))
  }

  /// The orientation of a camera that looks in a direction, with an upright image.
  ///
  /// - Parameters:
  ///   - direction: The direction of its `z` axis; any length except 0.
  ///   - down: The approximate direction of its `y` axis; not parallel to `direction`.
  /// - Returns: The axes of the camera in the frame of the arguments.
  package static func looking(
    along direction: SIMD3<Double>, down: SIMD3<Double> = [0, 1, 0]
  ) -> Rotation {
    let z = normalized(direction)
    let x = normalized(cross(down, z))
    return Rotation(x: x, y: cross(z, x), z: z)
  }
}

func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

extension Rotation {
  /// A rotation about the `x` axis by the angle θ, given tan(θ/2); needs no sine.
  package static func aboutX(halfTangent: Double) -> Rotation {
    let (cosine, sine) = cosineAndSine(halfTangent)
    return Rotation(x: [1, 0, 0], y: [0, cosine, sine], z: [0, -sine, cosine])
  }

  /// A rotation about the `y` axis by the angle θ, given tan(θ/2).
  package static func aboutY(halfTangent: Double) -> Rotation {
    let (cosine, sine) = cosineAndSine(halfTangent)
    return Rotation(x: [cosine, 0, -sine], y: [0, 1, 0], z: [sine, 0, cosine])
  }

  /// A rotation about the `z` axis by the angle θ, given tan(θ/2).
  package static func aboutZ(halfTangent: Double) -> Rotation {
    let (cosine, sine) = cosineAndSine(halfTangent)
    return Rotation(x: [cosine, sine, 0], y: [-sine, cosine, 0], z: [0, 0, 1])
  }

  /// The rational parametrization of the circle: exact to rounding on every platform.
  private static func cosineAndSine(_ t: Double) -> (Double, Double) {
    ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
  }
}
