import PlumblineGeometry
import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineTestSupport
import Testing

/// Registration of clouds whose poses are known.
@Suite struct PointRegistrationTests {
  private typealias Scene = RegistrationScene

  private func registration(_ factor: RegistrationFactor) -> PointRegistration {
    var registration = PointRegistration(
      factor: factor, levels: [.init(maximumDistanceMeters: 0.5, maximumIterations: 60)],
      residualSigmaMeters: 0.001)
    registration.convergenceMeters = 1e-9
    registration.convergenceRadians = 1e-9
    return registration
  }

  private static let factors: [RegistrationFactor] = [
    .pointToPoint, .pointToPlane, .symmetric, .colored(intensitySigma: 0.01),
    .generalized(share: 0.001),
  ]

  @Test(arguments: factors.indices)
  func recoversAPoseWithinTheRoundingOfPoints(number: Int) throws {
    // Point to point begins within half of the distance between points, beyond which it slides slowly.
    let scale = Self.factors[number] == .pointToPoint ? 0.1 : 1
    let truth = Scene.pose(
      scale * SIMD3(0.02, -0.015, 0.03), scale * SIMD3(0.01, -0.02, 0.015))
    let target = Scene.bowl(3000, seed: 3)
    let source = Scene.seen(target, by: truth.inverse)
    for optimizer in [PointRegistration.Optimizer.gaussNewton, .levenbergMarquardt] {
      var registration = registration(Self.factors[number])
      registration.optimizer = optimizer
      let result = try registration.align(
        source, to: .build(target, threads: 2), threads: 2)
      let error = Scene.error(of: result.pose.aFromB, truth: truth)
      // Coordinates to 3 m are rounded by 1.2e-7 m at most; the mean over 3,000 points is less.
      #expect(error.allSatisfy { abs($0) < 1e-7 }, "\(error) \(result.iterations)")
      #expect(result.converged && result.inlierShare == 1 && result.directions.weakCount == 0)
    }
  }

  @Test func threadsDoNotShow() throws {
    let target = Scene.bowl(5000, seed: 4)
    let truth = Scene.pose([0.01, 0.02, -0.01], [0.02, 0.01, 0.01])
    let source = Scene.seen(Scene.bowl(4000, seed: 5), by: truth.inverse, sigma: 0.002)
    var registration = registration(.generalized(share: 0.001))
    registration.loss = .cauchy(2)
    registration.levels = [
      .init(voxelMeters: 0.1, maximumDistanceMeters: 0.3, maximumIterations: 5),
      .init(maximumDistanceMeters: 0.1, maximumIterations: 5),
    ]
    let results = try [1, 2, 7].map { threads in
      try registration.align(
        source, to: .build(target, threads: threads), threads: threads)
    }
    for other in results[1...] {
      #expect(other.pose.aFromB == results[0].pose.aFromB)
      #expect(other.pose.covariance == results[0].pose.covariance)
      #expect(other.rmsMeters == results[0].rmsMeters && other.rmsMeters > 0)
    }
  }

  @Test func theCovarianceIsThatOfTheScatter() throws {
    let truth = Scene.pose([0.01, 0.005, -0.01], [0.005, 0.01, 0])
    let target = Scene.bowl(20_000, seed: 6)
    let surface = RegistrationTarget.build(target, threads: 2)
    let points = Scene.bowl(400, seed: 7)
    var registration = registration(.pointToPlane)
    registration.residualSigmaMeters = 0.003
    registration.levels[0].maximumIterations = 8
    registration.convergenceMeters = 1e-5
    registration.convergenceRadians = 1e-5
    var sum = 0.0
    for seed in 0..<100 {
      let source = Scene.seen(points, by: truth.inverse, sigma: 0.003, seed: 50 + UInt64(seed))
      let result = try registration.align(source, to: surface, from: truth, threads: 2)
      let error = Scene.error(of: result.pose.aFromB, truth: truth)
      let factor = try #require(result.pose.covariance.cholesky)
      sum += zip(error, factor.solve(error)).reduce(0) { $0 + $1.0 * $1.1 }
    }
    // χ² of 600 degrees of freedom over 100: 6 ± 0.35, and three of these each side. The distance of the
    // plane at a neighbor from the curved surface adds to the noise.
    #expect(abs(sum / 100 - 6) < 1.05, "\(sum / 100)")
  }

