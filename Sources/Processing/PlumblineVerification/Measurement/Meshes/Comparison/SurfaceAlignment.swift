package import PlumblineModel
import PlumblineNumerics

/// The rigid motion that lays one surface on another, from near its place: iterated closest points, the squares
/// of the distances from planes.
///
/// Distances count by Tukey's weights with three times their own scatter, so that what only one surface has
/// does not pull. A start that is off by more than the size of what is alike leads elsewhere.
/// - Source: Y. Chen and G. Medioni, Image and Vision Computing 10 (1992) 145; robust weights as in
///   D. Chetverikov et al., ICPR 2002, by Tukey's function in place of trimming.
package struct SurfaceAlignment: Sendable {
  /// From the second surface's frame to the first one's.
  package var firstFromSecond: RigidTransform
  /// The median distance of places before and after, in meters.
  package var medianBefore: Double
  package var medianAfter: Double
  /// The number of steps.
  package var steps: Int
  /// Whether the steps ended below a micrometer and a microradian.
  package var hasConverged: Bool

  private static let mostSteps = 60

  /// Aligns places of a surface with another surface.
  ///
  /// - Parameters:
  ///   - samples: Places of the second surface.
  ///   - first: The surface that stays.
  ///   - distances: Finds its nearest places.
  ///   - threads: The most; results do not depend on it.
  /// - Returns: `nil` where the places decide no motion, as on a plane or a sphere alone, or are fewer than
  ///   16. Cost: one search for each place and step, 60 steps at most.
  package static func align(
    _ samples: SurfaceSamples, to first: MeasurableMesh, by distances: some SurfaceDistances,
    threads: Int
  ) -> SurfaceAlignment? {
    let points = samples.samples.map(\.point)
    guard points.count >= 16 else { return nil }
    let center = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
    let reach = max(1e-9, points.reduce(0) { max($0, ($1 - center).norm) })
    var alignment = SurfaceAlignment(
      firstFromSecond: .identity, medianBefore: 0, medianAfter: 0, steps: 0, hasConverged: false)
    for step in 0...mostSteps {
      let moved = points.map { alignment.firstFromSecond * $0 }
      let pairs = zip(moved, SurfaceDifference.measured(moved, distances, threads))
        .compactMap { point, place in place.map { Pair(point, $0, first) } }
      guard let median = pairs.map({ ($0.point - $0.place).norm }).median else { return nil }
      if step == 0 { alignment.medianBefore = median }
      alignment.medianAfter = median
      guard step < mostSteps, !alignment.hasConverged else { break }
      guard let (turn, shift) = motion(pairs, about: center, reach: reach) else { return nil }
      let rotation = Rotation(axisAngle: turn) ?? .identity
      let change = RigidTransform(
        rotation: rotation, translation: center + shift - rotation * center)
      alignment.firstFromSecond = change * alignment.firstFromSecond
      alignment.steps = step + 1
      alignment.hasConverged = shift.norm < 1e-6 && turn.norm < 1e-6
    }
    return alignment
  }

  private struct Pair {
    let point: SIMD3<Double>
    let place: SIMD3<Double>
    let normal: SIMD3<Double>
    /// The distance along the normal.
    let residual: Double

    init(_ point: SIMD3<Double>, _ place: NearestPlace, _ surface: MeasurableMesh) {
      self.point = point
      self.place = place.point
      let line = point - place.point
      let own = surface.doubledArea(place.triangle).unit
      // Of points, which have no plane, the distance itself.
      normal = own == .zero ? line.unit : own
      residual = line.dot(normal)
    }
  }

  /// One step: the rotation vector and the shift about a center, by least squares.
  private static func motion(
    _ pairs: [Pair], about center: SIMD3<Double>, reach: Double
  ) -> (turn: SIMD3<Double>, shift: SIMD3<Double>)? {
    guard let spread = pairs.map({ ($0.point - $0.place).norm }).median else { return nil }
    // Tukey's constant for 95 % efficiency times the σ that the median of the sizes stands for.
    let limit = max(4.685 * 1.4826 * spread, 1e-9 * reach)
    var matrix = SymmetricMatrix(count: 6)
    var right = [Double](repeating: 0, count: 6)
    for pair in pairs {
      let share = (pair.point - pair.place).norm / limit
      guard share < 1 else { continue }
      let weight = (1 - share * share) * (1 - share * share)
      let arm = ((pair.point - center) / reach).cross(pair.normal)
      let row = [arm.x, arm.y, arm.z, pair.normal.x, pair.normal.y, pair.normal.z]
      for i in 0..<6 {
        right[i] -= weight * row[i] * pair.residual
        for j in 0...i { matrix[i, j] += weight * row[i] * row[j] }
      }
    }
    let trace = (0..<6).reduce(0) { $0 + matrix[$1, $1] }
    // A direction with a millionth of the information of all is not decided.
    for i in 0..<6 { matrix[i, i] -= 1e-6 * trace }
    guard trace > 0, matrix.cholesky != nil else { return nil }
    for i in 0..<6 { matrix[i, i] += 1e-6 * trace }
    guard let found = matrix.cholesky?.solve(right) else { return nil }
    return (
      SIMD3(found[0], found[1], found[2]) / reach, SIMD3(found[3], found[4], found[5])
    )
  }
}
