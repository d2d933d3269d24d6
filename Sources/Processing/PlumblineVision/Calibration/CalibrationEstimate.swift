package import PlumblineModel
import PlumblineNumerics

/// A camera as views of a board tell it, with every uncertainty.
public struct CalibrationEstimate: Hashable, Sendable {
  /// One corner and how far it is from where the estimate puts it.
  package struct Corner: Hashable, Sendable {
    /// The corner as found.
    package var corner: BoardCorner
    /// Found minus projected, in pixels.
    package var residual: SIMD2<Double>
    /// Whether it was too far off to count; see ``RobustLoss``.
    package var isRejected: Bool
  }

  /// One view that was used.
  public struct View: Hashable, Sendable {
    /// Its number among the views given, counted from 0.
    public var index: Int
    /// The pose of the board, in meters.
    package var cameraFromBoard: RigidTransform
    /// The root mean square distance of its counted corners, in pixels.
    public var rmsPixels: Double
    /// Its corners.
    package var corners: [Corner]
  }

  /// The camera.
  public var camera: CameraModel
  /// The parameters that were estimated, in the order of both covariances.
  public var parameters: [CameraParameter]
  /// The views used, in the order given.
  public var views: [View]
  /// The numbers of views left out because they have too few corners.
  public var skippedViews: [Int]
  /// The root mean square distance of all counted corners, in pixels, as OpenCV counts it.
  public var rmsPixels: Double
  /// The robust spread of one coordinate of a corner, in pixels.
  public var scalePixels: Double
  /// The covariance if all corner errors were independent: rows in the order of ``parameters``.
  public var formalCovariance: [Double]
  /// The covariance by leaving out one view at a time: it holds when errors within a view go
  /// together, as they do.
  ///
  /// - Source: the delete-one jackknife over clusters, R. G. Miller, *The jackknife – a review*,
  ///   Biometrika 61 (1974), linearized at the estimate.
  public var jackknifeCovariance: [Double]

  /// The number of corners that were too far off.
  package var rejectedCornerCount: Int {
    views.reduce(0) { $0 + $1.corners.count(where: \.isRejected) }
  }

  /// One standard deviation of a parameter in its unit: the honest one to print.
  ///
  /// The larger one of the jackknife's and the formal one; see
  /// `Documentation/decisions/0012-calibration-uncertainty.md`. `nil` for a parameter that was fixed.
  public func sigma(of parameter: CameraParameter) -> Double? {
    guard let place = parameters.firstIndex(of: parameter) else { return nil }
    let diagonal = place * (parameters.count + 1)
    return max(formalCovariance[diagonal], jackknifeCovariance[diagonal]).squareRoot()
  }

  /// One standard deviation of a parameter if all corner errors were independent.
  package func formalSigma(of parameter: CameraParameter) -> Double? {
    parameters.firstIndex(of: parameter)
      .map { formalCovariance[$0 * (parameters.count + 1)].squareRoot() }
  }

  /// One standard deviation of a parameter by leaving out one view at a time.
  package func jackknifeSigma(of parameter: CameraParameter) -> Double? {
    parameters.firstIndex(of: parameter)
      .map { jackknifeCovariance[$0 * (parameters.count + 1)].squareRoot() }
  }

  /// The focal length along the columns, in pixels.
  public var focal: Double { camera.intrinsics.focalLength.x }

  /// The honest standard deviation of ``focal`` in pixels; `nil` when it was fixed.
  public var focalSigma: Double? { sigma(of: .focal) }
}

extension CalibrationEstimate {
  /// Reads an estimate off a problem at rest.
  init(
    _ problem: ReprojectionProblem, views boardViews: [BoardView], numbers: [Int], skipped: [Int],
    scale: Double
  ) throws(CalibrationError) {
    let residuals = problem.residuals
    camera = problem.camera
    parameters = problem.parameters
    skippedViews = skipped
    scalePixels = scale
    var all = SquaredDistances()
    views = []
    for (place, view) in boardViews.enumerated() {
      var own = SquaredDistances()
      var corners: [Corner] = []
      for (index, corner) in view.corners.enumerated() {
        let isRejected = problem.views[place].weights[index] == 0
        let residual = residuals[place][index]
        if !isRejected { own.add(residual) }
        corners.append(Corner(corner: corner, residual: residual, isRejected: isRejected))
      }
      all.sum += own.sum
      all.count += own.count
      views.append(
        View(
          index: numbers[place], cameraFromBoard: problem.poses[place], rmsPixels: own.root,
          corners: corners))
    }
    rmsPixels = all.root
    let spread = try CovarianceSpread(
      problem, residuals: residuals,
      singular: problem.parameters == [.focal]
        ? CameraCalibrator.unobservable("boards that never lean away from the image plane") : nil)
    formalCovariance = spread.formal.values
    jackknifeCovariance = spread.jackknife.values
    if let sigma = sigma(of: .focal), !(sigma <= CameraCalibrator.largestFocalSigma * focal) {
      let percent = (sigma / focal * 1000).rounded() / 10
      throw CameraCalibrator.unobservable("a focal length with ±\(percent) %")
    }
  }
}

/// A sum of squared distances.
struct SquaredDistances {
  var sum = 0.0
  var count = 0

  mutating func add(_ residual: SIMD2<Double>) {
    sum += (residual * residual).sum()
    count += 1
  }

  var root: Double { count == 0 ? 0 : (sum / Double(count)).squareRoot() }

  mutating func add(_ other: SquaredDistances) {
    sum += other.sum
    count += other.count
  }
}
