import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineVerification

/// The rigid motion that lays one surface on another, from near its place: iterated closest points, the squares
/// of the distances from planes.
///
/// The nearest places are those of triangles, not of points as in ``PointRegistration``, so that flat parts of
/// few triangles hold as much as others; each step is solved by the same equations. Distances count by Tukey's weights
/// with three times their own scatter, so that what only one surface has does not pull. A start that is off
/// by more than the size of what is alike leads elsewhere.
/// - Source: Y. Chen and G. Medioni, Image and Vision Computing 10 (1992) 145; robust weights as in
///   D. Chetverikov et al., ICPR 2002, by Tukey's function in place of trimming.
struct SurfaceAlignment: Sendable {
  /// From the second surface's frame to the first one's.
  var firstFromSecond: RigidTransform
  /// The median distance of places before and after, in meters.
  var medianBefore: Double
  var medianAfter: Double
  /// The number of steps.
  var steps: Int
  /// Whether the steps ended below a micrometer and a microradian.
  var hasConverged: Bool

  private static let mostSteps = 60
  /// A direction with less of the information of the strongest one is not decided.
  private static let weakShare = 1e-6

  /// Aligns places of a surface with another surface.
  ///
  /// - Parameters:
  ///   - samples: Places of the second surface.
  ///   - first: The surface that stays.
  ///   - index: Finds its nearest places.
  ///   - threads: The most; results do not depend on it.
  /// - Returns: `nil` where the places decide no motion, as on a plane or a sphere alone, or are fewer than
  ///   16. Cost: one search for each place and step, 60 steps at most.
  static func align(
    _ samples: SurfaceSamples, to first: MeasurableMesh, by index: SurfaceIndex, threads: Int
  ) -> SurfaceAlignment? {
    guard samples.samples.count >= 16 else { return nil }
    // About their middle, so that places far from the origin lose no digits.
    let center =
      samples.samples.reduce(SIMD3<Double>.zero) { $0 + $1.point } / Double(samples.samples.count)
    let points = samples.samples.map { $0.point - center }
    var firstFromCentered = RigidTransform(rotation: .identity, translation: center)
    var alignment = SurfaceAlignment(
      firstFromSecond: .identity, medianBefore: 0, medianAfter: 0, steps: 0, hasConverged: false)
    for step in 0...mostSteps {
      let moved = points.map { firstFromCentered * $0 }
      let places = index.nearest(to: moved, threads: threads)
      guard let median = places.map({ abs($0.signedDistance) }).upperMedian else { return nil }
      if step == 0 { alignment.medianBefore = median }
      alignment.medianAfter = median
      guard step < mostSteps, !alignment.hasConverged else { break }
      let equations = equations(
        points, moved, places, of: first, spread: median, turn: firstFromCentered.rotation)
      guard let solution = equations.solve(weakShare: weakShare),
        solution.directions.weakCount == 0
      else { return nil }
      firstFromCentered = firstFromCentered.moved(
        rotation: solution.rotation, translation: solution.translation)
      alignment.steps = step + 1
      alignment.hasConverged = solution.rotation.size < 1e-6 && solution.translation.size < 1e-6
    }
    alignment.firstFromSecond =
      firstFromCentered * RigidTransform(rotation: .identity, translation: -center)
    return alignment
  }

  /// The equations of a step over pairs of points and their nearest places.
  private static func equations(
    _ points: [SIMD3<Double>], _ moved: [SIMD3<Double>], _ places: [NearestPlace],
    of first: MeasurableMesh, spread: Double, turn: Rotation
  ) -> PoseNormalEquations {
    let loss = RobustLoss.tukey(4.685)
    // The σ that the median of the sizes stands for; a nanometer where surfaces agree.
    let sigma = max(1.4826 * spread, 1e-9)
    let back = turn.inverse
    var equations = PoseNormalEquations()
    for (number, place) in places.enumerated() {
      let line = moved[number] - place.point
      let share = line.size / sigma
      let weight = loss.weight(square: share * share)
      guard weight > 0 else { continue }
      // Of points, which have no plane, the distance itself.
      let normal = first.unitNormal(place.triangle) ?? (line.size > 0 ? line / line.size : .zero)
      equations.add(
        point: points[number], directionInB: back * normal, residual: (line * normal).sum(),
        weight: weight)
    }
    return equations
  }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  fileprivate var size: Double { (self * self).sum().squareRoot() }
}
