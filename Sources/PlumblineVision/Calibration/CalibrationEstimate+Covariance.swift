import PlumblineModel

extension CalibrationEstimate {
  /// Reads an estimate off a problem at rest.
  init(
    _ problem: ReprojectionProblem, views boardViews: [BoardView], numbers: [Int], skipped: [Int],
    scale: Double
  ) throws(CalibrationError) {
    let residuals = problem.residuals
    camera = problem.camera
    parameters = problem.parameters
    skippedViews = skipped
    scalePixels = scale
    var all = SquareSum()
    views = []
    for (place, view) in boardViews.enumerated() {
      var own = SquareSum()
      var corners: [Corner] = []
      for (index, corner) in view.corners.enumerated() {
        let isRejected = problem.views[place].weights[index] == 0
        let residual = residuals[place][index]
        if !isRejected { own.add(residual) }
        corners.append(Corner(corner: corner, residual: residual, isRejected: isRejected))
      }
      all.sum += own.sum
      all.count += own.count
      views.append(
        View(
          index: numbers[place], cameraFromBoard: problem.poses[place], rmsPixels: own.root,
          corners: corners))
    }
    rmsPixels = all.root
    let spread = try CovarianceSpread(problem, residuals: residuals)
    formalCovariance = spread.formal.values
    jackknifeCovariance = spread.jackknife.values
    if let sigma = sigma(of: .focal), !(sigma <= CameraCalibrator.largestFocalSigma * focal) {
      let percent = (sigma / focal * 1000).rounded() / 10
      throw CameraCalibrator.unobservable("a focal length with ±\(percent) %")
    }
  }
}

/// A sum of squared distances.
private struct SquareSum {
  var sum = 0.0
  var count = 0

  mutating func add(_ residual: SIMD2<Double>) {
    sum += (residual * residual).sum()
    count += 1
  }

  var root: Double { count == 0 ? 0 : (sum / Double(count)).squareRoot() }
}

/// Both covariances of the camera's free parameters.
///
/// - Source: P. J. Huber, *Robust Statistics*, 1981, section 7.6: the covariance of an M-estimate is
///   `mean(ψ²)/mean(ψ′)²·(JᵀJ)⁻¹`. For Huber's loss of a distance in the plane ψ′, as mean over both
///   axes, is 1 inside the circle and half of the weight outside.
private struct CovarianceSpread {
  var formal: SymmetricMatrix
  var jackknife: SymmetricMatrix

  init(
    _ problem: ReprojectionProblem, residuals: [[SIMD2<Double>]]
  ) throws(CalibrationError) {
    var unweighted = problem
    var influence = 0.0
    var bend = 0.0
    var used = 0
    for (place, view) in problem.views.enumerated() {
      for (index, weight) in view.weights.enumerated() where weight > 0 {
        let residual = residuals[place][index]
        influence += weight * weight * (residual * residual).sum()
        bend += weight < 1 ? weight / 2 : 1
        used += 1
        unweighted.views[place].weights[index] = 1
      }
    }
    bend /= Double(max(used, 1))
    let freedom = 2 * used - problem.unknownCount
    guard freedom > 0, let flat = unweighted.equations, let weighted = problem.equations else {
      throw CameraCalibrator.unobservable("fewer corners than unknowns")
    }
    let count = problem.parameters.count
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
      throw problem.parameters == [.focal]
        ? CameraCalibrator.unobservable("boards that never lean away from the image plane")
        : CalibrationError(
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
