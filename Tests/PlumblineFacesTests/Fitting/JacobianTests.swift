import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineNumerics

@testable import PlumblineFaces

/// The derivatives that steps are made of, beside differences of the cost.
@Suite struct JacobianTests {
  /// The steps of differences: large enough for single precision, small enough for a parabola.
  private func step(_ unknown: Int) -> Double { unknown < 3 ? 1e-3 : unknown < 6 ? 1e-4 : 0.02 }

  /// A state and a cost whose gradient is compared, unknown by unknown; so many may differ since a place
  /// of the contour jumps from one vertex to the next within the step.
  private func compare(
    _ state: FaceState, _ matrix: SymmetricMatrix, _ right: [Double], cost value: Double,
    jumps: Int = 0, _ cost: (FaceState) -> Double
  ) {
    var differing: [String] = []
    for unknown in 0..<matrix.count {
      let h = step(unknown)
      var move = [Double](repeating: 0, count: matrix.count)
      move[unknown] = h
      let ahead = cost(state.moved(by: move))
      move[unknown] = -h
      let behind = cost(state.moved(by: move))
      let difference = (ahead - behind) / (2 * h) / 2
      // By Cauchy and Schwarz no gradient is greater than this; 0.3 % of it is for the parabola, the
      // rounding of single precision, and sigmas that change with the distance.
      let maximum = (matrix[unknown, unknown] * value).squareRoot()
      if abs(difference + right[unknown]) >= 3e-3 * maximum {
        differing.append(
          "unknown \(unknown): \(difference) and \(-right[unknown]) of \(maximum)")
      }
    }
    #expect(differing.count <= jumps, "\(differing)")
  }

  /// A state near a head's truth, with expressions that have room on both sides.
  private func start(_ head: SimulatedHead, seed: UInt64) -> FaceState {
    var generator = SeededGenerator(seed: seed)
    var state = FaceState(cameraFromHead: head.cameraFromHead, shape: head.shape)
    for k in state.shape.identity.indices { state.shape.identity[k] += Float(generator.gaussian()) }
    for k in state.shape.expression.indices {
      state.shape.expression[k] = Float(0.3 + 0.4 * generator.uniform())
    }
    return state
  }

