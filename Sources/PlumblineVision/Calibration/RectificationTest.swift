public import PlumblineModel

/// Whether images are already freed from lens distortion, as their pixels say.
///
/// Each candidate for the lens is fitted to the same corners. One candidate beats another when it is
/// better by a tenth and better view by view: corners within a view err together, so views are what
/// is counted.
/// - Source: the paired form of Q. H. Vuong, *Likelihood Ratio Tests for Model Selection*,
///   Econometrica 57 (1989) 307–333, on the logarithms of the views' residual sums.
public struct RectificationTest: Hashable, Sendable {
  /// What the pixels say.
  public enum Answer: String, Sendable, CaseIterable {
    /// A pinhole explains the images: they are rectified.
    case yes
    /// A distorted lens explains them better: they are not.
    case no
    /// The views do not tell.
    case unknown
  }

  /// A candidate for the lens and how well it does.
  public struct Model: Hashable, Sendable {
    /// `focal`, `radial`, `table-inverse` or `table-forward`, as in `verify --json`.
    public var name: String
    /// The focal length along the columns in pixels.
    public var focal: Double
    /// Its honest standard deviation in pixels; see ``CalibrationEstimate/sigma(of:)``.
    public var sigma: Double
    /// The root mean square distance of corners in pixels; behind a table in rectified pixels.
    public var rmsPixels: Double
  }

  /// The smallest ratio of two candidates' residuals that makes a difference.
  public static let leastRatio = 1.1
  /// The share of the half diagonal that corners must reach to call a lens straight unseen.
  public static let leastReach = 0.6

  /// What the pixels say.
  public var answer: Answer
  /// The candidates in the order `focal`, `radial`, `table-inverse`, `table-forward`; those that the
  /// views or the factory's calibration do not allow are absent.
  public var models: [Model]
  /// One sentence with the numbers behind the answer.
  public var reason: String

  /// Tests views of a board.
  ///
  /// - Parameters:
  ///   - views: Views of boards, none mirrored.
  ///   - factory: The producer's calibration; scaled to the views when of the same shape.
  ///   - minimumCorners: The fewest corners of a view that is used.
  /// - Throws: ``CalibrationError`` when the views do not tell a focal length for a pinhole.
  public init(
    views: [BoardView], factory: CameraCalibration, minimumCorners: Int = 10
  ) throws(CalibrationError) {
    let factory = try factory.matching(views)
    let camera = CameraModel(intrinsics: factory.intrinsics)
    let flexible = CameraCalibrator(
      free: [.focal, .radial1, .radial2, .radial3], minimumCorners: minimumCorners)
    // The most flexible candidate decides which corners are outliers, for all of them alike.
    let views =
      (try? flexible.calibrate(views, initial: camera))
      .map { views.keepingCorners(of: $0) } ?? views
    var plain = CameraCalibrator(loss: .squared, minimumCorners: minimumCorners)
    let focal = Candidate("focal", try plain.calibrate(views, initial: camera))
    var others: [Candidate] = []
    if let lens = factory.distortion, !lens.isZero {
      for (name, move) in [("table-inverse", lens.undistorted), ("table-forward", lens.distorted)] {
        let moved = views.map { $0.moved(by: move) }
        if let estimate = try? plain.calibrate(moved, initial: camera) {
          others.append(Candidate(name, estimate))
        }
      }
    }
    plain.free = flexible.free
    if let estimate = try? plain.calibrate(views, initial: camera) {
      others.insert(Candidate("radial", estimate), at: 0)
    }
    models = [focal.model] + others.map(\.model)
    (answer, reason) = Self.judge(
      focal, others, reach: views.reach(around: factory.intrinsics.principalPoint))
  }

  private static func judge(
    _ focal: Candidate, _ others: [Candidate], reach: Double
  ) -> (Answer, String) {
    let rms = { (candidate: Candidate) in "\(candidate.model.name) \(candidate.roundedRms) px" }
    let better = others.filter { $0.isBetter(than: focal) }
    if let best = better.min(by: { $0.model.rmsPixels < $1.model.rmsPixels }) {
      return (.no, "corners fit \(rms(best)), \(rms(focal))")
    }
    if let table = others.first(where: { $0.model.name == "table-inverse" }) {
      return focal.isBetter(than: table)
        ? (.yes, "corners fit \(rms(focal)), \(rms(table))")
        : (.unknown, "corners do not tell \(rms(focal)) from \(rms(table))")
    }
    guard let radial = others.first, reach >= leastReach else {
      return (.unknown, "corners stay in the middle or are too few to tell a lens")
    }
    return (.yes, "corners fit \(rms(focal)), no better \(rms(radial))")
  }
}

