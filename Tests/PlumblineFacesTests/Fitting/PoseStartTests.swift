import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct PoseStartTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func rotationsAreFoundExactly(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func vector() -> SIMD3<Double> {
      [generator.gaussian(), generator.gaussian(), generator.gaussian()]
    }
    let rotation = try #require(Rotation(axisAngle: 1.5 * vector()))
    let a = (0..<10).map { _ in vector() }
    let b = a.map { 0.3 * (rotation * $0) }
    let found = try #require(PoseStart.bestRotation(from: a, to: b))
    for p in a {
      let way = found * p - rotation * p
      // Rounding of double precision through 30 squarings.
      #expect((way * way).sum().squareRoot() < 1e-9)
    }
  }

  @Test func vectorsOfNoExtentHaveNone() {
    #expect(PoseStart.bestRotation(from: [.zero, .zero], to: [.zero, .zero]) == nil)
    #expect(PoseStart.bestRotation(from: [[.nan, 0, 0]], to: [[1, 0, 0]]) == nil)
  }

  /// Far away perspective is weak, so the mean head without errors has its exact pose.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func aFarHeadIsFoundWhereItIs(seed: UInt64) throws {
    var settings = SyntheticFaces.exact
    settings.distance = 20...30
    settings.identitySigma = 0
    settings.expressionShare = 0
    settings.yaw = 1.2
    settings.tilt = 0.6
    settings.pixelStep = 40
    let head = SimulatedHead(try SyntheticFaces.coarseModel(), seed: seed, settings: settings)
    let pose = try #require(PoseStart.cameraFromHead(head.model, head.plain))
    let turn = pose.rotation * head.cameraFromHead.rotation.inverse
    // The landmarks are single precision of a pixel, a head of 20 pixels / 40 has 0.1 m: 1e-5 of it; and
    // perspective of 0.1 m in 20 m.
    let angle = turn.axisAngle
    #expect((angle * angle).sum().squareRoot() < 0.01, "\(angle)")
    let share = pose.translation.z / head.cameraFromHead.translation.z
    #expect(abs(share - 1) < 0.01, "\(share)")
  }

  @Test func withoutLandmarksThereIsNone() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 1, settings: SyntheticFaces.small)
    #expect(
      PoseStart.cameraFromHead(model, FaceObservation(landmarks: nil, camera: head.camera)) == nil)
    var flat = head.landmarks
    flat.points = flat.points.map { _ in [80, 100] }
    flat.relativeDepths = flat.relativeDepths.map { _ in 0 }
    #expect(
      PoseStart.cameraFromHead(model, FaceObservation(landmarks: flat, camera: head.camera)) == nil)
  }
}
