import PlumblineModel
import PlumblineNumerics
internal import PlumblineVision

/// The normal equations of a fit in which rays meet and points lie before both cameras.
///
/// Each pair gives its distance and what its parallax lacks to half the tolerance below 0, both weighted
/// by Huber's rule. Slopes leave out what is of second order in the distances: how the steepness of a
/// distance changes, and how the line along which a parallax is measured turns.
struct OrderEquations {
  private(set) var normal: SymmetricMatrix
  private(set) var right: [Double]
  /// The part of the normal matrix that the distances alone give.
  private(set) var ofDistances: SymmetricMatrix
  private(set) var cost = 0.0

  /// Sums the equations of pairs of rays.
  ///
  /// - Parameters:
  ///   - rays: Pairs of rays as the images show them.
  ///   - state: The cameras and the distortion.
  ///   - count: 5 for the cameras alone, 6 with the distortion.
  ///   - tolerance: How far a sound pair lies off at most, in units of `(x, y, 1)`'s plane.
  init(_ rays: [EpipolarModel.Rays], _ state: OrderModel, count: Int, tolerance: Double) {
    normal = SymmetricMatrix(count: count)
    ofDistances = normal
    right = [Double](repeating: 0, count: count)
    let basis = state.model.tangents
    for stored in rays {
      let pair = state.corrected(stored)
      let bend = RayChange(left: stored.left.bend, right: stored.right.bend)
      var meeting = state.model.row(pair, basis)
      meeting.slopes[5] = state.model.distanceSlope(pair, bend)
      add(meeting.distance, meeting.slopes, tolerance, ofDistance: true)
      let lack = max(state.model.parallax(pair), -10) + tolerance / 2
      guard lack < 0 else { continue }
      add(lack, state.model.parallaxSlopes(pair, bend), tolerance, ofDistance: false)
    }
  }

  private mutating func add(
    _ value: Double, _ slopes: SIMD8<Double>, _ tolerance: Double, ofDistance: Bool
  ) {
    let size = abs(value), count = normal.count
    cost += size <= tolerance ? size * size : tolerance * (2 * size - tolerance)
    let weight = size > tolerance ? tolerance / size : 1
    for i in 0..<count {
      for j in 0..<count {
        let part = weight * slopes[i] * slopes[j]
        normal.values[count * i + j] += part
        if ofDistance { ofDistances.values[count * i + j] += part }
      }
      right[i] -= weight * slopes[i] * value
    }
  }
}

extension EpipolarModel {
  /// How the Sampson distance of two rays changes as they do.
  func distanceSlope(_ rays: Rays, _ change: RayChange) -> Double {
    let lineInRight = direction.cross(rotation * rays.left)
    let lineInLeft = rotation.inverse * rays.right.cross(direction)
    let steepness =
      lineInRight.x * lineInRight.x + lineInRight.y * lineInRight.y + lineInLeft.x * lineInLeft.x
      + lineInLeft.y * lineInLeft.y
    guard steepness > 0 else { return 0 }
    let slope = (change.right * lineInRight).sum() + (change.left * lineInLeft).sum()
    return slope / steepness.squareRoot()
  }

  /// How the parallax of two rays changes with a turn about three axes and, as the sixth, with the
  /// distortion; a move of the direction turns the line along which it is measured and no more.
  func parallaxSlopes(_ rays: Rays, _ change: RayChange) -> SIMD8<Double> {
    let turned = rotation * rays.left
    guard turned.z > 0 else { return .zero }
    let infinity = SIMD2(turned.x, turned.y) / turned.z
    let towards = SIMD2(direction.x, direction.y) - infinity * direction.z
    let length = (towards * towards).sum().squareRoot()
    guard length > 0 else { return .zero }
    let along = towards / length
    /// How far the left ray's point at infinity moves along the line as the turned ray moves.
    func move(_ ray: SIMD3<Double>) -> Double {
      ((SIMD2(ray.x, ray.y) - infinity * ray.z) / turned.z * along).sum()
    }
    let ofRadial =
      (SIMD2(change.right.x, change.right.y) * along).sum() - move(rotation * change.left)
    return SIMD8(
      -move([0, -turned.z, turned.y]), -move([turned.z, 0, -turned.x]),
      -move([-turned.y, turned.x, 0]), 0, 0, ofRadial, 0, 0)
  }
}
