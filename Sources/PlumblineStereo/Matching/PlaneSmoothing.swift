import CStereoKernels

/// Draws each disparity to the plane that fits its neighborhood.
///
/// Whole disparities of a leaning surface come in steps and the noise of neighbors is their own; a
/// plane through those that differ little has neither. Missing pixels stay missing.
enum PlaneSmoothing {
  /// Replaces each value by that of the plane at its place.
  static func apply(
    to disparity: UnsafeMutablePointer<Float>, width: Int, height: Int, radius: Int,
    tolerance: Float, threads: Int
  ) {
    // Strips of 16 pixels may reach beyond the end of a row.
    let stride = width + 2 * radius + 16
    let padded = MatchingMemory<Float>(count: stride * (height + 2 * radius), repeating: .nan)
    nonisolated(unsafe) let (source, target) = (padded.base, disparity)
    for y in 0..<height {
      (source + (y + radius) * stride + radius).update(from: target + y * width, count: width)
    }
    forEachPart(of: 0..<height, threads: threads) { rows in
      for y in rows {
        plb_stereo_smooth(
          source + (y + radius) * stride + radius, stride, width, Int32(radius), tolerance,
          target + y * width)
      }
    }
  }
}
