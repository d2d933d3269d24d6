import PlumblineModel

/// The corners of one view as the solver sees them.
struct ObservedView {
  /// The corners' numbers.
  var ids: [Int]
  /// The positions of the corners, in meters of the board.
  var points: [SIMD3<Double>]
  /// The pixels at which the image shows them.
  var pixels: [SIMD2<Double>]
  /// The weight of each, 0 to 1.
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
struct ReprojectionProblem: BundleProblem {
  var camera: CameraModel
  let parameters: [CameraParameter]
  var views: [ObservedView]
  var poses: [RigidTransform]

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

  mutating func take(_ step: DampedStep) {
    camera.take(step.shared[...], of: parameters)
    for index in poses.indices { poses[index].take(step.poses[index][...]) }
  }
}

extension ReprojectionProblem {
  /// Corners of all views.
  var cornerCount: Int { views.reduce(0) { $0 + $1.points.count } }

  /// The camera's free parameters.
  var sharedCount: Int { parameters.count }

  /// The weight of each corner, view by view.
  var weights: [[Double]] {
    get { views.map(\.weights) }
    set { for (index, weights) in newValue.enumerated() { views[index].weights = weights } }
  }

  /// Found minus projected, in pixels, view by view.
  var residuals: [[SIMD2<Double>]] {
    zip(views, poses).map { view, pose in
      view.points.indices.map { index -> SIMD2<Double> in
        guard let projected = camera.project(pose * view.points[index]) else {
          return SIMD2(repeating: .infinity)
        }
        return view.pixels[index] - projected
      }
    }
  }
}
