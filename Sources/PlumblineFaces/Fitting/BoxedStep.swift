import PlumblineNumerics

/// A step of damped least squares whose expressions stay between 0 and 1.
///
/// - Source: K. Levenberg 1944, D. Marquardt 1963; limits by an active set, M. Hintermüller, K. Ito,
///   K. Kunisch, *The primal-dual active set strategy as a semismooth Newton method*, 2002.
struct BoxedStep {
  /// Rounds in which unknowns meet limits or leave them: drawn equations of 60 unknowns take up to 5.
  static let maximumRoundCount = 12

  /// The step of every unknown.
  let step: [Double]

  /// Solves (A + damping·diag A)·x = b with limits on some unknowns; `nil` where the matrix is not
  /// positive definite.
  ///
  /// - Parameters:
  ///   - matrix: A above.
  ///   - right: b above.
  ///   - damping: The share of the diagonal that is added to it.
  ///   - limits: For each unknown how far it may go at least and at most.
  ///   - fixed: Unknowns that do not move.
  init?(
    _ matrix: SymmetricMatrix, _ right: [Double], damping: Double,
    limits: [ClosedRange<Double>?], fixed: [Bool]
  ) {
    var damped = matrix
    for i in 0..<matrix.count { damped[i, i] *= 1 + damping }
    var step = [Double](repeating: 0, count: matrix.count)
    var free = fixed.map { !$0 }
    // An unknown that meets its limit stays there until its gradient points back inside; few do.
    for _ in 0..<Self.maximumRoundCount {
      let places = free.indices.filter { free[$0] }
      guard let factor = damped.part(places).cholesky else { return nil }
      let bound = step.indices.filter { !free[$0] && step[$0] != 0 }
      let reduced = places.map { i in
        bound.reduce(right[i]) { $0 - damped[i, $1] * step[$1] }
      }
      let solution = factor.solve(reduced)
      for (place, value) in zip(places, solution) { step[place] = value }
      let solved = step
      var isSettled = true
      for place in step.indices where !fixed[place] {
        guard let limit = limits[place] else { continue }
        if free[place] {
          guard !limit.contains(step[place]) else { continue }
          step[place] = min(limit.upperBound, max(limit.lowerBound, step[place]))
          free[place] = false
          isSettled = false
        } else {
          var gradient = right[place]
          for k in step.indices { gradient -= damped[place, k] * solved[k] }
          let isInward = step[place] == limit.upperBound ? gradient < 0 : gradient > 0
          guard isInward, limit.lowerBound < limit.upperBound else { continue }
          free[place] = true
          isSettled = false
        }
      }
      if isSettled { break }
      // Those that are free are solved again beside the ones that stand at a limit.
      for place in step.indices where free[place] { step[place] = 0 }
    }
    for place in step.indices {
      if let limit = limits[place] {
        step[place] = min(limit.upperBound, max(limit.lowerBound, step[place]))
      }
    }
    self.step = step
  }
}
