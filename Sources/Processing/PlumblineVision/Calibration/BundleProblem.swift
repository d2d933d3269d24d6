import PlumblineModel
import PlumblineNumerics

/// How a descent ended.
enum DescentOutcome {
  case converged, stalled
  /// The equations have no single solution.
  case singular
}

/// A sum of squares over views of boards, whose poses are eliminated one by one.
protocol BundleProblem {
  /// `Σ w·|r|²` in px², infinite when a corner is not in front of its camera.
  var cost: Double { get }
  /// The equations of all views at the present state: the pose's six numbers first, then what all
  /// views share; `nil` when a corner is not in front of its camera.
  var equations: [ViewEquations]? { get }
  /// Corners of all views.
  var cornerCount: Int { get }
  /// The shared parameters.
  var sharedCount: Int { get }
  /// The weight of each corner, view by view.
  var weights: [[Double]] { get set }
  /// Found minus projected, in pixels, view by view.
  var residuals: [[SIMD2<Double>]] { get }
  /// Moves the state.
  mutating func take(_ step: DampedStep)
}

extension BundleProblem {
  /// Descends until a step would lower the cost by less than a share of it.
  mutating func minimize(tolerance: Double = 1e-10, maximumSteps: Int = 100) -> DescentOutcome {
    guard var current = equations else { return .singular }
    var cost = current.reduce(0) { $0 + $1.cost }
    // Below this a corner is off by 1e-9 px, the rounding of coordinates in the thousands.
    let floor = 1e-18 * Double(cornerCount)
    var damping = MarquardtDamping(1e-4)
    for _ in 0..<maximumSteps {
      if cost <= floor { return .converged }
      guard let step = DampedStep(current, damping: damping.value) else {
        damping.reject()
        if damping.value > 1e8 { return .singular }
        continue
      }
      if step.predictedGain <= tolerance * cost { return .converged }
      var trial = self
      trial.take(step)
      let trialCost = trial.cost
      if trialCost < cost, let next = trial.equations {
        let ratio = (cost - trialCost) / step.predictedGain
        self = trial
        current = next
        cost = next.reduce(0) { $0 + $1.cost }
        damping.accept(ratio: ratio)
      } else {
        damping.reject()
        if damping.value > 1e12 { return .converged }
      }
    }
    return .stalled
  }

  /// The unknowns: the shared ones and six for each view.
  var unknownCount: Int { sharedCount + 6 * weights.count }

  /// The robust spread of a coordinate in pixels, freed from what the unknowns absorbed.
  ///
  /// At least 0.001 px: no detector is better, and exact corners must not reject each other.
  var scale: Double {
    let numbers = Double(2 * cornerCount)
    let freedom = max(1, numbers - Double(unknownCount))
    let spread = RobustLoss.scale(of: residuals.flatMap(\.self))
    return max(1e-3, spread * (numbers / freedom).squareRoot())
  }

  /// Sets each corner's weight from its distance.
  ///
  /// Where rejection would leave a view too few corners for a pose, its corners stay at low weights.
  mutating func reweight(_ loss: RobustLoss, scale: Double) {
    for (index, residuals) in residuals.enumerated() {
      let distances = residuals.map { ($0 * $0).sum().squareRoot() }
      var weights = distances.map { loss.weight(distance: $0, scale: scale) }
      if weights.count(where: { $0 > 0 }) < max(6, weights.count / 2) {
        weights = distances.map { RobustLoss.huberWeight(distance: $0, scale: scale) }
      }
      self.weights[index] = weights
    }
  }
}

/// One damped step of what all views share and of each view's pose.
struct DampedStep {
  /// The step of the shared parameters.
  var shared: [Double]
  var poses: [[Double]]
  /// How much the linearized cost falls, in px².
  var predictedGain: Double

