public import PlumblineModel

extension Rotation {
  /// A turn about a unit axis by the angle θ with tan(θ/2) given; needs no sine.
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

  /// The camera that looks from one point at another, its image upright.
  ///
  /// - Parameters:
  ///   - direction: Where its `z` axis points; any length but 0.
  ///   - down: What its `y` axis comes near to; not parallel to the direction.
  /// - Returns: The axes of the camera in the frame of the arguments.
  public static func looking(
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
