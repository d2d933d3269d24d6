internal import PlumblineModel
import PlumblineNumerics

/// The search for the state that fits best.
struct FitDescent {
  let fitter: FaceFitter
  let marks: LandmarkTerm
  var surface: MeasuredSurface?
  let fixesIdentity: Bool
  /// The vertices of the identity that is known, without expression.
  private let atRest: [PackedPoint]?
  /// The distances beyond which a pixel sees something else, step by step; the last one stays.
  var gates: [Float] = [0.01]
  /// The steps that were taken.
  private(set) var iterationCount = 0
  /// The matrix of the last equations, the prior included.
  private(set) var information = SymmetricMatrix(count: 0)

  /// A residual of so many standard deviations pulls half as strongly.
  static let robustness: Float = 3

  init(
    _ fitter: FaceFitter, marks: LandmarkTerm, surface: MeasuredSurface?, knownIdentity: [Float]?
  ) {
    self.fitter = fitter
    self.marks = marks
    self.surface = surface
    fixesIdentity = knownIdentity != nil
    atRest = knownIdentity.map { identity in
      let rest = [Float](repeating: 0, count: fitter.model.expressionNames.count)
      return fitter.model.positions(of: FaceShape(identity: identity, expression: rest))
    }
  }

  /// Goes down from a state; stops when a step no longer gains.
  mutating func run(
    from start: FaceState, poseOnly: Bool = false, iterations: Int
  ) throws(FaceFitError) -> FaceState {
    let model = fitter.model
    var face = fitter.placed(start, atRest: atRest)
    var damping = 1e-4
    for iteration in 0..<iterations {
      let gate = gates[min(iteration, gates.count - 1)]
      var equations = NormalEquations(model, fixesIdentity: fixesIdentity || poseOnly)
      let seen = surface.map {
        SurfaceResiduals.compared(face, model, to: $0, among: fitter.compared, gateMeters: gate)
      }
      var cost = marks.add(face, to: &equations)
      if let seen { cost += add(seen, face, to: &equations) }
      var (matrix, right) = equations.sums()
      cost += addPrior(face.state, &matrix, &right)
      information = matrix
      guard cost.isFinite else {
        throw FaceFitError("the fit", expected: "finite distances", found: "others")
      }
      iterationCount += 1
      var isBetter = false
      var gain = 0.0
      for _ in 0..<6 {
        guard
          let step = BoxedStep.solved(
            matrix, right, damping: damping, limits: limits(face.state), fixed: fixed(poseOnly))
        else {
          damping *= 10
          continue
        }
        let next = fitter.placed(face.state.moved(by: step.step), atRest: atRest)
        let nextCost = self.cost(next, seen, of: face)
        if nextCost < cost {
          gain = (cost - nextCost) / cost
          face = next
          damping = max(1e-7, damping / 10)
          isBetter = true
          break
        }
        damping *= 10
      }
      // The first gates are wide so that a start that is far off is caught: they are gone through.
      if iteration + 1 >= gates.count, !isBetter || gain < 1e-4 { break }
    }
    return face.state
  }

  /// The equations at a state, with a share of the prior of identity.
  mutating func equations(
    at state: FaceState, priorShare: Double
  ) -> (matrix: SymmetricMatrix, right: [Double])? {
    let face = fitter.placed(state)
    var equations = NormalEquations(fitter.model, fixesIdentity: false)
    var cost = marks.add(face, to: &equations)
    if let surface {
      let seen = SurfaceResiduals.compared(
        face, fitter.model, to: surface, among: fitter.compared, gateMeters: gates.last ?? 0.01)
      cost += add(seen, face, to: &equations)
    }
    var (matrix, right) = equations.sums()
    cost += addPrior(state, &matrix, &right, identityShare: priorShare)
    return cost.isFinite ? (matrix, right) : nil
  }

