import PlumblineGeometry
import PlumblineModel

/// The sums over pairs at one pose.
struct PairSums {
  var equations = PoseNormalEquations()
  /// Pairs of weight above 0.
  var inliers = 0
  /// The sum of the squared first residuals of these, in m².
  var squares = 0.0

  static func += (sum: inout PairSums, other: PairSums) {
    sum.equations += other.equations
    sum.inliers += other.inliers
    sum.squares += other.squares
  }
}

/// Pairs of points and the sums over them, in chunks whose order is fixed.
struct PairReduction {
  let registration: PointRegistration
  let level: PointRegistration.Level
  let source: RegistrationCloud
  let target: RegistrationTarget
  let threads: Int
  /// The neighbor of each source point as searches write it, from the last pairing.
  private var found: [UInt64]
  /// What the search before knew of all other points, in the same order.
  private var known: [SIMD4<Float>]

  private static let chunk = 1024

  init(
    registration: PointRegistration, level: PointRegistration.Level, source: RegistrationCloud,
    target: RegistrationTarget, threads: Int
  ) {
    self.registration = registration
    self.level = level
    self.source = source
    self.target = target
    self.threads = threads
    found = [UInt64](repeating: .max, count: source.positions.count)
    known = [SIMD4<Float>](repeating: .zero, count: source.positions.count)
  }

  /// Pairs all points anew and sums their equations.
  mutating func paired(at pose: RigidTransform) -> PairSums {
    let (positions, tree) = (source.positions, target.tree)
    let radius = Float(level.maximumDistanceMeters)
    let chunks = Self.chunks(of: positions.count)
    let threads = threads
    found.withUnsafeMutableBufferPointer { found in
      known.withUnsafeMutableBufferPointer { known in
        positions.withUnsafeBufferPointer { positions in
          forEachConcurrently(chunks.count, threads: threads) { number in
            let range = chunks[number]
            withUnsafeTemporaryAllocation(of: PackedPoint.self, capacity: range.count) { places in
              for (place, index) in range.enumerated() {
                let moved = pose * positions[index].wide
                places.initializeElement(
                  at: place,
                  to: PackedPoint(x: Float(moved.x), y: Float(moved.y), z: Float(moved.z)))
              }
              tree.searchNearest(
                UnsafeBufferPointer(places), within: radius,
                found: UnsafeMutableBufferPointer(rebasing: found[range]),
                known: UnsafeMutableBufferPointer(rebasing: known[range]))
            }
          }
        }
      }
    }
    return summed(at: pose)
  }

  /// The cost of the pairs of the last pairing at another pose.
  func cost(at pose: RigidTransform) -> Double { summed(at: pose).equations.cost }

