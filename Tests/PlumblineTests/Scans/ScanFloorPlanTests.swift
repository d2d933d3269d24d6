import PlumblineModel
import PlumblineRecordings
import Testing

@testable import Plumbline

/// From frames of a room to its drawn plan.
struct ScanFloorPlanTests {
  @Test("A fused room of 4 × 5 × 3 m has a plan with its walls, area and ceiling within the ±")
  func room() throws {
    var scene = ScanScene()
    scene.spheres = []
    // Round the middle, level and by turns 29° up and down, so that floor, walls and ceiling are seen.
    let path = (0..<60).map { index -> RigidTransform in
      let turn = 2 * Double.pi * Double(index % 30) / 30
      let yaw = Rotation(axisAngle: [0, turn, 0]) ?? .identity
      let pitch = index < 30 ? 0.0 : index % 2 == 0 ? 0.5 : -0.5
      return RigidTransform(
        rotation: yaw * (Rotation(axisAngle: [pitch, 0, 0]) ?? .identity), translation: .zero)
    }
    var builder = ScanBuilder.coarse
    builder.settings.refinesPoses = false
    let captures = path.enumerated().map { index, pose in
      var capture = ScanScene.capture(
        scene.depth(from: pose, seed: UInt64(index) + 1), recorded: pose, index: index)
      // Frames a fifth of a second apart do not share their noise.
      capture.timestampSeconds = 100 + Double(index) / 5
      return capture
    }
    let scan = try builder.build(ScanScene.recording(captures))
    let file = try #require(
      try scan.files(of: scan.fragments[0], as: .ply, name: "room").first)
    let cloud = try MeasurableCloudReader().cloud(from: file.bytes, fileName: "room.ply")
    let plan = CloudMeasurer(cloud).floorPlan(heightMeters: 1.2)
    var found: [String: (value: Double, sigma: Double)] = [:]
    for measurement in plan.measurements {
      let value = try #require(measurement.value, "\(measurement.reasons)")
      found[measurement.name ?? ""] = (value.value, try #require(value.sigma))
    }
    let walls = ["wall 1", "wall 2", "wall 3", "wall 4"].compactMap { found[$0] }
      .sorted { $0.value < $1.value }
    #expect(walls.count == 4 && found["wall 5"] == nil, "\(found)")
    let others = ["area", "perimeter", "ceiling height"].compactMap { found[$0] }
    // The ± counts each turn of 12° from one frame to the next as known to 2 %.
    for (number, truth) in zip(walls + others, [4, 4, 5, 5, 20, 18, 3.0]) {
      #expect(abs(number.value - truth) < 3 * number.sigma, "\(number) of \(truth)")
      #expect(number.sigma < 0.07 * truth)
    }
    #expect(others.count == 3)
    let svg = String(decoding: try #require(plan.svg), as: UTF8.self)
    let dxf = String(decoding: try #require(plan.dxf), as: UTF8.self)
    #expect(svg.contains("<svg") && dxf.contains("WALLS"))
  }
}
