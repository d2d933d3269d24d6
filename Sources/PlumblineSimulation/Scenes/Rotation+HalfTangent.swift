public import PlumblineModel

extension Rotation {
  /// A turn about the `x` axis by the angle θ with tan(θ/2) given; needs no sine.
  public static func aboutX(halfTangent: Double) -> Rotation {
    let (cosine, sine) = cosineAndSine(halfTangent)
    return Rotation(x: [1, 0, 0], y: [0, cosine, sine], z: [0, -sine, cosine])
  }

  /// A turn about the `y` axis by the angle θ with tan(θ/2) given.
  public static func aboutY(halfTangent: Double) -> Rotation {
    let (cosine, sine) = cosineAndSine(halfTangent)
    return Rotation(x: [cosine, 0, -sine], y: [0, 1, 0], z: [sine, 0, cosine])
  }

  /// A turn about the `z` axis by the angle θ with tan(θ/2) given.
  public static func aboutZ(halfTangent: Double) -> Rotation {
    let (cosine, sine) = cosineAndSine(halfTangent)
    return Rotation(x: [cosine, sine, 0], y: [-sine, cosine, 0], z: [0, 0, 1])
  }

  /// The rational parametrization of the circle: exact to rounding on every platform.
  private static func cosineAndSine(_ t: Double) -> (Double, Double) {
    ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
  }
}
