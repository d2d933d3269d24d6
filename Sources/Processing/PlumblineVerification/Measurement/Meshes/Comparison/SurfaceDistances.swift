/// The nearest place of a surface.
package struct NearestPlace: Hashable, Sendable {
  /// The place, in meters.
  package var point: SIMD3<Double>
  /// The triangle that it lies on, in the surface's order.
  package var triangle: Int

  /// Creates a place.
  package init(point: SIMD3<Double>, triangle: Int) {
    self.point = point
    self.triangle = triangle
  }
}

/// Finds the nearest places of a surface: what surfaces are compared and aligned by.
package protocol SurfaceDistances: Sendable {
  /// The place of the surface that is nearest to a point.
  ///
  /// Of several triangles that share it, the one that the point lies farthest above or below is named, so
  /// that its normal says on which side the point is.
  ///
  /// - Parameter point: Finite, in meters.
  /// - Returns: `nil` for a surface without triangles. Deterministic.
  func nearest(to point: SIMD3<Double>) -> NearestPlace?
}
