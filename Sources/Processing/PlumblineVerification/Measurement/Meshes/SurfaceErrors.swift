/// What the errors of a surface's vertices have in common, beside what each has for itself.
///
/// Two fields move vertices that are near each other alike: one along their normals, as slow errors of depth
/// do, and one by the same vector, as errors of poses do. The correlation of both at the distance d is
/// exp(−d²/L²). A third error makes all lengths wrong by a share.
package struct SurfaceErrors: Hashable, Sendable {
  /// σ of the field along the normals, in meters.
  package var alongNormalMeters: Double
  /// σ of the field of displacements, of each coordinate, in meters.
  package var ofPlaceMeters: Double
  /// L, the distance at which the correlation has fallen to 1/e, in meters.
  package var nearMeters: Double
  /// σ of the share by which all lengths are wrong, without unit.
  package var lengthShare: Double

  /// Creates errors from their parts.
  ///
  /// - Precondition: All are at least 0 and finite; L is above 0 where a field is.
  package init(
    alongNormalMeters: Double = 0, ofPlaceMeters: Double = 0, nearMeters: Double = 0,
    lengthShare: Double = 0
  ) {
    let all = [alongNormalMeters, ofPlaceMeters, nearMeters, lengthShare]
    precondition(all.allSatisfy { $0 >= 0 && $0.isFinite }, "errors of \(all)")
    precondition(
      nearMeters > 0 || alongNormalMeters + ofPlaceMeters == 0, "fields without a length")
    self.alongNormalMeters = alongNormalMeters
    self.ofPlaceMeters = ofPlaceMeters
    self.nearMeters = nearMeters
    self.lengthShare = lengthShare
  }

  /// The variance that the fields give a vertex along its normal, in m².
  var nearVariance: Double {
    alongNormalMeters * alongNormalMeters + ofPlaceMeters * ofPlaceMeters
  }
}
