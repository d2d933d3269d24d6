internal import PlumblineGeometry
internal import PlumblineModel
import PlumblineNumerics

/// A head while it is followed through a recording.
struct FollowedHead: Sendable {
  let scanner: HeadScanner
  let observations: [FaceObservation?]
  var identity: [Float]
  /// The state of each frame that was followed.
  private(set) var states: [Int: FaceState] = [:]
  private var lost: [Int: String] = [:]
  private var displacement: [Float]?
  private var sigmas: [Float] = []
  private var residuals: [Float] = []
  private var detail = 0.0

  private var model: MorphableModel { scanner.fitter.model }

  init(_ scanner: HeadScanner, observations: [FaceObservation?]) {
    self.scanner = scanner
    self.observations = observations
    identity = Array(repeating: 0, count: scanner.fitter.model.identityCount)
  }

  private var fitter: FaceFitter {
    var fitter = scanner.fitter
    fitter.displacementMeters = displacement
    return fitter
  }

  private var follower: FaceFitter { scanner.follower(of: fitter) }

  /// Follows the head from a frame to both ends.
  mutating func follow(from start: Int, _ seed: FaceState) {
    let ways = [Array(start..<observations.count), Array((0..<start).reversed())]
    let head = self
    let follower = follower
    let parts = concurrentMap([0, 1], threads: scanner.threads) {
      head.followed(ways[$0], from: seed, by: follower)
    }
    for part in parts {
      states.merge(part.states) { first, _ in first }
      lost.merge(part.lost) { first, _ in first }
    }
  }

  /// The states of frames that follow each other, from a state beside the first of them.
  private func followed(
    _ indices: [Int], from seed: FaceState, by follower: FaceFitter
  ) -> (states: [Int: FaceState], lost: [Int: String]) {
    var states: [Int: FaceState] = [:]
    var lost: [Int: String] = [:]
    var last: FaceState? = seed
    for index in indices {
      guard let observation = observations[index] else {
        lost[index] = "it cannot be read"
        continue
      }
      guard observation.depth != nil else {
        lost[index] = "it has no metric depth"
        continue
      }
      // A head that was lost is found again by its landmarks alone.
      if last == nil, observation.landmarks == nil {
        lost[index] = "no face was found, and the frame before it has none"
        continue
      }
      guard let fit = try? follower.fit(observation, identity: identity, from: last),
        share(fit.state, observation) >= scanner.leastMeasuredShare
      else {
        lost[index] = "its depth does not show the head where the frame before it did"
        last = nil
        continue
      }
      last = fit.state
      states[index] = fit.state
    }
    return (states, lost)
  }

  /// Fits all frames again.
  mutating func settleAll() { settle(states.keys.sorted()) }

  /// Fits frames again, from where they are, to what is known of the head now.
  mutating func settle(_ indices: [Int]) {
    var follower = follower
    follower.maximumIterationCount = scanner.settlingIterationCount
    let settling = follower
    let (observations, states, identity) = (observations, states, identity)
    let moved = concurrentMap(indices, threads: scanner.threads) { index -> FaceState? in
      guard let observation = observations[index], let state = states[index] else { return nil }
      return (try? settling.fit(observation, identity: identity, from: state))?.state
    }
    for (index, state) in zip(indices, moved) {
      if let state { self.states[index] = state }
    }
  }

  private func seen(_ index: Int, collects: Bool = false) -> SurfaceResiduals? {
    guard let surface = observations[index]?.depth, let state = states[index] else { return nil }
    return SurfaceResiduals.compared(
      fitter.placed(state), model, to: surface, among: scanner.fitter.compared,
      gateMeters: scanner.refiner.gateMeters, collects: collects)
  }

  private func share(_ state: FaceState, _ observation: FaceObservation) -> Double {
    guard let surface = observation.depth else { return 0 }
    let seen = SurfaceResiduals.compared(
      fitter.placed(state), model, to: surface, among: scanner.fitter.compared,
      gateMeters: scanner.refiner.gateMeters)
    return seen.seenCount > 0 ? Double(seen.usedCount) / Double(seen.seenCount) : 0
  }

  /// Frames that show the head from as many sides as there are.
  var keyframes: [Int] {
    let sorted = states.keys.sorted { a, b in
      let (first, second) = (yaw(a), yaw(b))
      return first == second ? a < b : first < second
    }
    let count = min(scanner.maximumKeyframeCount, sorted.count)
    guard count > 1 else { return sorted }
    return (0..<count).map { sorted[$0 * (sorted.count - 1) / (count - 1)] }
  }

  private func yaw(_ index: Int) -> Double {
    guard let forward = states[index]?.cameraFromHead.rotation.z else { return 0 }
    return forward.x
  }

