import PlumblineModel
import PlumblineNumerics
internal import PlumblineVision

/// What two cameras must have done so that depth can be seen: moved, side by side, before a scene
/// that is no plane.
enum PairMotion {
  /// Refuses an image that is there twice: no point moved by as much as a tenth of a pixel.
  static func requireDifference(_ matches: [PairMatch]) throws(StereoError) {
    let moves = matches.map { (($0.right - $0.left) * ($0.right - $0.left)).sum() }.sorted()
    guard let middle = moves.isEmpty ? nil : moves[moves.count * 9 / 10], middle < 0.01 else {
      return
    }
    throw identical
  }

  static let identical = StereoError(
    .degenerate, expected: "images from two places",
    found: "the same image twice: no point moves from one to the other")

  /// Refuses a camera that turned where it stood: then rays of a point differ by a rotation alone.
  ///
  /// - Parameters:
  ///   - rays: Pairs of rays that agree on an epipolar geometry.
  ///   - rotation: A rotation near the one sought.
  ///   - pixel: How far a sound point lies off, at most, in units of `(x, y, 1)`'s plane.
  /// - Throws: `.degenerate`.
  static func requireMotion(
    _ rays: [EpipolarModel.Rays], near rotation: Rotation, pixel: Double
  ) throws(StereoError) {
    for start in [rotation, .identity] {
      var rotation = start
      for _ in 0..<10 {
        guard let turn = step(rays, rotation, width: pixel) else { break }
        rotation = turn * rotation
      }
      let sizes = rays.map { offset($0, rotation) }.map { ($0 * $0).sum().squareRoot() }.sorted()
      guard sizes[sizes.count * 9 / 10] < pixel else { continue }
      throw StereoError(
        .degenerate, expected: "images from two places",
        found: "a camera that turned but did not move: no depth can be seen")
    }
  }

  private static func offset(_ rays: EpipolarModel.Rays, _ rotation: Rotation) -> SIMD2<Double> {
    let turned = rotation * rays.left
    return SIMD2(rays.right.x - turned.x / turned.z, rays.right.y - turned.y / turned.z)
  }

  /// One Gauss–Newton step of a rotation that takes left rays to right ones, by Huber's rule.
  private static func step(
    _ rays: [EpipolarModel.Rays], _ rotation: Rotation, width: Double
  ) -> Rotation? {
    var normal = SymmetricMatrix(count: 3)
    var right = [0.0, 0, 0]
    for pair in rays {
      let y = rotation * pair.left
      let (u, v) = (y.x / y.z, y.y / y.z)
      let miss = offset(pair, rotation)
      let size = (miss * miss).sum().squareRoot()
      let weight = size > width ? width / size : 1
      // The slopes of (x/z, y/z) for a small turn ω, where y moves by ω × y.
      let rows: [(slope: [Double], miss: Double)] = [
        ([-u * v, 1 + u * u, -v], miss.x), ([-1 - v * v, u * v, u], miss.y),
      ]
      for row in rows {
        for i in 0..<3 {
          for j in 0..<3 { normal[i, j] += weight * row.slope[i] * row.slope[j] }
          right[i] += weight * row.slope[i] * row.miss
        }
      }
    }
    guard let solution = normal.damped(by: 1e-9).cholesky?.solve(right) else { return nil }
    return Rotation(axisAngle: SIMD3(solution[0], solution[1], solution[2]))
  }

  /// Refuses points of one plane, on which more than one arrangement of the cameras agrees.
  ///
  /// The reciprocal depth of a plane's points is linear in their rays.
  static func requireDepth(
    _ rays: [EpipolarModel.Rays], _ model: EpipolarModel, pixel: Double
  ) throws(StereoError) {
    let points = rays.compactMap { pair -> (ray: SIMD3<Double>, inverse: Double)? in
      guard let depth = model.leftDepth(pair), depth > 0 else { return nil }
      return (pair.left, 1 / depth)
    }
    guard points.count >= 8 else { return }
    var draws = FixedDraws(seed: 7)
    var most = 0
    for _ in 0..<100 {
      let chosen = draws.distinct(3, below: points.count).map { points[$0] }
      let (a, b, c) = (chosen[0], chosen[1], chosen[2])
      let volume = (a.ray * b.ray.cross(c.ray)).sum()
      guard abs(volume) > 1e-9 else { continue }
      let plane =
        (b.ray.cross(c.ray) * a.inverse + c.ray.cross(a.ray) * b.inverse
          + a.ray.cross(b.ray) * c.inverse) / volume
      // A reciprocal depth moves the right ray by as much, times the baseline of 1.
      most = max(most, points.count { abs((plane * $0.ray).sum() - $0.inverse) < pixel })
    }
    guard most + max(8, points.count / 33) > points.count else { return }
    throw StereoError(
      .degenerate, expected: "a scene with depth",
      found: "points of one plane, on which several arrangements of the cameras agree; give a "
        + "calibration, or include something before or behind it")
  }

  /// Refuses a camera that moved more forward than aside, and swapped images.
  static func requireSideBySide(_ model: EpipolarModel) throws(StereoError) {
    let rightInLeft = -(model.rotation.inverse * model.direction)
    guard max(abs(rightInLeft.x), abs(rightInLeft.y)) >= abs(rightInLeft.z) else {
      throw StereoError(
        .unsupported, expected: "two cameras side by side", found: "one in front of the other")
    }
    // One above the other is as good: rectified images then lie on their side.
    guard abs(rightInLeft.x) >= abs(rightInLeft.y) else { return }
    guard rightInLeft.x > 0 else { throw swapped("its position in the left camera's frame") }
  }

  /// The refusal of images in the wrong order, with the numbers that say so.
  static func swapped(_ evidence: String) -> StereoError {
    StereoError(
      .mismatch, expected: "the left image first",
      found: "swapped images: the second was taken left of the first (\(evidence))")
  }
}
