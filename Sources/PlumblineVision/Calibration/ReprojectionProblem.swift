import PlumblineModel

/// The corners of one view as the solver sees them.
struct ObservedView {
  /// The corners' numbers.
  var ids: [Int]
  /// Where the corners are, in meters of the board.
  var points: [SIMD3<Double>]
  /// Where the image shows them.
  var pixels: [SIMD2<Double>]
  /// How much each counts, 0 to 1.
  var weights: [Double]

  init(_ view: BoardView) {
    ids = view.corners.map(\.id)
    points = view.corners.map { view.board.cornerInBoard($0.id) }
    pixels = view.corners.map(\.pixel)
    weights = [Double](repeating: 1, count: view.corners.count)
  }
}

/// Poses and camera that explain corners best, by damped least squares.
///
/// - Source: K. Levenberg (1944), D. W. Marquardt (1963); damping rule of H. B. Nielsen, *Damping
///   Parameter in Marquardt's Method*, IMM-REP-1999-05, with poses eliminated view by view.
struct ReprojectionProblem {
  var camera: CameraModel
  let parameters: [CameraParameter]
  var views: [ObservedView]
  var poses: [RigidTransform]

  /// How a descent ended.
  enum Outcome {
    case converged, stalled
    /// The equations have no single solution.
    case singular
  }

  /// `Σ w·|r|²` in px², infinite when a corner is not in front of the camera.
  var cost: Double {
    var sum = 0.0
    for (view, pose) in zip(views, poses) {
      for index in view.points.indices {
        guard let pixel = camera.project(pose * view.points[index]) else { return .infinity }
        let residual = view.pixels[index] - pixel
        sum += view.weights[index] * (residual * residual).sum()
      }
    }
    return sum.isNaN ? .infinity : sum
  }

  /// The equations of all views at the present state.
  var equations: [ViewEquations]? {
    var all: [ViewEquations] = []
    all.reserveCapacity(views.count)
    for (view, pose) in zip(views, poses) {
      guard
        let equations = ViewEquations(view, pose: pose, camera: camera, parameters: parameters)
      else { return nil }
      all.append(equations)
    }
    return all
  }

  /// Descends until a step would lower the cost by less than a share of it.
  mutating func minimize(tolerance: Double = 1e-10, maximumSteps: Int = 100) -> Outcome {
    guard var current = equations else { return .singular }
    var cost = current.reduce(0) { $0 + $1.cost }
    // Below this a corner is off by 1e-9 px, the rounding of coordinates in the thousands.
    let floor = 1e-18 * Double(views.reduce(0) { $0 + $1.points.count })
    var damping = 1e-4
    var growth = 2.0
    for _ in 0..<maximumSteps {
      if cost <= floor { return .converged }
      guard let step = Step(current, damping: damping) else {
        damping *= growth
        growth *= 2
        if damping > 1e8 { return .singular }
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
        let bend = 2 * ratio - 1
        damping = max(1e-12, damping * max(1.0 / 10, 1 - bend * bend * bend))
        growth = 2
      } else {
        damping *= growth
        growth *= 2
        if damping > 1e12 { return .converged }
      }
    }
    return .stalled
  }

  private mutating func take(_ step: Step) {
    for (parameter, change) in zip(parameters, step.camera) {
      let value = camera[parameter] + change
      // A focal length or aspect must stay one: a step beyond half of it is cut.
      let isScale = parameter == .focal || parameter == .aspect
      camera[parameter] =
        isScale ? min(max(value, camera[parameter] / 2), camera[parameter] * 2) : value
    }
    for index in poses.indices {
      let change = step.poses[index]
      // No turn comes of numbers that are not finite; the cost then decides on what is left.
      if let turn = Rotation(axisAngle: SIMD3(change[0], change[1], change[2])) {
        poses[index].rotation = (turn * poses[index].rotation).orthogonalized
      }
      poses[index].translation += SIMD3(change[3], change[4], change[5])
    }
  }
}

/// One damped step of camera and poses.
private struct Step {
  var camera: [Double]
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
    self.camera = camera
    self.poses = poses
    predictedGain = gain
  }
}