  init?(_ equations: [ViewEquations], damping: Double) {
    let count = equations.first.map { $0.matrix.count - 6 } ?? 0
    var whole = SymmetricMatrix(count: count)
    var right = [Double](repeating: 0, count: count)
    var diagonal = right
    var reduced: [ReducedEquations] = []
    reduced.reserveCapacity(equations.count)
    for view in equations {
      guard let one = view.eliminatingPose(damping: damping) else { return nil }
      whole += one.matrix
      for index in 0..<count {
        right[index] += one.gradient[index]
        diagonal[index] += view.matrix[6 + index, 6 + index]
      }
      reduced.append(one)
    }
    for index in 0..<count { whole[index, index] += damping * diagonal[index] }
    guard let factor = whole.cholesky else { return nil }
    let camera = factor.solve(right)
    let poses = reduced.map { $0.poseStep(with: camera) }
    // The fall of the quadratic model is step·gradient + damping·step·D·step.
    var gain = 0.0
    for (view, pose) in zip(equations, poses) {
      for (index, change) in (pose + camera).enumerated() {
        gain += change * (view.gradient[index] + damping * view.matrix[index, index] * change)
      }
    }
    guard gain.isFinite else { return nil }
    shared = camera
    self.poses = poses
    predictedGain = gain
  }
}

extension CameraModel {
  /// Moves free parameters.
  mutating func take(_ step: ArraySlice<Double>, of parameters: [CameraParameter]) {
    for (parameter, change) in zip(parameters, step) {
      let value = self[parameter] + change
      // A focal length or aspect must stay one: a step beyond half of it is cut.
      let isScale = parameter == .focal || parameter == .aspect
      self[parameter] = isScale ? min(max(value, self[parameter] / 2), self[parameter] * 2) : value
    }
  }
}

extension RigidTransform {
  /// Turns about and moves along the axes of the frame that it leads to: three radians, three
  /// meters.
  mutating func take(_ step: ArraySlice<Double>) {
    let change = Array(step)
    // No turn comes of numbers that are not finite; the cost then decides on what is left.
    if let turn = Rotation(axisAngle: SIMD3(change[0], change[1], change[2])) {
      rotation = (turn * rotation).orthogonalized
    }
    translation += SIMD3(change[3], change[4], change[5])
  }
}

/// The weight of a corner by its residual.
package enum RobustLoss: Hashable, Sendable {
  /// Plain least squares: every corner counts alike, however far off, and none is rejected.
  case squared
  /// Huber's loss: squares within the circle that holds 95 % of normal errors, linear outside, and
  /// nothing beyond 5 standard deviations of a coordinate.
  ///
  /// - Source: P. J. Huber, *Robust Estimation of a Location Parameter*, Annals of Mathematical
  ///   Statistics 35 (1964) 73–101; the radius is √5.9915, the 95 % quantile of χ² in the plane.
  case huber

  static let huberWidth = 2.4477

  /// The distance in standard deviations of one coordinate beyond which a corner is rejected.
  ///
  /// A normal error of two coordinates exceeds it with a probability of exp(−5²/2) = 4e-6.
  static let rejectionWidth = 5.0

  /// The weight of a corner off by `distance` where one coordinate's deviation is `scale`.
  func weight(distance: Double, scale: Double) -> Double {
    switch self {
    case .squared: return 1
    case .huber:
      if distance > Self.rejectionWidth * scale { return 0 }
      return Self.huberWeight(distance: distance, scale: scale)
    }
  }

  /// Huber's weight without a limit.
  static func huberWeight(distance: Double, scale: Double) -> Double {
    let width = huberWidth * scale
    return distance > width ? width / distance : 1
  }

  /// The spread of one coordinate, in the unit of the residuals.
  ///
  /// - Source: the median absolute deviation; 0.6745 is that of the standard normal distribution,
  ///   P. Rousseeuw and C. Croux, JASA 88 (1993) 1273–1283.
  static func scale(of residuals: [SIMD2<Double>]) -> Double {
    var sizes: [Double] = []
    sizes.reserveCapacity(2 * residuals.count)
    for residual in residuals {
      sizes.append(abs(residual.x))
      sizes.append(abs(residual.y))
    }
    guard !sizes.isEmpty else { return 0 }
    sizes.sort()
    let middle = sizes.count / 2
    return (sizes[middle - 1] + sizes[middle]) / 2 / 0.6745
  }
}
