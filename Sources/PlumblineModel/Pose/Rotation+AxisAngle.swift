#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension Rotation {
  /// The rotation about a vector's direction by its length in radians, as OpenCV's `Rodrigues`;
  /// `nil` unless the vector is finite and at most 1e6 long.
  ///
  /// - Source: O. Rodrigues' formula `R = 1 + sin θ·K + (1 − cos θ)·K²` with `K` the cross product
  ///   matrix of the unit axis; here as the quaternion `(sin ½θ·axis, cos ½θ)`.
  public init?(axisAngle vector: SIMD3<Double>) {
    let angle = (vector * vector).sum().squareRoot()
    guard angle <= 1e6 else { return nil }
    // sin(½θ)/θ goes to ½ − θ²/48; below 1e-4 the next term is under 1e-19.
    let factor = angle < 1e-4 ? 0.5 - angle * angle / 48 : sin(angle / 2) / angle
    self.init(quaternion: SIMD4(vector * factor, cos(angle / 2)))
  }

  /// The axis times the angle in radians, 0 to π.
  ///
  /// - Precondition: The determinant is +1.
  public var axisAngle: SIMD3<Double> {
    let q = quaternion
    let sine = (q.x * q.x + q.y * q.y + q.z * q.z).squareRoot()
    let vector = SIMD3(q.x, q.y, q.z)
    // The quaternion's real part is at least 0, so the angle is at most π.
    return sine < 1e-9 ? vector * 2 : vector * (2 * atan2(sine, q.w) / sine)
  }
}
