import PlumblineModel
import PlumblineReconstruction
import Testing

@Suite struct PoseEstimateTests {
  @Test("A small motion is applied in the axes of the second frame")
  func movesInTheSecondFrame() {
    let aFromB = RigidTransform(
      rotation: Rotation(axisAngle: [0, 0, .pi / 2]) ?? .identity, translation: [1, 2, 3])
    let moved = aFromB.moved(rotation: .zero, translation: [0.1, 0, 0])
    // The x axis of B is the y axis of A; rounding of a few units in the last place.
    let difference = moved.translation - [1, 2.1, 3]
    #expect((difference * difference).sum().squareRoot() < 1e-14)
  }
}