  private static func chunks(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: chunk).map { $0..<min($0 + chunk, count) }
  }

  private func summed(at pose: RigidTransform) -> PairSums {
    let chunks = Self.chunks(of: source.positions.count)
    var sums = [PairSums](repeating: PairSums(), count: chunks.count)
    sums.withUnsafeMutableBufferPointer { sums in
      forEachConcurrently(chunks.count, threads: threads) { number in
        sums[number] = sum(of: chunks[number], at: pose)
      }
    }
    return sums.reduce(into: PairSums()) { $0 += $1 }
  }

  private func sum(of range: Range<Int>, at pose: RigidTransform) -> PairSums {
    let back = pose.rotation.inverse
    let limits = PairLimits(registration)
    let (factor, loss) = (registration.factor, registration.loss)
    var sums = PairSums()
    for index in range where found[index] != .max {
      guard let pair = pair(index, Int(found[index] & 0xffff_ffff), pose, limits) else { continue }
      let rows = factor.rows(of: pair) { back * $0 }
      let firstSquare = rows.first.residual * rows.first.residual
      guard firstSquare <= limits.squaredSigmas * pair.variance else { continue }
      // A residual that is not finite comes from an attribute that is missing.
      guard firstSquare.isFinite else { continue }
      let before = sums.equations.count
      sums.add(rows, of: pair, loss: loss, back: back)
      guard sums.equations.count > before else { continue }
      sums.inliers += 1
      sums.squares += firstSquare
    }
    return sums
  }

  /// A pair; `nil` where it does not count.
  @inline(__always)
  private func pair(_ own: Int, _ other: Int, _ pose: RigidTransform, _ limits: PairLimits)
    -> PointPair?
  {
    let point = source.positions[own].wide
    let difference = pose * point - target.cloud.positions[other].wide
    var pair = PointPair(point: point, difference: difference, variance: limits.variance)
    if let normals = target.cloud.normals {
      pair.normal = normals[other].wide
      if !pair.normal.x.isFinite {
        guard !limits.usesTargetNormals else { return nil }
      } else if let normals = source.normals, limits.usesSourceNormals || limits.cosine > -1 {
        pair.sourceNormal = normals[own].wide
        pair.turnedNormal = pose.rotation * pair.sourceNormal
        // NaN is below no limit.
        if (pair.normal * pair.turnedNormal).sum() < limits.cosine { return nil }
        guard !limits.usesSourceNormals || pair.sourceNormal.x.isFinite else { return nil }
      }
    }
    if source.sigmaMeters != nil || target.cloud.sigmaMeters != nil {
      let sigmas = (source.sigmaMeters?[own] ?? 0, target.cloud.sigmaMeters?[other] ?? 0)
      let variance = Double(sigmas.0) * Double(sigmas.0) + Double(sigmas.1) * Double(sigmas.1)
      if variance > 0 && variance < .infinity { pair.variance = variance }
    }
    if case .colored = registration.factor, let gradients = target.intensityGradients,
      let ours = source.intensities, let theirs = target.cloud.intensities
    {
      pair.intensityGradient = gradients[other].wide
      pair.intensityDifference = Double(theirs[other]) - Double(ours[own])
      guard pair.intensityGradient.x.isFinite && pair.intensityDifference.isFinite else {
        return nil
      }
    }
    return pair
  }
}

/// The limits of a registration in the form in which they are compared.
private struct PairLimits {
  let cosine: Double
  let squaredSigmas: Double
  let variance: Double
  let usesSourceNormals: Bool
  let usesTargetNormals: Bool

  init(_ registration: PointRegistration) {
    cosine = cosineOf(registration.maximumNormalAngle)
    squaredSigmas = registration.maximumSigmas * registration.maximumSigmas
    variance = registration.residualSigmaMeters * registration.residualSigmaMeters
    usesSourceNormals = registration.factor.usesSourceNormals
    usesTargetNormals = registration.factor.usesTargetNormals
  }
}

/// The cosine of an angle; −1 from π on.
private func cosineOf(_ angle: Double) -> Double {
  guard angle < .pi else { return -1 }
  return Rotation(axisAngle: [max(0, angle), 0, 0])?.y.y ?? -1
}

extension PairSums {
  /// Adds the residuals of a pair with the weights of the loss.
  @inline(__always)
  fileprivate mutating func add(
    _ rows: FactorRows, of pair: PointPair, loss: RobustLoss, back: Rotation
  ) {
    func square(_ row: FactorRow?) -> Double {
      row.map { $0.weight * $0.residual * $0.residual } ?? 0
    }
    let whole = square(rows.first) + square(rows.second) + square(rows.third)
    let (all, allCost) = (loss.weight(square: whole), loss.cost(square: whole))
    if rows.isOneDistance { equations.cost += allCost }
    func add(_ row: FactorRow, turn: SIMD3<Double>) {
      let own = rows.isOneDistance ? all : loss.weight(square: square(row))
      if !rows.isOneDistance { equations.cost += loss.cost(square: square(row)) }
      guard own > 0 else { return }
      equations.add(
        point: pair.point, directionInB: back * row.direction, turn: turn,
        residual: row.residual, weight: row.weight * own)
    }
    add(rows.first, turn: rows.turn)
    if let second = rows.second { add(second, turn: .zero) }
    if let third = rows.third { add(third, turn: .zero) }
  }
}
