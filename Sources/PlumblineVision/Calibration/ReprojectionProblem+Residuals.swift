import PlumblineModel

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
