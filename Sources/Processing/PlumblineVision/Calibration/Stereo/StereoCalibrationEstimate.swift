public import PlumblineModel
import PlumblineNumerics

/// Two cameras and where they stand to each other as views of a board tell it, with every ±.
public struct StereoCalibrationEstimate: Hashable, Sendable {
  /// One pair of views that was used.
  public struct Pair: Hashable, Sendable {
    /// Its number among the pairs given, counted from 0.
    public var index: Int
    /// The pose of the board, in meters of the left camera's frame.
    public var leftFromBoard: RigidTransform
    /// The root mean square distance of the left view's counted corners, in pixels.
    public var leftRMSPixels: Double
    /// The root mean square distance of the right view's counted corners, in pixels.
    public var rightRMSPixels: Double
    /// The root mean square distance of corners that both views show from each other's epipolar
    /// lines, in pixels; `nil` when they show none together.
    public var epipolarRMSPixels: Double?
    /// The number of corners that were rejected as too far off.
    public var rejectedCorners: Int
  }

  /// The left camera.
  public var left: CameraModel
  /// The right camera.
  public var right: CameraModel
  /// Takes a point of the left camera's frame to the right camera's, in meters.
  public var rightFromLeft: RigidTransform
  /// The parameters of each camera that were estimated.
  public var parameters: [CameraParameter]
  /// The pairs used, in the order given.
  public var pairs: [Pair]
  /// The numbers of pairs left out because a view has too few corners.
  public var skippedPairs: [Int]
  /// The root mean square distance of all counted corners, in pixels, as OpenCV counts it.
  public var rmsPixels: Double
  /// The robust spread of one coordinate of a corner, in pixels.
  public var scalePixels: Double
  /// The root mean square distance of corners from each other's epipolar lines, in pixels of the
  /// image they lie in, lens removed; 0 for two cameras without noise.
  public var epipolarRMSPixels: Double
  /// The covariance if all corner errors were independent: the left camera's ``parameters``, the
  /// right camera's, then a turn about (radians) and a shift along (meters) the right camera's axes.
  public var formalCovariance: [Double]
  /// The covariance by leaving out one pair at a time; see ``CalibrationEstimate/jackknifeCovariance``.
  public var jackknifeCovariance: [Double]

  /// The rows of both covariances.
  package var sharedCount: Int { 2 * parameters.count + 6 }

  /// The larger one of the two variances of a linear function of the shared parameters.
  func variance(_ gradient: [Double]) -> Double {
    let both = [formalCovariance, jackknifeCovariance].map { covariance in
      var sum = 0.0
      for row in 0..<sharedCount where gradient[row] != 0 {
        for column in 0..<sharedCount {
          sum += gradient[row] * covariance[row * sharedCount + column] * gradient[column]
        }
      }
      return sum
    }
    return max(both[0], both[1])
  }

  private func sigma(at place: Int) -> Double {
    var gradient = [Double](repeating: 0, count: sharedCount)
    gradient[place] = 1
    return variance(gradient).squareRoot()
  }

  /// One standard deviation of a parameter of the left camera: the honest one to print; `nil` when it
  /// was fixed.
  public func leftSigma(of parameter: CameraParameter) -> Double? {
    parameters.firstIndex(of: parameter).map { sigma(at: $0) }
  }

  /// One standard deviation of a parameter of the right camera; `nil` when it was fixed.
  public func rightSigma(of parameter: CameraParameter) -> Double? {
    parameters.firstIndex(of: parameter).map { sigma(at: parameters.count + $0) }
  }

  /// One standard deviation of the turn of ``rightFromLeft`` about the right camera's axes, in
  /// radians.
  public var sigmaRotation: SIMD3<Double> {
    let start = 2 * parameters.count
    return SIMD3(sigma(at: start), sigma(at: start + 1), sigma(at: start + 2))
  }

  /// One standard deviation of the translation of ``rightFromLeft``, in meters.
  package var sigmaTranslation: SIMD3<Double> {
    let start = 2 * parameters.count + 3
    return SIMD3(sigma(at: start), sigma(at: start + 1), sigma(at: start + 2))
  }

  /// The distance between the two cameras' centers, in meters.
  public var baseline: Double {
    let t = rightFromLeft.translation
    return (t * t).sum().squareRoot()
  }

  /// One standard deviation of ``baseline`` in meters: along it, all covariances counted.
  public var baselineSigma: Double {
    var gradient = [Double](repeating: 0, count: sharedCount)
    for axis in 0..<3 {
      gradient[2 * parameters.count + 3 + axis] = rightFromLeft.translation[axis] / baseline
    }
    return variance(gradient).squareRoot()
  }

