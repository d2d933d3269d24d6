internal import PlumblineGeometry
internal import PlumblineModel

/// How far a head's surface lies off the fitted model, along its normals, and how sure that is.
///
/// The most likely field under ``SurfacePrior`` and what was measured: where there is much, it follows;
/// between and beside, it goes back to the model within the prior's range.
///
/// The ± comes of fields drawn from what is left open: each solves the same equations with noise of the
/// right kind added, so that its deviations have the posterior's covariance.
///
/// - Source: G. Papandreou, A. Yuille, *Gaussian sampling by local perturbations*, NIPS 2010.
struct SurfaceDisplacement {
  /// The displacement of each vertex along its normal, meters.
  let meters: [Float]
  /// One standard deviation of each, meters.
  let sigmas: [Float]

  /// How many fields are drawn, less one of sixteen lanes; their variance is then averaged over neighbors.
  static let laneCount = 16
  /// The steps of conjugate gradients at most, and the residual at which they stop, as a share.
  static let maximumStepCount = 120
  static let tolerance: Float = 1e-4
  /// Passes of averaging over neighbors for the drawn variances.
  static let averagingPasses = 3

  /// The most likely displacement of a surface, and its ±.
  ///
  /// - Parameters:
  ///   - prior: What is known of the field before.
  ///   - model: Whose neighbors variances are averaged over.
  ///   - targets: How far each vertex should move along its normal, meters; ignored where the weight is 0.
  ///   - weights: The reciprocal variance of each target, 1/m².
  ///   - seed: Where the drawn numbers start: the same seed gives the same ±.
  ///   - laneCount: A multiple of 8; one lane is the field, each other one a drawn field.
  /// - Returns: The field and its ±. O(vertices · steps · lanes).
  static func mostLikely(
    under prior: SurfacePrior, _ model: MorphableModel, targets: [Float], weights: [Float],
    seed: UInt64, laneCount: Int = SurfaceDisplacement.laneCount
  ) -> SurfaceDisplacement {
    let count = targets.count
    var generator = DrawnNumbers(seed: seed)
    var mean: [Float] = []
    var squares = [Float](repeating: 0, count: count)
    var drawn = 0
    for group in 0..<laneCount / 8 {
      let noise = (0..<8 * count).map { _ in generator.gaussian() }
      let colored = prior.colored(
        LaneVectors((0..<8 * count).map { _ in generator.gaussian() }))
      var right = [Float](repeating: 0, count: 8 * count)
      for vertex in 0..<count {
        let root = weights[vertex].squareRoot()
        let pull = weights[vertex] > 0 ? weights[vertex] * targets[vertex] : 0
        for lane in 0..<8 {
          let place = 8 * vertex + lane
          // The first lane of the first group is the field itself.
          let isField = group == 0 && lane == 0
          right[place] = isField ? pull : pull + colored[vertex, lane] + root * noise[place]
        }
      }
      let solution = solved(prior, weights, LaneVectors(right))
      if group == 0 { mean = (0..<count).map { solution[$0, 0] } }
      for lane in 0..<8 where group > 0 || lane > 0 {
        drawn += 1
        for vertex in 0..<count {
          let difference = solution[vertex, lane] - mean[vertex]
          squares[vertex] += difference * difference
        }
      }
    }
    var variances = squares.map { $0 / Float(drawn) }
    let neighbors = model.neighbors
    for _ in 0..<averagingPasses {
      variances = variances.indices.map { vertex in
        let around = neighbors[vertex]
        let sum = around.reduce(variances[vertex]) { $0 + variances[Int($1)] }
        return sum / Float(around.count + 1)
      }
    }
    return SurfaceDisplacement(meters: mean, sigmas: variances.map { $0.squareRoot() })
  }

  /// Solves (Q + W)·x = b for eight right sides by conjugate gradients with the diagonal before them.
  ///
  /// - Source: M. Hestenes, E. Stiefel, *Methods of Conjugate Gradients for Solving Linear Systems*, 1952.
  private static func solved(
    _ prior: SurfacePrior, _ weights: [Float], _ right: LaneVectors
  ) -> LaneVectors {
    let inverse = zip(prior.precisionDiagonal, weights).map { 1 / ($0 + $1) }
    var x = LaneVectors([Float](repeating: 0, count: right.values.count))
    var residual = right
    var direction = residual.scaled(by: inverse)
    var product = residual.dots(direction)
    let first = product
    for _ in 0..<maximumStepCount {
      var image = prior.precision(direction)
      image.add(direction, scaledBy: weights)
      let curvature = direction.dots(image)
      var step = SIMD8<Float>.zero
      for lane in 0..<8 where curvature[lane] > 0 {
        step[lane] = Float(product[lane] / curvature[lane])
      }
      x.add(direction, times: step)
      residual.add(image, times: -step)
      let ahead = residual.scaled(by: inverse)
      let next = residual.dots(ahead)
      let limit = Double(tolerance * tolerance)
      if (0..<8).allSatisfy({ next[$0] <= limit * first[$0] }) { break }
      var turn = SIMD8<Float>.zero
      for lane in 0..<8 where product[lane] > 0 { turn[lane] = Float(next[lane] / product[lane]) }
      direction.multiply(by: turn, adding: ahead)
      product = next
    }
    return x
  }
}

/// Numbers that look drawn: the same seed gives the same ones on every platform.
///
/// - Source: S. Vigna, *SplitMix64*, 2015, public domain; the sum of twelve uniform numbers less 6 has
///   variance 1 and is near enough to normal for a variance.
struct DrawnNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func gaussian() -> Float {
    var sum: Float = -6
    for _ in 0..<3 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      z ^= z >> 31
      // Four uniform numbers of 16 bits.
      for shift in stride(from: 0, to: 64, by: 16) {
        sum += (Float((z >> shift) & 0xFFFF) + 0.5) / 65536
      }
    }
    return sum
  }
}
