import PlumblineModel
import PlumblineNumerics

/// Camera, poses and the shape of the board that explain the corners of all views best.
///
/// The shape is a part of the unknowns, so that every ± that follows holds what an unflat board
/// does: a board bent by a tenth of a millimeter moves the same corners by tenths of a pixel in
/// all views.
/// - Source: K. H. Strobl, G. Hirzinger, *More accurate pinhole camera calibration with imperfect
///   planar target*, 2011; damping rule of H. B. Nielsen, *Damping Parameter in Marquardt's
///   Method*, IMM-REP-1999-05.
struct BoardAdjustment {
  /// What a board is taken to be before anything is seen: flat within 0.1 mm.
  ///
  /// One standard deviation in meters. It keeps corners that few views show near their position.
  static let shapeSigmaMeters = 1e-4
  /// How far a principal point may be from where the device puts it, one standard deviation in
  /// pixels of 640 columns.
  ///
  /// - Source: freed, it moves by (1.1, 1.4) px on an iPad Pro of the 5th generation;
  ///   `Documentation/decisions/0028-the-sigma-of-a-calibration.md`.
  static let centerSigmaPixels = 1.5
  /// How much the second differences of a spline's coefficients may be, one standard deviation.
  static let bendSigma = 0.02

  var camera: RadialCamera
  var poses: [RigidTransform]
  /// How far each corner of the board is from its position on a flat one, in meters, by its number.
  var offsets: [SIMD3<Double>]
  var views: [ObservedView]
  let free: AdjustedNumbers
  let hasShape: Bool
  /// Where the principal point is expected, with one standard deviation in pixels.
  let center: (mean: SIMD2<Double>, sigma: Double)
  /// The variance of a coordinate in px², which sets how much the expectations count.
  var variance = 1.0

  /// The camera's and the shape's unknowns.
  var sharedCount: Int { free.count + (hasShape ? 3 * offsets.count : 0) }

  /// Corners of all views.
  var cornerCount: Int { views.reduce(0) { $0 + $1.points.count } }

  /// Found minus projected, in pixels, view by view.
  var residuals: [[SIMD2<Double>]] {
    zip(views, poses).map { view, pose in
      view.points.indices.map { index -> SIMD2<Double> in
        guard let pixel = camera.project(pose * place(index, of: view)) else {
          return SIMD2(repeating: .infinity)
        }
        return view.pixels[index] - pixel
      }
    }
  }

  private func place(_ index: Int, of view: ObservedView) -> SIMD3<Double> {
    view.points[index] + (hasShape ? offsets[view.ids[index]] : .zero)
  }

  /// `Σ w·|r|²` with what the expectations cost, in px²; infinite behind the camera.
  var cost: Double {
    var sum = expectationCost
    for (view, pose) in zip(views, poses) {
      for index in view.points.indices {
        guard let pixel = camera.project(pose * place(index, of: view)) else { return .infinity }
        let residual = view.pixels[index] - pixel
        sum += view.weights[index] * (residual * residual).sum()
      }
    }
    return sum.isNaN ? .infinity : sum
  }

  private var expectationCost: Double {
    var sum = 0.0
    if free.center {
      let away = camera.intrinsics.principalPoint - center.mean
      sum += (away * away).sum() / (center.sigma * center.sigma)
    }
    if hasShape {
      let all = offsets.reduce(0) { $0 + ($1 * $1).sum() }
      sum += all / (Self.shapeSigmaMeters * Self.shapeSigmaMeters)
    }
    if case .spline = camera.basis {
      for bend in bends { sum += bend * bend / (Self.bendSigma * Self.bendSigma) }
    }
    return variance * sum
  }

  /// The second differences of a spline's coefficients, whose first is 0 and not among them.
  private var bends: [Double] {
    let all: [Double] = [0] + camera.coefficients
    guard all.count > 2 else { return [] }
    return (1..<all.count - 1).map { (index: Int) -> Double in
      all[index - 1] - 2 * all[index] + all[index + 1]
    }
  }