  /// One standard deviation of the pixel disparity of infinity, in pixels of the left camera: both
  /// principal points and the turn between the cameras together, along the baseline.
  public var offsetSigmaPixels: Double {
    let start = 2 * parameters.count
    let inRight = -rightFromLeft.translation / baseline
    let inLeft = rightFromLeft.rotation.inverse * inRight
    let scale = left.intrinsics.focalLength.x / right.intrinsics.focalLength.x
    var gradient = [Double](repeating: 0, count: sharedCount)
    func set(_ parameter: CameraParameter, _ first: Int, _ value: Double) {
      if let place = parameters.firstIndex(of: parameter) { gradient[first + place] = value }
    }
    set(.principalPointX, 0, inLeft.x)
    set(.principalPointY, 0, inLeft.y)
    set(.principalPointX, parameters.count, -inRight.x * scale)
    set(.principalPointY, parameters.count, -inRight.y * scale)
    // A turn φ of the right camera moves a far point on its axis by φ × z = (φy, −φx).
    let focal = left.intrinsics.focalLength.x
    gradient[start] = focal * inRight.y
    gradient[start + 1] = -focal * inRight.x
    return variance(gradient).squareRoot()
  }
}

extension StereoCalibrationEstimate {
  /// Reads an estimate off a problem at rest.
  init(
    _ problem: StereoProblem, pairs boardPairs: [BoardViewPair], numbers: [Int], skipped: [Int],
    scale: Double
  ) throws(CalibrationError) {
    let residuals = problem.residuals
    let weights = problem.weights
    left = problem.left
    right = problem.right
    rightFromLeft = problem.rightFromLeft
    parameters = problem.parameters
    skippedPairs = skipped
    scalePixels = scale
    var all = SquaredDistances()
    var epipolar = SquaredDistances()
    pairs = []
    for (place, pair) in boardPairs.enumerated() {
      let split = pair.left.corners.count
      var own = (left: SquaredDistances(), right: SquaredDistances())
      var rejected = 0
      for (index, residual) in residuals[place].enumerated() {
        guard weights[place][index] > 0 else {
          rejected += 1
          continue
        }
        if index < split { own.left.add(residual) } else { own.right.add(residual) }
      }
      let lines = Self.epipolarDistances(
        pair, problem, counted: weights[place].map { $0 > 0 })
      all.add(own.left)
      all.add(own.right)
      epipolar.add(lines)
      pairs.append(
        Pair(
          index: numbers[place], leftFromBoard: problem.leftFromBoards[place],
          leftRMSPixels: own.left.root, rightRMSPixels: own.right.root,
          epipolarRMSPixels: lines.count > 0 ? lines.root : nil, rejectedCorners: rejected))
    }
    rmsPixels = all.root
    epipolarRMSPixels = epipolar.root
    let spread = try CovarianceSpread(problem, residuals: residuals)
    formalCovariance = spread.formal.values
    jackknifeCovariance = spread.jackknife.values
  }

  /// How far corners that both views show lie from the lines of each other, in pixels of a pinhole of
  /// each camera's focal length.
  private static func epipolarDistances(
    _ pair: BoardViewPair, _ problem: StereoProblem, counted: [Bool]
  ) -> SquaredDistances {
    var sum = SquaredDistances()
    let split = pair.left.corners.count
    var places: [Int: Int] = [:]
    for (index, corner) in pair.right.corners.enumerated() { places[corner.id] = index }
    let (rotation, t) = (problem.rightFromLeft.rotation, problem.rightFromLeft.translation)
    for (index, corner) in pair.left.corners.enumerated() {
      guard let other = places[corner.id], counted[index], counted[split + other],
        let leftRay = problem.left.unproject(corner.pixel),
        let rightRay = problem.right.unproject(pair.right.corners[other].pixel)
      else { continue }
      let (a, b) = (SIMD3(leftRay, 1), SIMD3(rightRay, 1))
      // The line of a in the right image is t × (R·a), that of b in the left one Rᵀ·(b × t).
      let inRight = t.cross(rotation * a)
      let inLeft = rotation.inverse * b.cross(t)
      for (line, ray, camera) in [(inRight, b, problem.right), (inLeft, a, problem.left)] {
        let length = (line.x * line.x + line.y * line.y).squareRoot()
        guard length > 0 else { continue }
        let distance = (line * ray).sum() / length * camera.intrinsics.focalLength.x
        sum.add(SIMD2(distance, 0))
      }
    }
    return sum
  }
}
