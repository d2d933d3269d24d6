#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A 3×3 orthogonal matrix, stored by its columns; a reflection has determinant −1.
public struct Rotation: Hashable, Sendable {
  /// The direction to which the first axis is rotated.
  public var x: SIMD3<Double>
  /// The direction to which the second axis is rotated.
  public var y: SIMD3<Double>
  /// The direction to which the third axis is rotated.
  public var z: SIMD3<Double>

  /// Creates a matrix from its columns, which are not checked.
  public init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The rotation of the camera frame when its image is rotated or mirrored: `uprightFromStored`.
  public init(turning orientation: ImageOrientation) {
    let axes = orientation.uprightFromStoredAxes
    self.init(x: SIMD3(axes.x, 0), y: SIMD3(axes.y, 0), z: [0, 0, 1])
  }

  /// No rotation.
  public static let identity = Rotation(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])

  /// The matrix times a vector.
  package static func * (rotation: Rotation, vector: SIMD3<Double>) -> SIMD3<Double> {
    rotation.x * vector.x + rotation.y * vector.y + rotation.z * vector.z
  }

  /// `aFromC = aFromB * bFromC`: the right factor is applied first.
  package static func * (aFromB: Rotation, bFromC: Rotation) -> Rotation {
    Rotation(x: aFromB * bFromC.x, y: aFromB * bFromC.y, z: aFromB * bFromC.z)
  }

  /// The transpose, which is the inverse of an orthogonal matrix.
  public var inverse: Rotation {
    Rotation(x: [x.x, y.x, z.x], y: [x.y, y.y, z.y], z: [x.z, y.z, z.z])
  }

  /// The maximum absolute entry of `RᵀR − 1`: 0 for an exactly orthogonal matrix.
  public var orthogonalityError: Double {
    let product = inverse * self
    let identity = Rotation.identity
    let differences = [product.x - identity.x, product.y - identity.y, product.z - identity.z]
    return differences.reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
  }
}

extension Rotation {
  /// The rotation of a quaternion `w + x·i + y·j + z·k` (Hamilton); it need not have length 1.
  ///
  /// A quaternion and its negative give the same rotation. It is `nil` unless all parts are finite
  /// and the length is from 1e-6 to 1e6.
  ///
  /// - Parameter quaternion: The vector part in `x`, `y`, `z`, the real part in `w`, as ROS, TUM
  ///   and Record3D order them; COLMAP writes the real part first.
  /// - Source: The matrix of `q·v·q*`; B. K. P. Horn, *Closed-form solution of absolute orientation
  ///   using unit quaternions*, J. Opt. Soc. Am. A 4, 1987, §3.
  public init?(quaternion: SIMD4<Double>) {
    let length = (quaternion * quaternion).sum().squareRoot()
    // NaN lies outside every range.
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
  /// The part with the maximum magnitude is computed from the diagonal, and the others are divided
  /// by it, so that no rotation loses digits. An orthogonality error of the matrix is not removed.
  ///
  /// - Precondition: The determinant is +1; a reflection has no quaternion.
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

  /// The determinant: 1 for a rotation, −1 for a reflection.
  public var determinant: Double {
    let cross = SIMD3(
      x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
    return (cross * z).sum()
  }

  /// Creates a rotation from a rounded matrix; the conversion to ``quaternion`` and back removes
  /// the rounding.
  ///
  /// It is `nil` unless all numbers are finite, the columns are orthonormal within `tolerance` and
  /// the determinant is positive.
  public init?(
    columns x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>, tolerance: Double = 1e-3
  ) {
    let written = Rotation(x: x, y: y, z: z)
    // Comparisons with NaN are false.
    guard written.orthogonalityError <= tolerance, written.determinant > 0 else { return nil }
    // A matrix that is already orthogonal to rounding stays unchanged, bit by bit.
    if written.orthogonalityError < 1e-14 {
      self = written
    } else {
      guard let rotation = Rotation(quaternion: written.quaternion) else { return nil }
      self = rotation
    }
  }
}

extension Rotation {
  /// The rotation about a vector by its length in radians, as OpenCV's `Rodrigues`; `nil` unless
  /// the vector is finite and at most 1e6 long.
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
