extension Rotation {
  /// The rotation of a quaternion `w + x·i + y·j + z·k` (Hamilton); it need not have length 1.
  ///
  /// A quaternion and its negative are one rotation. It is `nil` unless all parts are finite and
  /// the length is from 1e-6 to 1e6.
  ///
  /// - Parameter quaternion: The vector part in `x`, `y`, `z`, the real part in `w`, as ROS, TUM and
  ///   Record3D order them; COLMAP writes the real part first.
  /// - Source: The matrix of `q·v·q*`; B. K. P. Horn, *Closed-form solution of absolute orientation
  ///   using unit quaternions*, J. Opt. Soc. Am. A 4, 1987, §3.
  public init?(quaternion: SIMD4<Double>) {
    let length = (quaternion * quaternion).sum().squareRoot()
    // NaN is outside of every range.
    guard (1e-6...1e6).contains(length) else { return nil }
    let q = quaternion / length
    let square = q * q
    self.init(
      x: [
        1 - 2 * (square.y + square.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w),
      ],
      y: [
        2 * (q.x * q.y - q.z * q.w), 1 - 2 * (square.x + square.z), 2 * (q.y * q.z + q.x * q.w),
      ],
      z: [
        2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (square.x + square.y),
      ])
  }

  /// The unit quaternion of the rotation, vector part in `x`, `y`, `z`, real part in `w` ≥ 0.
  ///
  /// Of the four parts the largest is taken from the diagonal and divides the others, so that no
  /// rotation loses digits. The matrix's own error of orthogonality comes through.
  ///
  /// - Precondition: The determinant is +1; a mirror has no quaternion.
  /// - Source: S. W. Shepperd, *Quaternion from rotation matrix*, J. Guidance and Control 1, 1978.
  public var quaternion: SIMD4<Double> {
    let trace = x.x + y.y + z.z
    var q: SIMD4<Double>
    if trace >= max(x.x, y.y, z.z) {
      q = [y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace]
    } else if x.x >= max(y.y, z.z) {
      q = [1 + 2 * x.x - trace, x.y + y.x, x.z + z.x, y.z - z.y]
    } else if y.y >= z.z {
      q = [x.y + y.x, 1 + 2 * y.y - trace, y.z + z.y, z.x - x.z]
    } else {
      q = [x.z + z.x, y.z + z.y, 1 + 2 * z.z - trace, x.y - y.x]
    }
    q /= (q * q).sum().squareRoot()
    return q.w < 0 ? -q : q
  }

  /// The determinant: 1 for a rotation, −1 for a mirror.
  public var determinant: Double {
    let cross = SIMD3(
      x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
    return (cross * z).sum()
  }

  /// Takes a written matrix as a rotation, its rounding removed by a trip through ``quaternion``.
  ///
  /// It is `nil` unless all numbers are finite, the columns are orthonormal within `tolerance` and
  /// the determinant is positive.
  public init?(
    columns x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>, tolerance: Double = 1e-3
  ) {
    let written = Rotation(x: x, y: y, z: z)
    // NaN passes no comparison.
    guard written.orthogonalityError <= tolerance, written.determinant > 0 else { return nil }
    // What is orthogonal to rounding already stays as it is, bit by bit.
    if written.orthogonalityError < 1e-14 {
      self = written
    } else {
      guard let rotation = Rotation(quaternion: written.quaternion) else { return nil }
      self = rotation
    }
  }
}
