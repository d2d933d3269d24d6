/// A corner of an image, and what it looks like, so that it can be found again in another.
struct ImageFeature: Sendable {
  /// Where it lies, in pixels of the image.
  var position: SIMD2<Double>
  /// The level of the pyramid on which it was seen: 0 is the image, each next one half as large.
  var level: Int
  /// The direction in which the patch is brighter, of length 1; (1, 0) where it was not requested.
  var direction: SIMD2<Double>
  /// One bit for each of 256 pairs of positions around it: whether the second is brighter.
  var descriptor: SIMD4<UInt64>
}

/// The pairs of positions that descriptors compare.
///
/// - Source: M. Calonder et al., "BRIEF: Binary Robust Independent Elementary Features", ECCV 2010:
///   256 pairs, both ends normally distributed with a variance of S²/25 in a patch of S = 31 pixels;
///   turned with the patch as in E. Rublee et al., "ORB", ICCV 2011.
enum DescriptorPattern {
  /// The farthest that a position lies from the corner along an axis, in pixels.
  static let reach = 15

  /// Four numbers for each pair: x and y of the first position, x and y of the second.
  static let places: [Int8] = {
    var draws = FixedDraws(seed: 0x706c_756d_6270_6174)
    // Twelve uniform draws add up to a nearly normal one of variance 4 in units of their width.
    return (0..<1024).map { _ in
      var sum = 0.0
      for _ in 0..<12 { sum += draws.signedUnit() }
      return Int8(max(-Double(reach), min(Double(reach), (sum / 2 * 31 / 5).rounded())))
    }
  }()
}
