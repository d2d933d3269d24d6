import PlumblineModel
import PlumblineNumerics

/// Two cameras, where they stand to each other, and poses of a board, that explain corners best.
///
/// The shared parameters are the left camera's free ones, the right camera's, and six numbers of
/// `rightFromLeft`: a turn about and a shift along the right camera's axes.
struct StereoProblem: BundleProblem {
  var left: CameraModel
  var right: CameraModel
  var rightFromLeft: RigidTransform
  /// The free parameters of each camera.
  let parameters: [CameraParameter]
  var leftViews: [ObservedView]
  var rightViews: [ObservedView]
  /// Where the board is in front of the left camera, pair by pair.
  var leftFromBoards: [RigidTransform]

  var sharedCount: Int { 2 * parameters.count + 6 }

  /// Where the six numbers of `rightFromLeft` begin among the shared ones.
  var poseStart: Int { 2 * parameters.count }

  var cornerCount: Int { (leftViews + rightViews).reduce(0) { $0 + $1.points.count } }

  var cost: Double {
    var sum = 0.0
    for (weights, residuals) in zip(weights, residuals) {
      for (weight, residual) in zip(weights, residuals) {
        // An infinite residual stays one at the weight 0.
        sum += residual.x.isInfinite ? .infinity : weight * (residual * residual).sum()
      }
    }
    return sum.isNaN ? .infinity : sum
  }

  /// Left corners first, then right ones.
  var weights: [[Double]] {
    get { zip(leftViews, rightViews).map { $0.weights + $1.weights } }
    set {
      for (index, weights) in newValue.enumerated() {
        let count = leftViews[index].points.count
        leftViews[index].weights = Array(weights[..<count])
        rightViews[index].weights = Array(weights[count...])
      }
    }
  }

  /// Found minus projected, in pixels; left corners first, then right ones.
  var residuals: [[SIMD2<Double>]] {
    leftViews.indices.map { index in
      let leftFromBoard = leftFromBoards[index]
      return Self.residuals(leftViews[index], left, leftFromBoard)
        + Self.residuals(rightViews[index], right, rightFromLeft * leftFromBoard)
    }
  }

  private static func residuals(
    _ view: ObservedView, _ camera: CameraModel, _ cameraFromBoard: RigidTransform
  ) -> [SIMD2<Double>] {
    zip(view.points, view.pixels).map { point, pixel in
      guard let projected = camera.project(cameraFromBoard * point) else {
        return SIMD2(repeating: .infinity)
      }
      return pixel - projected
    }
  }

  var equations: [ViewEquations]? {
    var all: [ViewEquations] = []
    for index in leftViews.indices {
      let leftFromBoard = leftFromBoards[index]
      guard
        let fromLeft = ViewEquations(
          leftViews[index], pose: leftFromBoard, camera: left, parameters: parameters),
        let fromRight = ViewEquations(
          rightViews[index], pose: rightFromLeft * leftFromBoard, camera: right,
          parameters: parameters)
      else { return nil }
      var sum = ViewEquations(count: 6 + sharedCount)
      sum.add(fromLeft, through: leftRows)
      sum.add(fromRight, through: rightRows(leftFromBoard))
      all.append(sum)
    }
    return all
  }

  mutating func take(_ step: DampedStep) {
    let count = parameters.count
    left.take(step.shared[..<count], of: parameters)
    right.take(step.shared[count..<2 * count], of: parameters)
    rightFromLeft.take(step.shared[poseStart...])
    for index in leftFromBoards.indices { leftFromBoards[index].take(step.poses[index][...]) }
  }

  /// For each of a left view's own parameters, which of all parameters move it, and how much.
  private var leftRows: [[(place: Int, factor: Double)]] {
    (0..<6 + parameters.count).map { [($0, 1)] }
  }

  /// The same for the right view.
  ///
  /// The board turns in the right camera's frame by `R·ω + φ` and moves by
  /// `R·τ + φ × (R·t) + s`, with the turn ω and shift τ of the board in the left frame, the turn φ and
  /// shift s of `rightFromLeft`, and the board's position t in the left frame.
  private func rightRows(_ leftFromBoard: RigidTransform) -> [[(place: Int, factor: Double)]] {
    let rotation = rightFromLeft.rotation
    let arm = rotation * leftFromBoard.translation
    let start = 6 + poseStart
    var rows: [[(place: Int, factor: Double)]] = []
    for axis in 0..<3 {
      rows.append([
        (0, rotation.x[axis]), (1, rotation.y[axis]), (2, rotation.z[axis]), (start + axis, 1),
      ])
    }
    // φ × arm, row by row.
    let levers = [
      SIMD3(0, arm.z, -arm.y), SIMD3(-arm.z, 0, arm.x), SIMD3(arm.y, -arm.x, 0),
    ]
    for axis in 0..<3 {
      rows.append([
        (3, rotation.x[axis]), (4, rotation.y[axis]), (5, rotation.z[axis]),
        (start, levers[axis].x), (start + 1, levers[axis].y), (start + 2, levers[axis].z),
        (start + 3 + axis, 1),
      ])
    }
    for index in parameters.indices { rows.append([(6 + parameters.count + index, 1)]) }
    return rows
  }
}

extension ViewEquations {
  /// Equations that say nothing yet.
  init(count: Int) {
    self.init(
      matrix: SymmetricMatrix(count: count), gradient: [Double](repeating: 0, count: count),
      cost: 0)
  }

  private init(matrix: SymmetricMatrix, gradient: [Double], cost: Double) {
    self.matrix = matrix
    self.gradient = gradient
    self.cost = cost
  }

  /// Adds `SᵀMS` and `Sᵀg` of equations in parameters of their own, each a sum of these.
  mutating func add(_ own: ViewEquations, through rows: [[(place: Int, factor: Double)]]) {
    cost += own.cost
    for (row, places) in rows.enumerated() {
      for (place, factor) in places {
        gradient[place] += factor * own.gradient[row]
        for (column, others) in rows.enumerated() {
          let entry = factor * own.matrix[row, column]
          for (other, otherFactor) in others { matrix[place, other] += entry * otherFactor }
        }
      }
    }
  }
}
