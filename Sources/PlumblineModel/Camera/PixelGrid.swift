/// Which point of the first pixel has the coordinate 0.
///
/// Apple's documentation and Apple's own resampling disagree; see
/// `Documentation/decisions/0001-pixel-centers-are-integers.md`. Coordinates inside this package
/// are always index-centered; the grid only says how a *source's* numbers are meant.
public enum PixelGrid: Sendable, CaseIterable {
  /// The center of the first pixel is 0, as measured on Apple's own scaled intrinsics.
  case indexCentered
  /// The top-left corner of the first pixel is 0, as Apple's documentation words it.
  case cornerBased

  /// A coordinate of this grid as index-centered coordinate.
  public func indexCentered(_ coordinate: SIMD2<Double>) -> SIMD2<Double> {
    self == .indexCentered ? coordinate : coordinate - 0.5
  }
}
