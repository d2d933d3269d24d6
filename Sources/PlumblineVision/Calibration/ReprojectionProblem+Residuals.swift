import PlumblineModel

extension ReprojectionProblem {
  /// Corners of all views.
  var cornerCount: Int { views.reduce(0) { $0 + $1.points.count } }

  /// The unknowns: the camera's and six for each view.
  var unknownCount: Int { parameters.count + 6 * views.count }

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
      views[index].weights = weights
    }
  }
}