/// A fitted candidate with what each view leaves unexplained.
private struct Candidate {
  var model: RectificationTest.Model
  /// The sum of squared distances of each view.
  var squares: [Double]

  init(_ name: String, _ estimate: CalibrationEstimate) {
    model = RectificationTest.Model(
      name: name, focal: estimate.focal, sigma: estimate.focalSigma ?? 0,
      rmsPixels: estimate.rmsPixels)
    squares = estimate.views.map { $0.rmsPixels * $0.rmsPixels * Double($0.corners.count) }
  }

  var roundedRms: Double { (model.rmsPixels * 1000).rounded() / 1000 }

  /// Whether it is better by a tenth, and that is no chance of which views were taken.
  func isBetter(than other: Candidate) -> Bool {
    guard other.model.rmsPixels >= RectificationTest.leastRatio * model.rmsPixels,
      squares.count == other.squares.count
    else { return false }
    // Exact corners leave rounding only; a ten-thousandth of a pixel is nothing.
    let floor = 1e-8
    let gains = zip(squares, other.squares).map {
      Double.naturalLogarithm(($1 + floor) / ($0 + floor))
    }
    let count = Double(gains.count)
    let mean = gains.reduce(0, +) / count
    let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean > Self.studentQuantile(freedom: count - 1) * (variance / count).squareRoot()
  }

  /// The 99.5 % quantile of Student's distribution: 1 % of wrong answers, both sides together.
  ///
  /// - Source: Abramowitz and Stegun, 26.7.5; within 1 % for 4 degrees of freedom and more, 12 % too
  ///   small for 2.
  static func studentQuantile(freedom: Double) -> Double {
    let z = 2.575_829_303_549
    let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z)
    let first = (z3 + z) / 4 / freedom
    let second = (5 * z5 + 16 * z3 + 3 * z) / 96 / (freedom * freedom)
    let third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 / (freedom * freedom * freedom)
    return z + first + second + third
  }
}

extension CameraCalibration {
  /// The calibration for the views' image size.
  fileprivate func matching(_ views: [BoardView]) throws(CalibrationError) -> CameraCalibration {
    guard let size = views.first?.imageSize else {
      throw CalibrationError(.tooFewViews, expected: "views of a board", found: "none")
    }
    guard intrinsics.matchesAspect(of: size) else {
      throw CalibrationError(
        .unequalSizes, expected: "images of the calibration's shape, \(intrinsics.size)",
        found: "\(size)")
    }
    return intrinsics.size == size ? self : scaled(to: size)
  }
}

extension BoardView {
  /// The view with every corner moved.
  fileprivate func moved(by move: (SIMD2<Double>) -> SIMD2<Double>) -> BoardView {
    var copy = self
    copy.corners = corners.map { BoardCorner(id: $0.id, pixel: move($0.pixel)) }
    return copy
  }
}

extension [BoardView] {
  /// The views that an estimate used, without the corners that it rejected.
  fileprivate func keepingCorners(of estimate: CalibrationEstimate) -> [BoardView] {
    estimate.views.map { view in
      var copy = self[view.index]
      copy.corners = view.corners.filter { !$0.isRejected }.map(\.corner)
      return copy
    }
  }

  /// How far corners reach from a center, as a share of the half diagonal.
  fileprivate func reach(around center: SIMD2<Double>) -> Double {
    guard let size = first?.imageSize else { return 0 }
    let diagonal = SIMD2(Double(size.width), Double(size.height)) / 2
    let farthest = reduce(0.0) { reach, view in
      view.corners.reduce(reach) { reach, corner in
        let offset = corner.pixel - center
        return Swift.max(reach, (offset * offset).sum())
      }
    }
    return (farthest / (diagonal * diagonal).sum()).squareRoot()
  }
}
