/// A marker of a board where an image shows it.
struct FoundMarker {
  /// The marker's number.
  var id: Int
  /// Its corners in pixels: top-left, top-right, bottom-right, bottom-left as the marker is read.
  var corners: [SIMD2<Double>]
  /// The map of the marker's unit square to pixels.
  var pixelFromMarker: PlaneHomography
  /// The map back.
  var markerFromPixel: PlaneHomography
  /// The number of corrected cells.
  var wrongCells: Int

  /// The center in pixels, where the diagonals cross.
  var center: SIMD2<Double> { pixelFromMarker(SIMD2(0.5, 0.5)) }

  /// Creates one; `nil` when the corners determine no map.
  init?(id: Int, corners: [SIMD2<Double>], wrongCells: Int) {
    guard let map = PlaneHomography(unitSquareTo: corners), let back = map.inverse else {
      return nil
    }
    self.id = id
    self.corners = corners
    self.wrongCells = wrongCells
    pixelFromMarker = map
    markerFromPixel = back
  }
}