  /// Landmarks whose wide sigmas leave the anchors' own, which change with the distance, a part of 0.2 %.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func landmarksGiveTheGradientOfTheirCost(seed: UInt64) throws {
    let model = try SyntheticFaces.coarseModel()
    var settings = SyntheticFaces.small
    settings.yaw = seed > 3 ? 0.6 : 0.1
    let head = SimulatedHead(model, seed: seed, settings: settings)
    var landmarks = head.landmarks
    var generator = SeededGenerator(seed: seed)
    landmarks.sigmasPixels = landmarks.sigmasPixels.map { _ in 40 }
    // Up to three sigmas off, where penalties are no parabolas any more.
    landmarks.points = landmarks.points.map {
      $0 + SIMD2(60, -40) + SIMD2(Float(generator.gaussian()), Float(generator.gaussian())) * 30
    }
    let marks = LandmarkTerm(model, FaceObservation(landmarks: landmarks, camera: head.camera))
    let state = start(head, seed: seed)
    let face = PlacedFace(model, state)
    var equations = NormalEquations(model, fixesIdentity: false)
    let value = marks.add(face, to: &equations)
    #expect(value == marks.cost(face))
    let (matrix, right) = equations.sums()
    compare(state, matrix, right, cost: value, jumps: seed > 3 ? 4 : 0) {
      marks.cost(PlacedFace(model, $0))
    }
  }

  /// With the pixels of one drawing, as a step is tried.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func depthGivesTheGradientOfItsCost(seed: UInt64) throws {
    let model = try SyntheticFaces.model()
    let head = SimulatedHead(model, seed: seed, settings: SyntheticFaces.small)
    var state = start(head, seed: seed)
    state.cameraFromHead.translation += [0.001, -0.001, 0.003]
    let fitter = FaceFitter(model)
    let surface = head.measured
    let observation = FaceObservation(landmarks: nil, camera: head.camera, depth: surface)
    var (matrix, right) = try #require(fitter.equations(observation, at: state, priorShare: 0))
    // The prior of expressions is a parabola of its own: it is taken away.
    let weight = 1 / (fitter.expressionSigma * fitter.expressionSigma)
    for (k, value) in state.shape.expression.enumerated() {
      let place = 6 + model.identityCount + k
      matrix[place, place] -= weight
      right[place] += weight * Double(value)
    }
    let face = PlacedFace(model, state)
    let seen = SurfaceResiduals.compared(
      face, model, to: surface, among: fitter.comparedVertices, gateMeters: 0.01)
    func cost(_ other: FaceState) -> Double {
      let moved = PlacedFace(model, other)
      var total = 0.0
      for vertex in seen.meters.indices where seen.sigmas[vertex] < .infinity {
        let way = moved.inCamera[vertex].simd - face.inCamera[vertex].simd
        let residual = Double(seen.meters[vertex] + (way * face.normals[vertex]).sum())
        let detail = fitter.detailSigmaMeters
        let sigma = Double(seen.sigmas[vertex])
        let square = residual * residual / (sigma * sigma + detail * detail)
        // Geman and McClure with 3 standard deviations.
        total += square / (1 + square / 9) / fitter.verticesPerSample
      }
      return total
    }
    compare(state, matrix, right, cost: cost(state), cost)
  }

  /// The residuals of a face that is drawn again change as their rows say.
  @Test func aMovedFaceHasTheResidualsOfItsRows() throws {
    let model = try SyntheticFaces.model()
    var settings = SyntheticFaces.exact
    settings.yaw = 0.2
    settings.pixelStep = 2
    let head = SimulatedHead(model, seed: 5, settings: settings)
    let state = FaceState(cameraFromHead: head.cameraFromHead, shape: head.shape)
    let all = model.mean.map { _ in true }
    let surface = head.measured
    func residuals(_ state: FaceState) -> [Float] {
      SurfaceResiduals.compared(
        PlacedFace(model, state), model, to: surface, among: all, gateMeters: 0.02
      ).meters
    }
    let before = residuals(state)
    let face = PlacedFace(model, state)
    let origin = SIMD3<Float>(state.cameraFromHead.translation)
    for unknown in 0..<6 {
      let size: Float = unknown < 3 ? 0.005 : 0.0005
      var move = [Double](repeating: 0, count: 6 + model.modeCount)
      move[unknown] = Double(size)
      let after = residuals(state.moved(by: move))
      var errors: [Float] = []
      var maximum: Float = 0
      for vertex in before.indices {
        guard !before[vertex].isNaN, !after[vertex].isNaN, face.facing(vertex) > 0.5 else {
          continue
        }
        let row = model.derivative(
          ofVertex: vertex, along: face.normals[vertex], arm: face.inCamera[vertex].simd - origin,
          face, length: 6 + model.modeCount)
        errors.append(abs(after[vertex] - before[vertex] - size * row[unknown]))
        maximum = max(maximum, abs(size * row[unknown]))
      }
      errors.sort()
      // Pixels change hands between vertices, and surfaces are curved: 5 % of the maximum change in the
      // median.
      let middle = try #require(errors.middle)
      #expect(
        errors.count > 300 && middle < 0.05 * maximum, "\(unknown): \(middle) of \(maximum)")
    }
  }

  @Test func identityThatIsKnownHasNoColumns() throws {
    let model = try SyntheticFaces.model()
    let head = SimulatedHead(model, seed: 1, settings: SyntheticFaces.small)
    let marks = LandmarkTerm(model, head.plain)
    let face = PlacedFace(model, start(head, seed: 1))
    var all = NormalEquations(model, fixesIdentity: false)
    var some = NormalEquations(model, fixesIdentity: true)
    _ = marks.add(face, to: &all)
    _ = marks.add(face, to: &some)
    let (whole, part) = (all.sums(), some.sums())
    let identity = 6..<(6 + model.identityCount)
    for i in 0..<whole.matrix.count {
      let isKnown = identity.contains(i)
      #expect(part.right[i] == (isKnown ? 0 : whole.right[i]))
      for j in 0..<whole.matrix.count {
        let isGone = isKnown || identity.contains(j)
        #expect(part.matrix[i, j] == (isGone ? 0 : whole.matrix[i, j]))
      }
    }
  }
}
