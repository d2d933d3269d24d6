/// A point of the scene that was found in both images.
public struct PairMatch: Hashable, Sendable {
  /// Its position in the left image, in pixels.
  public var left: SIMD2<Double>
  /// Its position in the right image, in pixels.
  public var right: SIMD2<Double>

  /// Joins two positions.
  public init(left: SIMD2<Double>, right: SIMD2<Double>) {
    self.left = left
    self.right = right
  }
}
