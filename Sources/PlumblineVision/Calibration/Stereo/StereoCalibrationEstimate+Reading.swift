import PlumblineModel
import PlumblineNumerics

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
