/// A point of the camera frame in single precision: 12 bytes without padding.
///
/// Frame: `x` right, `y` down, `z` forward. Unit: meters, or the relative unit of a relative map.
public struct PackedPoint: BitwiseCopyable, Hashable, Sendable {
  /// Right.
  public var x: Float
  /// Down.
  public var y: Float
  /// Forward: the depth.
  public var z: Float

  /// Creates a point from its coordinates.
  @inlinable
  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The point in double precision.
  @inlinable public var vector: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}