  /// The cost of a state, by the pixels of the drawing of another one: drawing each trial would cost as
  /// much as the equations.
  private func cost(
    _ face: PlacedFace, _ seen: SurfaceResiduals?, of drawn: PlacedFace
  ) -> Double {
    var cost = marks.cost(face)
    if let seen {
      for vertex in seen.meters.indices where seen.sigmas[vertex] < .infinity {
        let way = face.inCamera[vertex].simd - drawn.inCamera[vertex].simd
        let residual = seen.meters[vertex] + (way * drawn.normals[vertex]).sum()
        cost += robust(residual, sigma(seen, vertex)).cost
      }
    }
    let shape = face.state.shape
    if !fixesIdentity { cost += shape.identity.reduce(0) { $0 + Double($1 * $1) } }
    let limit = fitter.expressionSigma
    return cost + shape.expression.reduce(0) { $0 + Double($1 * $1) / (limit * limit) }
  }

  private func sigma(_ seen: SurfaceResiduals, _ vertex: Int) -> Float {
    let detail = Float(fitter.detailSigmaMeters)
    return (seen.sigmas[vertex] * seen.sigmas[vertex] + detail * detail).squareRoot()
  }

  /// Geman and McClure's penalty: what is far out does not pull.
  ///
  /// - Source: S. Geman, D. McClure, *Statistical methods for tomographic image reconstruction*, 1987.
  private func robust(_ residual: Float, _ sigma: Float) -> (cost: Double, root: Float) {
    let ratio = residual / sigma / Self.robustness
    let share = 1 / (1 + ratio * ratio)
    let scale = Self.robustness * Self.robustness
    return (
      Double(scale * ratio * ratio * share) / fitter.verticesPerSample,
      share / Float(fitter.verticesPerSample).squareRoot()
    )
  }

  private func add(
    _ seen: SurfaceResiduals, _ face: PlacedFace, to equations: inout NormalEquations
  ) -> Double {
    var cost = 0.0
    let origin = SIMD3<Float>(face.state.cameraFromHead.translation)
    for vertex in seen.meters.indices where seen.sigmas[vertex] < .infinity {
      let sigma = sigma(seen, vertex)
      let penalty = robust(seen.meters[vertex], sigma)
      cost += penalty.cost
      let weight = penalty.root / sigma
      let direction = face.normals[vertex] * weight
      equations.add(
        direction: direction, turned: face.turned(direction),
        arm: face.inCamera[vertex].simd - origin, residual: seen.meters[vertex] * weight,
        vertices: [vertex, vertex, vertex], shares: [1, 0, 0])
    }
    return cost
  }

  /// Adds what is known of faces before one is seen; returns its part of the cost.
  private func addPrior(
    _ state: FaceState, _ matrix: inout SymmetricMatrix, _ right: inout [Double],
    identityShare: Double = 1
  ) -> Double {
    var cost = 0.0
    let count = state.shape.identity.count
    if !fixesIdentity {
      for (k, value) in state.shape.identity.enumerated() {
        matrix[6 + k, 6 + k] += identityShare
        right[6 + k] -= identityShare * Double(value)
        cost += identityShare * Double(value * value)
      }
    }
    let weight = 1 / (fitter.expressionSigma * fitter.expressionSigma)
    for (k, value) in state.shape.expression.enumerated() {
      matrix[6 + count + k, 6 + count + k] += weight
      right[6 + count + k] -= weight * Double(value)
      cost += weight * Double(value * value)
    }
    return cost
  }

  private func limits(_ state: FaceState) -> [ClosedRange<Double>?] {
    let free = [ClosedRange<Double>?](repeating: nil, count: 6 + state.shape.identity.count)
    return free
      + state.shape.expression.map { value in -Double(value)...(1 - Double(value)) }
  }

  private func fixed(_ poseOnly: Bool) -> [Bool] {
    let model = fitter.model
    let identity = [Bool](repeating: poseOnly || fixesIdentity, count: model.identityCount)
    let expression = [Bool](repeating: poseOnly, count: model.expressionNames.count)
    return [Bool](repeating: false, count: 6) + identity + expression
  }
}
