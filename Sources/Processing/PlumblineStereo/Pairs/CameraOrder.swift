import PlumblineModel
import PlumblineNumerics
internal import PlumblineVision

/// Decides which of two cameras stood on the left, by the points that both show.
///
/// Rays that meet fix the line between the cameras but not its sense: that is known from points lying
/// before both cameras. A turn about the vertical hardly moves points off their rows, so that it is
/// known to some pixels only, and a lens whose distortion is not known shifts it by more: then points
/// seem to lie behind the cameras, or all of them in the opposite order. Each order is therefore fitted
/// with the condition that points lie before both cameras, and with a distortion that both cameras share;
/// both fits are compared. The order in which the images were given is kept unless the other one fits
/// clearly better.
/// - Source: the four arrangements of an essential matrix: R. Hartley and A. Zisserman, *Multiple View
///   Geometry*, 2nd ed., §9.6.3; the condition as a penalty of a nonlinear fit is this project's,
///   decision 0053.
struct CameraOrder {
  /// A model, the inverse of its normal matrix, and what the points say about it.
  struct Fit {
    var model: EpipolarModel
    var inverse: SymmetricMatrix
    /// The number of points that agree and lie before both cameras.
    var frontCount = 0
    /// The sum of squares of the distances; a point that does not agree, or lies behind a camera, counts
    /// the square of the tolerance.
    var cost = 0.0
    /// The coefficient of the common distortion.
    var radial = 0.0
  }

  private let rays: [EpipolarModel.Rays]
  private let tolerance: Double

  /// The share of points before both cameras at which the order that was given needs no second look.
  static let clearShare = 0.97
  /// The share that is needed in any case.
  static let leastShare = 0.75

  /// Takes the pairs of rays that agree on a model.
  ///
  /// - Parameters:
  ///   - rays: Pairs that agree but for noise, among them wrong ones whose rays meet by chance.
  ///   - tolerance: How far a sound pair lies off at most, in units of `(x, y, 1)`'s plane.
  init(_ rays: [EpipolarModel.Rays], tolerance: Double) {
    self.rays = rays
    self.tolerance = tolerance
  }

  /// The model in which points lie before both cameras, in the order in which the images were given.
  ///
  /// - Parameter free: The model that fits best without that condition, of either sense.
  /// - Returns: The model with what the points say about it.
  /// - Throws: `.mismatch` for swapped images, `.degenerate` where less than 3 of 4 points lie before
  ///   both cameras in either order; both with the numbers of points.
  func fit(
    _ free: (model: EpipolarModel, inverse: SymmetricMatrix)
  ) throws(StereoError) -> Fit {
    var opposite = free.model
    opposite.direction = -opposite.direction
    let senses = [free.model, opposite].map {
      assessed(OrderModel(model: $0, radial: 0), free.inverse)
    }
    let isSame = senses[0].frontCount >= senses[1].frontCount
    let (better, worse) = isSame ? (senses[0], senses[1]) : (senses[1], senses[0])
    let place = Self.rightInLeft(better.model)
    let isAside = abs(place.x) >= max(abs(place.y), abs(place.z))
    if share(better) >= Self.clearShare, !isAside || place.x > 0 { return better }
    guard isAside else {
      let fits = [better, worse].map { constrained($0.model, count: 5) }
      let best = fits[0].cost <= fits[1].cost ? fits[0] : fits[1]
      guard share(best) >= Self.leastShare else { throw refusal(fits[0], fits[1]) }
      return best
    }
    let isGiven = place.x > 0
    return try inOrder(
      given: isGiven ? better.model : worse.model, swapped: isGiven ? worse.model : better.model)
  }

  /// The model of the order that was given, unless the other one fits clearly better.
  private func inOrder(
    given: EpipolarModel, swapped: EpipolarModel
  ) throws(StereoError) -> Fit {
    let ours = constrained(given, count: 6), other = constrained(swapped, count: 6)
    let variance = other.cost / Double(max(1, rays.count - 6))
    // Five standard deviations, and a tenth for what else is not known of the lens.
    if share(other) >= Self.leastShare, ours.cost > 1.1 * other.cost + 25 * variance {
      throw PairMotion.swapped(
        "\(other.frontCount) of \(rays.count) points lie before both cameras in that order, "
          + "\(ours.frontCount) in the order given")
    }
    let plain = constrained(given, count: 5)
    if share(plain) >= Self.leastShare { return plain }
    guard share(ours) >= Self.leastShare else { throw refusal(ours, other) }
    throw StereoError(
      .degenerate, expected: "images without distortion, or a calibration of the lens",
      found: "\(ours.frontCount) of \(rays.count) points before both cameras with a radial "
        + "distortion of k1 = \((-ours.radial).fixed(2)), \(plain.frontCount) without one")
  }

