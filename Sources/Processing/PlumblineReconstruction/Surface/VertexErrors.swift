/// The parts of the ± of vertices, apart, since other parts (poses, scale) are added to them.
///
/// σ² = noise² + shared²/views, along the normal.
package struct VertexErrors: Sendable {
  /// One standard deviation of the mean of the pixels' own noise, √(Σ w² σ_d²)/W, in meters: σ_d is the noise
  /// along the normal, and its share of 1/w the mean of a block.
  package var noiseMeters: [Float]
  /// One standard deviation along the normal of the error that the pixels of one view share, in meters; NaN where
  /// no view was counted.
  package var sharedMeters: [Float]
  /// The number of independent views whose mean has the same shared error, at least 1; 0 where no view was counted.
  ///
  /// Errors agree by 1/e after a second, or ten degrees of the direction to the camera.
  package var views: [Float]

  /// Both parts together for each vertex, in meters.
  package var sigmaMeters: [Float] {
    noiseMeters.indices.map { i in
      let shared = sharedMeters[i] * sharedMeters[i] / max(1, views[i])
      return (noiseMeters[i] * noiseMeters[i] + shared).squareRoot()
    }
  }
}
