/// A matrix of four columns for homogeneous coordinates, laid out as a shader's `float4x4`.
public struct TransformMatrix: Hashable, Sendable {
  /// The columns.
  public var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  /// Creates a matrix from its columns.
  public init(
    _ x: SIMD4<Float>, _ y: SIMD4<Float>, _ z: SIMD4<Float>, _ w: SIMD4<Float>
  ) {
    columns = (x, y, z, w)
  }

  /// Whether all entries are equal.
  public static func == (a: TransformMatrix, b: TransformMatrix) -> Bool {
    a.columns.0 == b.columns.0 && a.columns.1 == b.columns.1 && a.columns.2 == b.columns.2
      && a.columns.3 == b.columns.3
  }

  /// Hashes all entries.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns.0)
    hasher.combine(columns.1)
    hasher.combine(columns.2)
    hasher.combine(columns.3)
  }

  /// The product with a vector.
  public static func * (matrix: TransformMatrix, vector: SIMD4<Float>) -> SIMD4<Float> {
    matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
      + matrix.columns.3 * vector.w
  }

  /// The product of two matrices: `aFromB * bFromC` is `aFromC`.
  public static func * (a: TransformMatrix, b: TransformMatrix) -> TransformMatrix {
    TransformMatrix(a * b.columns.0, a * b.columns.1, a * b.columns.2, a * b.columns.3)
  }
}
