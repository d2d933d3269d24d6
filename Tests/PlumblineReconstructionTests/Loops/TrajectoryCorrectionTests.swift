import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineSimulation
import Testing

@Suite struct TrajectoryCorrectionTests {
  @Test("A drift even along the path is undone between two keyframes")
  func interpolatesCorrections() {
    let truth = (0..<11).map {
      RigidTransform(rotation: .identity, translation: [0.02 * Double($0), 0, 0])
    }
    // 1 % of the path too long.
    let path = truth.map {
      RigidTransform(rotation: .identity, translation: $0.translation * 1.01)
    }
    let correction = TrajectoryCorrection(
      keyframes: [0, 10],
      worldFromKeyframes: [truth[0], truth[10]].map {
        PoseEstimate(aFromB: $0, covariance: diagonal([1, 1, 1, 2, 2, 2]))
      })
    for (estimate, pose) in zip(correction.applied(to: path), truth) {
      let difference = estimate.aFromB.translation - pose.translation
      // Rounding only.
      #expect((difference * difference).sum().squareRoot() < 1e-12)
      #expect(abs(estimate.covariance[5, 5] - 2) < 1e-12)
    }
  }

  @Test("A motion of the whole world moves every frame with it", arguments: UInt64(1)...4)
  func movesWithTheWorld(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let path = (0..<9).map { _ in random.pose(angle: 0.4, distance: 0.5) }
    let keyframes = [1, 4, 6]
    let world = random.pose(angle: 1, distance: 2)
    let targets = keyframes.map { path[$0] * random.pose(angle: 0.02, distance: 0.02) }
    func corrected(_ move: RigidTransform) -> [PoseEstimate] {
      TrajectoryCorrection(
        keyframes: keyframes,
        worldFromKeyframes: targets.map {
          PoseEstimate(aFromB: move * $0, covariance: diagonal([1, 1, 1, 1, 1, 1]))
        }
      ).applied(to: path.map { move * $0 })
    }
    for (there, here) in zip(corrected(world), corrected(.identity)) {
      let difference = there.aFromB.translation - world * here.aFromB.translation
      // Rounding of coordinates of a few meters.
      #expect((difference * difference).sum().squareRoot() < 1e-12)
    }
  }
}
