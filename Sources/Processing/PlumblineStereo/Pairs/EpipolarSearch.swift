import PlumblineModel
import PlumblineVision

/// Finds the two cameras that most pairs of rays agree on, though many pairs may be wrong.
///
/// - Source: M. Fischler and R. Bolles, "Random Sample Consensus", CACM 24 (1981) 381–395; scores
///   as MSAC, P. Torr and A. Zisserman, CVIU 78 (2000) 138–156; five pairs solved by iteration from
///   a near rotation, J. Hedborg and M. Felsberg, "Fast Iterative Five Point Relative Pose
///   Estimation", WMVC 2013; refinement of each best one by those that agree, O. Chum et al., DAGM
///   2003.
struct EpipolarSearch {
  /// The distance within which a pair agrees, in units of `(x, y, 1)`'s plane.
  var tolerance: Double
  /// The rotation that searching starts from.
  var start: Rotation = .identity
  /// The seed of the random draws.
  var seed: UInt64

  /// The most samples; 5 of which one in two is right come up well within them.
  static let maximumCount = 800
  /// The least; few are enough when nearly all pairs are right, but a plane deceives them.
  static let leastCount = 60

  /// The best model and the indices of the pairs that agree with it; `nil` below eight pairs.
  func best(of rays: [EpipolarModel.Rays]) -> (model: EpipolarModel, agreeing: [Int])? {
    guard rays.count >= 8 else { return nil }
    var draws = FixedDraws(seed: seed)
    var best: (model: EpipolarModel, cost: Double)?
    var needed = Self.maximumCount
    var count = 0
    while count < needed {
      count += 1
      let sample = draws.distinct(5, below: rays.count).map { rays[$0] }
      let drawn = SIMD3(draws.signedUnit(), draws.signedUnit(), draws.signedUnit())
      // Most pairs lie side by side; every third sample starts from anywhere.
      let direction = count % 3 == 0 ? drawn.unit ?? [1, 0, 0] : [1, 0, 0]
      let rotation = count % 4 == 0 ? best?.model.rotation ?? start : start
      let first = EpipolarModel(rotation: rotation, direction: direction)
      guard var model = first.refined(sample, steps: 8)?.model else { continue }
      guard
        sample.allSatisfy({ abs(model.sampsonDistance($0)) < tolerance })
      else { continue }
      var cost = cost(of: model, rays, notAbove: best?.cost ?? .infinity)
      guard cost < best?.cost ?? .infinity else { continue }
      for _ in 0..<3 {
        let agreeing = indices(agreeing: model, rays).map { rays[$0] }
        guard agreeing.count >= 6, let better = model.refined(agreeing, steps: 3)?.model else {
          break
        }
        let betterCost = self.cost(of: better, rays, notAbove: cost)
        guard betterCost < cost else { break }
        (model, cost) = (better, betterCost)
      }
      best = (model, cost)
      let share = Double(indices(agreeing: model, rays).count) / Double(rays.count)
      needed = Self.sampleCount(share: share)
    }
    return best.map { ($0.model, indices(agreeing: $0.model, rays)) }
  }

  /// So many samples that one in a thousand searches draws none of right pairs alone.
  private static func sampleCount(share: Double) -> Int {
    let allRight = share * share * share * share * share
    // (1 − p)ⁿ ≤ e^(−n·p), and e^−7 is about 1/1000.
    guard allRight > 7 / Double(maximumCount) else { return maximumCount }
    return max(leastCount, Int((7 / allRight).rounded(.up)))
  }

  func indices(agreeing model: EpipolarModel, _ rays: [EpipolarModel.Rays]) -> [Int] {
    rays.indices.filter { abs(model.sampsonDistance(rays[$0])) < tolerance }
  }

  private func cost(
    of model: EpipolarModel, _ rays: [EpipolarModel.Rays], notAbove limit: Double
  ) -> Double {
    let most = tolerance * tolerance
    var sum = 0.0
    for pair in rays {
      let distance = model.sampsonDistance(pair)
      sum += min(distance * distance, most)
      if sum > limit { return .infinity }
    }
    return sum
  }
}

/// A sequence of numbers that look drawn but are the same in every run.
///
/// - Source: SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
///   Generators", OOPSLA 2014, with the mixing constants of its reference implementation.
struct FixedDraws {
  private var state: UInt64

  /// Starts a sequence; equal seeds give equal ones.
  init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A whole number from 0 to below a bound above 0; its bias is below the bound over 2³².
  mutating func index(below bound: Int) -> Int {
    Int((next() >> 32).multipliedFullWidth(by: UInt64(bound) << 32).high)
  }

  /// A number from −1 to 1.
  mutating func signedUnit() -> Double {
    Double(Int64(bitPattern: next()) >> 11) / Double(Int64(1) << 52)
  }

  /// So many different whole numbers from 0 to below a bound that is at least as large.
  mutating func distinct(_ count: Int, below bound: Int) -> [Int] {
    var chosen: [Int] = []
    while chosen.count < count {
      let index = index(below: bound)
      if !chosen.contains(index) { chosen.append(index) }
    }
    return chosen
  }
}
