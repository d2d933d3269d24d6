import PlumblineModel
import PlumblineNumerics

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