  /// Adds what the expectations say to equations.
  private func addExpectations(to system: inout ReducedSystem) {
    if let index = free.centerIndex {
      let weight = variance / (center.sigma * center.sigma)
      let away = center.mean - camera.intrinsics.principalPoint
      for axis in 0..<2 {
        system.matrix[index + axis, index + axis] += weight
        system.gradient[index + axis] += weight * away[axis]
      }
    }
    if hasShape {
      let weight = variance / (Self.shapeSigmaMeters * Self.shapeSigmaMeters)
      for (id, offset) in offsets.enumerated() {
        for axis in 0..<3 {
          let index = free.count + 3 * id + axis
          system.matrix[index, index] += weight
          system.gradient[index] -= weight * offset[axis]
        }
      }
    }
    guard case .spline = camera.basis else { return }
    let weight = variance / (Self.bendSigma * Self.bendSigma)
    for (number, bend) in bends.enumerated() {
      // The difference number k holds the coefficients k − 1, k, k + 1, of which −1 stays 0.
      for (slot, factor) in [1.0, -2, 1].enumerated() where number + slot >= 1 {
        let i = free.lensStart + number + slot - 1
        system.gradient[i] -= weight * factor * bend
        for (other, second) in [1.0, -2, 1].enumerated() where other <= slot && number + other >= 1
        {
          system.matrix[i, free.lensStart + number + other - 1] += weight * factor * second
        }
      }
    }
  }

  /// The equations of some views, without the expectations; `nil` when a corner is not in front.
  func equations(of range: Range<Int>, damping: Double = 0) -> ReducedSystem? {
    var system = ReducedSystem(count: sharedCount)
    for index in range {
      let isRegular = system.add(
        views[index], pose: poses[index], camera: camera, free: free, offsets: offsets,
        hasShape: hasShape, damping: damping)
      guard isRegular else { return nil }
    }
    return system
  }

  /// The equations of all views with the expectations.
  func wholeEquations(damping: Double = 0) -> ReducedSystem? {
    guard var system = equations(of: views.indices, damping: damping) else { return nil }
    addExpectations(to: &system)
    return system
  }

  /// Descends until a step would lower the cost by less than a share of it.
  mutating func minimize(tolerance: Double = 1e-9, maximumSteps: Int = 60) -> DescentOutcome {
    var cost = self.cost
    var damping = MarquardtDamping(1e-6)
    for _ in 0..<maximumSteps {
      if cost <= 1e-18 * Double(cornerCount) { return .converged }
      guard let system = wholeEquations(damping: damping.value) else { return .singular }
      guard let step = AdjustmentStep(system, damping: damping.value) else {
        damping.reject()
        if damping.value > 1e8 { return .singular }
        continue
      }
      if step.predictedGain <= tolerance * cost { return .converged }
      var trial = self
      trial.take(step)
      let trialCost = trial.cost
      if trialCost < cost {
        damping.accept(ratio: (cost - trialCost) / step.predictedGain)
        self = trial
        cost = trialCost
      } else {
        damping.reject()
        if damping.value > 1e12 { return .converged }
      }
    }
    return .stalled
  }

  private mutating func take(_ step: AdjustmentStep) {
    camera.take(step.shared[..<free.count], of: free)
    if hasShape {
      for id in offsets.indices {
        let start = free.count + 3 * id
        offsets[id] += SIMD3(step.shared[start], step.shared[start + 1], step.shared[start + 2])
      }
    }
    for index in poses.indices { poses[index].take(step.poses[index][...]) }
  }
}

/// One damped step of what all views share and of each view's pose.
struct AdjustmentStep {
  var shared: [Double]
  var poses: [[Double]]
  /// How much the linearized cost falls, in px².
  var predictedGain: Double

  init?(_ system: ReducedSystem, damping: Double) {
    var damped = system.matrix
    for index in 0..<damped.count { damped[index, index] += damping * system.diagonal[index] }
    guard let factor = damped.cholesky else { return nil }
    shared = factor.solve(system.gradient)
    poses = []
    // The fall of the quadratic model, of poses eliminated: step·gradient + damping·step·D·step
    // over the shared unknowns, and the same over the poses with what they absorb of the shared
    // step.
    var gain = 0.0
    for (index, change) in shared.enumerated() {
      gain += change * (system.gradient[index] + damping * system.diagonal[index] * change)
    }
    for view in system.views {
      let step = view.step(with: shared)
      // |right|² is what the pose alone lowers; its damping gives the rest.
      gain += view.right.reduce(0) { $0 + $1 * $1 }
      for index in 0..<6 { gain += damping * view.diagonal[index] * step[index] * step[index] }
      poses.append(step)
    }
    guard gain.isFinite else { return nil }
    predictedGain = gain
  }
}
