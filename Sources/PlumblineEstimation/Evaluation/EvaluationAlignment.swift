import PlumblineNumerics

/// The alignment of a prediction with the truth before its evaluation.
public enum EvaluationAlignment: String, Sendable, CaseIterable {
  /// Not at all.
  case none
  /// Multiplied by the ratio of the medians.
  case median
  /// Multiplied by what makes the squared error least.
  case scale
  /// Multiplied and shifted so that the squared error is least.
  case scaleShift = "scale-shift"

  /// The factor and the offset for pairs of prediction and truth, in the space in which they are given;
  /// `nil` where they determine none.
  ///
  /// - Source: the ratio of medians, T. Zhou et al., CVPR 2017, 4.1; least squares, R. Ranftl et al.,
  ///   TPAMI 2022, eq. 4.
  func line(_ pairs: [(prediction: Double, truth: Double)]) -> (scale: Double, shift: Double)? {
    guard !pairs.isEmpty else { return nil }
    var (pp, p, pt, t) = (0.0, 0.0, 0.0, 0.0)
    for pair in pairs {
      pp += pair.prediction * pair.prediction
      p += pair.prediction
      pt += pair.prediction * pair.truth
      t += pair.truth
    }
    let count = Double(pairs.count)
    var scale = 1.0
    var shift = 0.0
    switch self {
    case .none: break
    case .median:
      scale = (pairs.map(\.truth).median ?? .nan) / (pairs.map(\.prediction).median ?? .nan)
    case .scale: scale = pt / pp
    case .scaleShift:
      let determinant = pp * count - p * p
      guard determinant > 1e-12 * pp * count else { return nil }
      scale = (pt * count - p * t) / determinant
      shift = (pp * t - p * pt) / determinant
    }
    return scale.isFinite && shift.isFinite ? (scale, shift) : nil
  }
}
