/// A 3×3 orthogonal matrix, held by its columns; a mirror has determinant −1.
public struct Rotation: Hashable, Sendable {
  /// The direction to which the first axis is rotated.
  public var x: SIMD3<Double>
  /// The direction to which the second axis is rotated.
  public var y: SIMD3<Double>
  /// The direction to which the third axis is rotated.
  public var z: SIMD3<Double>

  /// Creates a matrix from its columns; they are taken as given.
  public init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The turn of the camera frame that goes with turning its image: `uprightFromStored`.
  public init(turning orientation: ImageOrientation) {
    let axes = orientation.uprightFromStoredAxes
    self.init(x: SIMD3(axes.x, 0), y: SIMD3(axes.y, 0), z: [0, 0, 1])
  }

  /// No rotation.
  public static let identity = Rotation(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])

  /// The matrix times a vector.
  public static func * (rotation: Rotation, vector: SIMD3<Double>) -> SIMD3<Double> {
    rotation.x * vector.x + rotation.y * vector.y + rotation.z * vector.z
  }

  /// `aFromC = aFromB * bFromC`: the right one turns first.
  public static func * (aFromB: Rotation, bFromC: Rotation) -> Rotation {
    Rotation(x: aFromB * bFromC.x, y: aFromB * bFromC.y, z: aFromB * bFromC.z)
  }

  /// The transpose, which undoes an orthogonal matrix.
  public var inverse: Rotation {
    Rotation(x: [x.x, y.x, z.x], y: [x.y, y.y, z.y], z: [x.z, y.z, z.z])
  }

  /// The largest absolute entry of `RᵀR − 1`: 0 for an exact orthogonal matrix.
  public var orthogonalityError: Double {
    let product = inverse * self
    let identity = Rotation.identity
    let differences = [product.x - identity.x, product.y - identity.y, product.z - identity.z]
    return differences.reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
  }
}
