import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

@Suite struct KeyframeRegistrationTests {
  /// Looking into a corner of the room.
  private let corner = pose([0.3, 0.7, 0], [0.3, -0.2, 0.4])
  private let motion = pose([0.02, 0.09, -0.03], [0.06, -0.02, 0.05])

  private func prior(_ error: Double) -> PosePrior {
    PosePrior(
      worldFromCamera: motion * pose([0, error, 0], [error, 0, -error]), sigmaRadians: 0.06,
      sigmaMeters: 0.06)
  }

  @Test("The inverse of an estimate has the error that the estimate has, seen from the other side")
  func inverse() {
    var random = SeededGenerator(seed: 3)
    let estimate = random.pose(angle: 0.7, distance: 2)
    let small = (0..<6).map { _ in 1e-6 * random.gaussian() }
    var covariance = SymmetricMatrix(count: 6)
    for row in 0..<6 {
      for column in 0..<6 { covariance[row, column] = small[row] * small[column] }
    }
    let inverse = PoseEstimate(aFromB: estimate, covariance: covariance).inverse
    let error = PoseResidual(inverse.aFromB.inverse * estimate.moved(small).inverse).values
    for row in 0..<6 {
      for column in 0..<6 {
        // Of second order: 1e-6 of 1e-12.
        #expect(abs(inverse.covariance[row, column] - error[row] * error[column]) < 1e-15)
      }
    }
  }

  @Test("A view seen again is measured within its covariance, from 3° and 5 cm away")
  func measures() throws {
    var sum = 0.0
    let scene = LoopScene.furnished
    for seed in UInt64(1)...12 {
      let a = scene.frame(worldFromCamera: corner, sigmaMeters: 0.002, seed: seed)
      let b = scene.frame(worldFromCamera: corner * motion, sigmaMeters: 0.002, seed: seed + 100)
      let found = try #require(
        KeyframeRegistration.loop.measured(b, in: a, prior: prior(0.05)))
      let error = found.difference(
        to: PoseEstimate(aFromB: motion, covariance: found.covariance))
      let information = try #require(found.covariance.scaledInverse)
      sum += zip(error, information * error).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(difference(found.aFromB, motion).meters < 0.003)
    }
    // Six are expected where all errors of the covariance occur; shared ones of depth do not in this scene.
    #expect(sum / 12 < 7)
  }

  @Test("Along a tunnel the measured motion keeps the prior's variance")
  func keepsUnseen() throws {
    let scene = TrackingScene.tunnel
    let ahead = pose(.zero, [0, 0, 0.1])
    let a = scene.frame(worldFromCamera: .identity, sigmaMeters: 0.002, seed: 5)
    let b = scene.frame(worldFromCamera: ahead, sigmaMeters: 0.002, seed: 6)
    let prior = PosePrior(worldFromCamera: ahead, sigmaRadians: 0.05, sigmaMeters: 0.05)
    let found = try #require(KeyframeRegistration.loop.measured(b, in: a, prior: prior))
    // The prior says 50 mm; noise in the normals, which fix nothing, may take a part of it.
    #expect(found.covariance[5, 5].squareRoot() > 0.03)
    // Walls 1 m away: 0.2 % of it and the noise of 3,000 points.
    #expect(found.covariance[3, 3].squareRoot() < 0.01)
  }

  @Test("Other places do not fit")
  func rejectsOthers() {
    let scene = LoopScene.furnished
    let a = scene.frame(worldFromCamera: .identity, sigmaMeters: 0.002, seed: 1)
    for (seed, turn) in [1.0, 1.8, 2.6].enumerated() {
      let b = scene.frame(
        worldFromCamera: pose([0, turn, 0], .zero), sigmaMeters: 0.002, seed: UInt64(seed + 2))
      #expect(KeyframeRegistration.loop.measured(b, in: a, prior: prior(0)) == nil)
    }
  }
}
