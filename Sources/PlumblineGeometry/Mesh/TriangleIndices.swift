/// The three corners of a triangle as positions in a list, counter-clockwise seen from outside.
///
/// Twelve bytes without padding, so that an array of them lies in memory as files write it.
public struct TriangleIndices: BitwiseCopyable, Hashable, Sendable {
  /// The first corner.
  public var first: UInt32
  /// The second corner.
  public var second: UInt32
  /// The third corner.
  public var third: UInt32

  /// Creates a triangle from its corners.
  @inlinable
  public init(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// The corner at position 0, 1 or 2, which is not checked beyond that.
  @inlinable
  public subscript(corner: Int) -> Int {
    Int(corner == 0 ? first : corner == 1 ? second : third)
  }

  /// The maximum of the three.
  @inlinable public var maximum: UInt32 { max(first, max(second, third)) }

  /// Whether two corners are the same, so that there is no area.
  @inlinable public var repeatsCorner: Bool {
    first == second || second == third || third == first
  }
}