  @Test func alongATunnelThePoseStaysAtThePrior() throws {
    let target = Scene.tunnel(4000, seed: 8)
    let truth = Scene.pose([0.01, -0.01, 0.02], [0.02, -0.03, 0.04])
    let source = Scene.seen(target, by: truth.inverse)
    let surface = RegistrationTarget.build(target, threads: 2)
    let free = try registration(.pointToPlane).align(source, to: surface, threads: 2)
    #expect(free.directions.weakCount == 1)
    // One direction is not determined: it is the tunnel's, whose variance is stated as unbounded.
    let along = free.pose.aFromB.rotation.inverse * SIMD3(0.0, 0, 1)
    let direction = [0, 0, 0, along.x, along.y, along.z]
    let variance = zip(direction, free.pose.covariance * direction).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(variance > 0.99 * PoseSolution.unboundedVariance)
    // 1 mm each over 4,000 points in the others.
    let across = free.pose.covariance
    #expect(across[0, 0] < 1e-4 && across[2, 2] < 1e-4)

    let prior = PoseEstimate(
      aFromB: Scene.pose([0.005, 0, 0.01], [0.01, -0.02, 0.11]),
      covariance: diagonal(rotation: 0.02, translation: 0.03))
    let held = try registration(.pointToPlane).align(source, to: surface, prior: prior, threads: 2)
    let shift = held.pose.aFromB.translation - truth.translation
    // Across, the pairs decide: their information is a million times the prior's.
    #expect(abs(shift.x) < 1e-5 && abs(shift.y) < 1e-5)
    // Along, the prior: what the turn moves of it is of second order in 0.02 rad · 0.1 m.
    #expect(abs(held.pose.aFromB.translation.z - 0.11) < 0.002)
    let kept = zip(direction, held.pose.covariance * direction).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(kept.squareRoot() - 0.03) < 0.001)
  }

  @Test func aPlaneLeavesThreeDirections() throws {
    let target = Scene.tunnel(2000, seed: 9, faces: 1)
    let result = try registration(.pointToPlane).align(
      Scene.seen(target, by: Scene.pose([0, 0.01, 0], [0.02, 0, 0])),
      to: .build(target, threads: 1), threads: 1)
    #expect(result.directions.weakCount == 3)
    #expect(abs(result.pose.aFromB.translation.y) < 1e-6)
  }

  @Test func aRobustLossIgnoresWhatLeastSquaresFollows() throws {
    let target = Scene.bowl(4000, seed: 12)
    let truth = Scene.pose([0.01, 0, -0.01], [0.01, 0.01, 0])
    var source = Scene.seen(target, by: truth.inverse, sigma: 0.001)
    for index in stride(from: 0, to: 4000, by: 5) { source.positions[index].z += 0.15 }
    let surface = RegistrationTarget.build(target, threads: 2)
    func shift(_ loss: RobustLoss) throws -> Double {
      var registration = registration(.pointToPlane)
      registration.loss = loss
      registration.levels = [.init(maximumDistanceMeters: 0.5, maximumIterations: 30)]
      let result = try registration.align(source, to: surface, threads: 2)
      return Scene.error(of: result.pose.aFromB, truth: truth).map(abs).max() ?? 1
    }
    let plain = try shift(.none)
    #expect(plain > 0.005)
    for loss in [RobustLoss.huber(1.345), .cauchy(2.385), .gemanMcClure(3), .tukey(60)] {
      #expect(try shift(loss) < plain / 4, "\(loss)")
    }
  }

  @Test func cloudsThatDoNotMeetAreRefused() throws {
    let target = RegistrationTarget.build(Scene.bowl(100, seed: 1), threads: 1)
    let far = Scene.seen(target.cloud, by: Scene.pose(.zero, [0, 0, 50]))
    #expect(throws: RegistrationError.tooFewPairs(found: 0, needed: 6)) {
      try registration(.pointToPlane).align(far, to: target, threads: 1)
    }
    let bare = RegistrationCloud(positions: target.cloud.positions)
    #expect(throws: RegistrationError.missingAttribute("normals of the source")) {
      try registration(.symmetric).align(bare, to: target, threads: 1)
    }
  }

  private func diagonal(rotation: Double, translation: Double) -> SymmetricMatrix {
    var matrix = SymmetricMatrix(count: 6)
    for index in 0..<3 {
      matrix[index, index] = rotation * rotation
      matrix[index + 3, index + 3] = translation * translation
    }
    return matrix
  }
}
