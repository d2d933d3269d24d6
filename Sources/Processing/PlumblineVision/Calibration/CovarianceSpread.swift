import PlumblineModel
import PlumblineNumerics

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
    let loss = LossSums(of: problem, residuals: residuals)
    let bend = loss.bend
    var unweighted = problem
    unweighted.weights = loss.flatWeights
    let freedom = 2 * loss.used - problem.unknownCount
    guard freedom > 0, let flat = unweighted.equations, let weighted = problem.equations else {
      throw CameraCalibrator.unobservable("fewer corners than unknowns")
    }
    let parts = try Self.reduced(flat)
    var whole = SymmetricMatrix(count: problem.sharedCount)
    for part in parts { whole += part }
    guard let factor = whole.cholesky else {
      throw singular
        ?? CalibrationError(
          .parameterUnobservable, expected: "views that determine every free parameter",
          found: "equations without a single solution")
    }
    formal = factor.inverse.scaled(by: loss.influence / Double(freedom) / (bend * bend))
    let moves = try Self.moves(leaving: parts, outOf: whole, weighted, bend: bend)
    jackknife = Self.jackknife(of: moves, count: problem.sharedCount)
  }

  /// What the corners that count add up to by the derivatives of their loss.
  private struct LossSums {
    /// The sum of ψ² over both axes.
    var influence = 0.0
    /// The mean of ψ′.
    var bend = 0.0
    /// The number of corners that count.
    var used = 0
    /// The weights, 1 for each corner that counts.
    var flatWeights: [[Double]]

    init(of problem: some BundleProblem, residuals: [[SIMD2<Double>]]) {
      let weights = problem.weights
      flatWeights = weights
      for (place, view) in weights.enumerated() {
        for (index, weight) in view.enumerated() where weight > 0 {
          let residual = residuals[place][index]
          influence += weight * weight * (residual * residual).sum()
          bend += weight < 1 ? weight / 2 : 1
          used += 1
          flatWeights[place][index] = 1
        }
      }
      bend /= Double(max(used, 1))
    }
  }

  /// What each view says of what all share, whatever its pose.
  ///
  /// - Throws: `.parameterUnobservable` for a view that does not determine its pose.
  private static func reduced(
    _ views: [ViewEquations]
  ) throws(CalibrationError) -> [SymmetricMatrix] {
    var parts: [SymmetricMatrix] = []
    for view in views {
      guard let reduced = view.eliminatingPose() else {
        throw CalibrationError(
          .parameterUnobservable, expected: "views that determine their poses",
          found: "a view that does not")
      }
      parts.append(reduced.matrix)
    }
    return parts
  }

  /// By how much the camera moves when each view is left out.
  ///
  /// - Throws: `.parameterUnobservable` for a parameter that a single view decides.
  private static func moves(
    leaving parts: [SymmetricMatrix], outOf whole: SymmetricMatrix, _ weighted: [ViewEquations],
    bend: Double
  ) throws(CalibrationError) -> [[Double]] {
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
    return moves
  }

  /// The covariance that the moves show.
  private static func jackknife(of moves: [[Double]], count: Int) -> SymmetricMatrix {
    let views = Double(moves.count)
    let mean = (0..<count).map { index in moves.reduce(0) { $0 + $1[index] } / views }
    var jackknife = SymmetricMatrix(count: count)
    for move in moves {
      for row in 0..<count {
        for column in 0..<count {
          jackknife[row, column] +=
            (views - 1) / views * (move[row] - mean[row]) * (move[column] - mean[column])
        }
      }
    }
    return jackknife
  }
}
