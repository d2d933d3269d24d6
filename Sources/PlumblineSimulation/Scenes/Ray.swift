internal import PlumblineModel

/// A half-line in the scene.
///
/// Its parameter counts lengths of `direction`; camera rays have a direction whose `z` is 1 in the
/// camera frame, so that the parameter of a hit *is* its depth.
public struct Ray: Sendable {
  /// The origin of the ray, in meters.
  public var origin: SIMD3<Double>
  /// Where it goes; not necessarily of length 1.
  public var direction: SIMD3<Double>

  /// Creates a ray from its parts.
  public init(origin: SIMD3<Double>, direction: SIMD3<Double>) {
    self.origin = origin
    self.direction = direction
  }

  /// The point at a parameter.
  public func point(at parameter: Double) -> SIMD3<Double> { origin + direction * parameter }
}

func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }
func length(_ a: SIMD3<Double>) -> Double { dot(a, a).squareRoot() }
func normalized(_ a: SIMD3<Double>) -> SIMD3<Double> { a / length(a) }

/// `rotation * vector`, inside this module so that the renderer's innermost loops can inline it.
@inline(__always)
func turned(_ vector: SIMD3<Double>, by rotation: Rotation) -> SIMD3<Double> {
  rotation.x * vector.x + rotation.y * vector.y + rotation.z * vector.z
}