  /// One step of the identity that all keyframes share; poses and expressions are solved along with it.
  ///
  /// Each frame's own unknowns are taken out of its equations by their Schur complement.
  ///
  /// - Source: B. Triggs et al., *Bundle Adjustment: A Modern Synthesis*, 2000, §6.1.
  mutating func updateIdentity() {
    let keyframes = keyframes
    let count = model.identityCount
    let own = Array(0..<6) + ((6 + count)..<(6 + model.modeCount))
    let shared = Array(6..<(6 + count))
    var matrix = SymmetricMatrix(count: count)
    var right = [Double](repeating: 0, count: count)
    for index in keyframes {
      guard let observation = observations[index], let state = states[index] else { continue }
      var fitter = fitter
      // What one head differs from the model by, all frames see alike: together they know it once.
      fitter.verticesPerSample *= Double(keyframes.count)
      guard
        let equations = fitter.equations(
          observation, at: state, priorShare: 1 / Double(keyframes.count)),
        let factor = equations.matrix.part(own).cholesky
      else { continue }
      let ownRight = factor.solve(own.map { equations.right[$0] })
      for (a, i) in shared.enumerated() {
        let coupling = own.map { equations.matrix[i, $0] }
        let solved = factor.solve(coupling)
        for (b, j) in shared.enumerated() {
          var sum = equations.matrix[i, j]
          for (k, place) in own.enumerated() { sum -= solved[k] * equations.matrix[place, j] }
          matrix[a, b] += sum
        }
        var sum = equations.right[i]
        for (k, value) in ownRight.enumerated() { sum -= coupling[k] * value }
        right[a] += sum
      }
    }
    guard let step = matrix.cholesky?.solve(right) else { return }
    for k in identity.indices { identity[k] += Float(step[k]) }
    for index in states.keys { states[index]?.shape.identity = identity }
  }

  /// The surface off the model, from all frames together.
  mutating func updateDisplacement(drawsSigmas: Bool) {
    let count = model.vertexCount
    var sums = [Double](repeating: 0, count: count)
    var weights = [Double](repeating: 0, count: count)
    let floor = scanner.frameSigmaMeters
    let head = self
    for seen in concurrentMap(states.keys.sorted(), threads: scanner.threads, { head.seen($0) }) {
      guard let seen else { continue }
      for vertex in 0..<count where seen.sigmas[vertex] < .infinity {
        let sigma = seen.sigmas[vertex]
        let variance = Double(sigma * sigma + floor * floor)
        // What is far out in one frame is not skin there.
        let ratio = Double(seen.meters[vertex]) / (3 * variance.squareRoot() + 0.001)
        let weight = 1 / variance / ((1 + ratio * ratio) * (1 + ratio * ratio))
        sums[vertex] += weight * Double(seen.meters[vertex])
        weights[vertex] += weight
      }
    }
    residuals = (0..<count).map { weights[$0] > 0 ? Float(sums[$0] / weights[$0]) : .nan }
    let old = displacement ?? [Float](repeating: 0, count: count)
    let targets = (0..<count).map { old[$0] - (residuals[$0].isNaN ? 0 : residuals[$0]) }
    // Errors of frames that follow each other are alike: a recording knows a vertex as well as a few
    // frames of it do.
    let limit = 8 / Double(floor * floor)
    let used = weights.map { Float(min($0, limit)) }
    let spread = zip(targets, used).filter { $0.1 > 0 }.map { Double(abs($0.0)) }.sorted()
    let limits = scanner.refiner.detailLimitsMeters
    let median = spread.middleOfSorted.map { 1.4826 * $0 } ?? limits.upperBound
    detail = min(limits.upperBound, max(limits.lowerBound, median))
    let rest = FaceShape(
      identity: identity, expression: Array(repeating: 0, count: model.expressionNames.count))
    let prior = SurfacePrior.field(
      on: model.positions(of: rest), model, sigmaMeters: detail,
      rangeMeters: scanner.refiner.rangeMeters)
    let solution = SurfaceDisplacement.mostLikely(
      under: prior, model, targets: targets, weights: used, seed: 1,
      laneCount: drawsSigmas ? SurfaceDisplacement.laneCount : 8)
    displacement = solution.meters
    sigmas = solution.sigmas
  }

  /// The head, and the result of each frame.
  func scan(reference: Int) throws(FaceFitError) -> HeadScan {
    var frames: [HeadScan.Frame] = []
    var all: [Float] = []
    let count = model.vertexCount
    var sums = [Double](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: count)
    for index in states.keys.sorted() {
      guard let state = states[index], let seen = seen(index, collects: true) else { continue }
      for vertex in 0..<count where seen.sigmas[vertex] < .infinity {
        sums[vertex] += Double(seen.meters[vertex])
        counts[vertex] += 1
      }
      let pixels = seen.pixelMeters.sorted()
      for place in stride(from: 0, to: pixels.count, by: 10) { all.append(pixels[place]) }
      frames.append(
        HeadScan.Frame(
          index: index, state: state, usesLandmarks: observations[index]?.landmarks != nil,
          medianResidualMeters: pixels.middleOfSorted.map { Double($0) } ?? .nan,
          measuredShare: seen.seenCount > 0
            ? Double(seen.usedCount) / Double(seen.seenCount) : 0))
    }
    guard let observation = observations[reference], let state = states[reference],
      let equations = fitter.equations(observation, at: state, priorShare: 1)
    else {
      throw FaceFitError(
        "frame \(reference)", expected: "a head that stays where it was found",
        found: lost[reference] ?? "none")
    }
    let face = fitter.placed(state)
    let fit = FaceFit(
      state: state, landmarkError: LandmarkTerm(model, observation).meanError(face),
      iterationCount: 0, usesDepth: true, information: equations.matrix)
    let refined = RefinedFace(
      fit: fit, positions: face.inCamera, displacementMeters: displacement ?? [],
      sigmaMeters: scanner.refiner.sigmasWithModel(sigmas, detail: detail, face: face, fit: fit),
      residualMeters: (0..<count).map {
        counts[$0] > 0 ? Float(sums[$0] / Double(counts[$0])) : .nan
      }, pixelResidualMeters: all.sorted(),
      measuredShare: frames.first { $0.index == reference }?.measuredShare ?? 0,
      detailSigmaMeters: detail)
    return HeadScan(
      frames: frames,
      lost: lost.sorted { $0.key < $1.key }.map { (index: $0.key, reason: $0.value) },
      reference: reference, fit: fit, refined: refined)
  }
}
