public import PlumblineModel
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

/// The part of an image that a benchmark evaluates.
public enum EvaluationCrop: String, Sendable, CaseIterable {
  /// All of it.
  case none
  /// Eigen's of NYU Depth v2, inside the white border of the 640×480 images.
  case nyu
  /// Eigen's of KITTI.
  case eigen
  /// Garg's of KITTI.
  case garg

  /// The rectangle in a map of a size.
  ///
  /// - Parameter size: The truth's size; those of other sizes than the benchmark's are scaled alike.
  /// - Returns: A rectangle inside, to whole pixels.
  /// - Source: NYU: D. Eigen, C. Puhrsch, R. Fergus, NIPS 2014, rows 45 to 471 and columns 41 to 601 of
  ///   640×480, as the toolboxes of Lee et al. (BTS) and Bhat et al. (AdaBins) have it. KITTI: shares of
  ///   the sides 0.3324324, 0.91351351, 0.0359477, 0.96405229 (Eigen) and 0.40810811, 0.99189189,
  ///   0.03594771, 0.96405229 (R. Garg et al., ECCV 2016), truncated, as in Monodepth's
  ///   `evaluate_kitti.py`.
  public func rectangle(in size: RasterSize) -> PixelRectangle {
    let (width, height) = (Double(size.width), Double(size.height))
    func rectangle(
      _ top: Double, _ bottom: Double, _ left: Double, _ right: Double
    ) -> PixelRectangle {
      let (x, y) = (Int(left * width), Int(top * height))
      return PixelRectangle(
        x: x, y: y, width: max(Int(right * width) - x, 0), height: max(Int(bottom * height) - y, 0))
    }
    switch self {
    case .none: return PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    case .nyu:
      // Integers, since 45/480 of 480 must be 45 whatever the rounding.
      let (x, y) = (41 * size.width / 640, 45 * size.height / 480)
      return PixelRectangle(
        x: x, y: y, width: 601 * size.width / 640 - x, height: 471 * size.height / 480 - y)
    case .eigen: return rectangle(0.3324324, 0.91351351, 0.0359477, 0.96405229)
    case .garg: return rectangle(0.40810811, 0.99189189, 0.03594771, 0.96405229)
    }
  }

  /// The largest depth that the benchmark counts, in meters; `nil` for no bound.
  ///
  /// - Source: 10 m for NYU and 80 m for KITTI, as above.
  public var capMeters: Double? {
    switch self {
    case .none: nil
    case .nyu: 10
    case .eigen, .garg: 80
    }
  }

  /// The least depth that any benchmark counts, in meters.
  ///
  /// - Source: `min_depth_eval` of BTS and AdaBins.
  package static let leastMeters = 1e-3
}
