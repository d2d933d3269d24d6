public import PlumblineModel

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
  public var sharedCount: Int { 2 * parameters.count + 6 }

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
  public var sigmaTranslation: SIMD3<Double> {
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
