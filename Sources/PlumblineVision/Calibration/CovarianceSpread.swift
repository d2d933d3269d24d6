import PlumblineModel

/// Both covariances of what all views share.
///
/// - Source: P. J. Huber, *Robust Statistics*, 1981, section 7.6: the covariance of an M-estimate is
///   `mean(ψ²)/mean(ψ′)²·(JᵀJ)⁻¹`. For Huber's loss of a distance in the plane ψ′, as mean over both
///   axes, is 1 inside the circle and half of the weight outside.
struct CovarianceSpread {
  var formal: SymmetricMatrix
  var jackknife: SymmetricMatrix

  init(
    _ problem: some BundleProblem, residuals: [[SIMD2<Double>]], singular: CalibrationError? = nil
  ) throws(CalibrationError) {
    var unweighted = problem
    var influence = 0.0
    var bend = 0.0
    var used = 0
    let weights = problem.weights
    var flatWeights = weights
    for (place, view) in weights.enumerated() {
      for (index, weight) in view.enumerated() where weight > 0 {
        let residual = residuals[place][index]
        influence += weight * weight * (residual * residual).sum()
        bend += weight < 1 ? weight / 2 : 1
        used += 1
        flatWeights[place][index] = 1
      }
    }
    unweighted.weights = flatWeights
    bend /= Double(max(used, 1))
    let freedom = 2 * used - problem.unknownCount
    guard freedom > 0, let flat = unweighted.equations, let weighted = problem.equations else {
      throw CameraCalibrator.unobservable("fewer corners than unknowns")
    }
    let count = problem.sharedCount
    var whole = SymmetricMatrix(count: count)
    var parts: [SymmetricMatrix] = []
    for view in flat {
      guard let reduced = view.eliminatingPose() else {
        throw CalibrationError(
          .parameterUnobservable, expected: "views that determine their poses",
          found: "a view that does not")
      }
      parts.append(reduced.matrix)
      whole += reduced.matrix
    }
    guard let factor = whole.cholesky else {
      throw singular
        ?? CalibrationError(
          .parameterUnobservable, expected: "views that determine every free parameter",
          found: "equations without a single solution")
    }
    formal = factor.inverse.scaled(by: influence / Double(freedom) / (bend * bend))
    // Leaving out a view moves the camera by −(H − Hᵥ)⁻¹·gᵥ, gᵥ being its share of the gradient.
    var moves: [[Double]] = []
    for (part, view) in zip(parts, weighted) {
      var rest = whole
      rest -= part
      guard let restFactor = rest.cholesky else {
        throw CalibrationError(
          .parameterUnobservable,
          expected: "views that determine every free parameter when any one is left out",
          found: "a parameter that a single view decides")
      }
      moves.append(restFactor.solve(view.gradient[6...].map { -$0 / bend }))
    }
    let views = Double(moves.count)
    let mean = (0..<count).map { index in moves.reduce(0) { $0 + $1[index] } / views }
    jackknife = SymmetricMatrix(count: count)
    for move in moves {
      for row in 0..<count {
        for column in 0..<count {
          jackknife[row, column] +=
            (views - 1) / views * (move[row] - mean[row]) * (move[column] - mean[column])
        }
      }
    }
  }
}