  private func refusal(_ given: Fit, _ swapped: Fit) -> StereoError {
    StereoError(
      .degenerate, expected: "points that lie before both cameras",
      found: "\(given.frontCount) of \(rays.count) in the order given, \(swapped.frontCount) in "
        + "the other")
  }

  private func share(_ fit: Fit) -> Double {
    Double(fit.frontCount) / Double(max(1, rays.count))
  }

  /// The right camera's center in the left camera's frame.
  private static func rightInLeft(_ model: EpipolarModel) -> SIMD3<Double> {
    -(model.rotation.inverse * model.direction)
  }

  /// A model with what the points say about it.
  ///
  /// A point that seems beyond infinity by less than the tolerance is far, not behind.
  private func assessed(_ state: OrderModel, _ inverse: SymmetricMatrix) -> Fit {
    var fit = Fit(model: state.model, inverse: inverse, radial: state.radial)
    let most = tolerance * tolerance
    for pair in rays.map(state.corrected) {
      let distance = state.model.sampsonDistance(pair)
      let isSound = abs(distance) < tolerance && state.model.parallax(pair) > -tolerance
      fit.frontCount += isSound ? 1 : 0
      fit.cost += isSound ? distance * distance : most
    }
    return fit
  }

  /// The model refined so that rays meet and points lie before both cameras, by Levenberg–Marquardt over
  /// its five parameters, or six with the distortion.
  private func constrained(_ start: EpipolarModel, count: Int) -> Fit {
    var state = OrderModel(model: turnedToFront(start), radial: 0)
    var system = OrderEquations(rays, state, count: count, tolerance: tolerance)
    var damping = 1e-6
    for _ in 0..<20 where damping < 1e3 {
      guard let factor = system.normal.damped(by: damping).cholesky,
        let moved = state.moved(by: factor.solve(system.right))
      else { break }
      let next = OrderEquations(rays, moved, count: count, tolerance: tolerance)
      guard next.cost < system.cost else {
        damping *= 10
        continue
      }
      let isDone = system.cost - next.cost < 1e-9 * system.cost
      (state, system) = (moved, next)
      damping = max(damping / 10, 1e-9)
      if isDone { break }
    }
    let inverse =
      system.ofDistances.damped(by: 1e-9).cholesky?.inverse ?? SymmetricMatrix(count: count)
    return assessed(state, inverse)
  }

  /// The model turned so that 19 of 20 points lie before both cameras.
  private func turnedToFront(_ model: EpipolarModel) -> EpipolarModel {
    let parallaxes = rays.map { model.parallax($0) }.sorted()
    guard !parallaxes.isEmpty else { return model }
    let low = parallaxes[parallaxes.count / 20]
    let along = SIMD2(model.direction.x, model.direction.y)
    let length = (along * along).sum().squareRoot()
    guard low < 0, low.isFinite, length > 0 else { return model }
    let move = along * (low / length)
    // A turn ω moves the point at infinity in the middle by (ω.y, −ω.x).
    return model.moved(by: [-move.y, move.x, 0, 0, 0]) ?? model
  }
}

/// Two cameras and a radial distortion that both share.
struct OrderModel {
  var model: EpipolarModel
  /// Rays are lengthened across the axis by 1 + radial · r².
  var radial: Double

  /// Rays without the distortion.
  func corrected(_ pair: EpipolarModel.Rays) -> EpipolarModel.Rays {
    guard radial != 0 else { return pair }
    func corrected(_ ray: SIMD3<Double>) -> SIMD3<Double> {
      let scale = 1 + radial * (ray.x * ray.x + ray.y * ray.y)
      return SIMD3(ray.x * scale, ray.y * scale, 1)
    }
    return EpipolarModel.Rays(left: corrected(pair.left), right: corrected(pair.right))
  }

  /// The state after a step of the five parameters of ``EpipolarModel/moved(by:)``, and of the distortion
  /// where there is a sixth.
  func moved(by step: [Double]) -> OrderModel? {
    guard let model = model.moved(by: step) else { return nil }
    return OrderModel(model: model, radial: radial + (step.count > 5 ? step[5] : 0))
  }
}
