import PlumblineModel

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
    var damping = 1e-4
    var growth = 2.0
    for _ in 0..<maximumSteps {
      if cost <= floor { return .converged }
      guard let step = DampedStep(current, damping: damping) else {
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
