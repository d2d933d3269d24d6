/// A place in a shown image that a person touched, in shares of its width and height.
///
/// (0, 0) is the upper left corner of the image as it is shown, (1, 1) the lower right one.
public struct TouchedPlace: Hashable, Sendable {
  /// The shares, each from 0 to less than 1.
  public let share: SIMD2<Double>

  /// Takes a place in shares; `nil` outside of the image.
  public init?(share: SIMD2<Double>) {
    guard share.x >= 0, share.y >= 0, share.x < 1, share.y < 1 else { return nil }
    self.share = share
  }

  /// Takes a touch in a view that the image fills; `nil` outside of it and for a view without a size.
  ///
  /// - Parameters:
  ///   - location: The touch in the view's points, `x` right and `y` down from its corner.
  ///   - viewSize: The view's width and height in points.
  public init?(location: SIMD2<Double>, viewSize: SIMD2<Double>) {
    guard viewSize.x > 0, viewSize.y > 0 else { return nil }
    self.init(share: location / viewSize)
  }

  /// The place in the image that is not mirrored.
  ///
  /// - Parameter isMirror: Whether the shown image is mirrored left to right.
  /// - Returns: Shares of the image's width and height.
  func unmirrored(_ isMirror: Bool) -> SIMD2<Double> {
    isMirror ? SIMD2(1 - share.x, share.y) : share
  }
}
