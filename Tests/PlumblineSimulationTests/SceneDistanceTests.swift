import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineSimulation

/// Whether the distance from a scene is what the tracer and closed forms say.
@Suite struct SceneDistanceTests {
  static let paint = Pattern.uniform(Paint(albedo: [0.5, 0.5, 0.5]))

  /// Places that a camera sees, with their normals toward it.
  static func seen(
    _ scene: SimulatedScene, from sceneFromCamera: RigidTransform
  ) -> [(point: SIMD3<Double>, normal: SIMD3<Double>)] {
    let camera = SimulatedCamera(
      calibration: CameraPreset.lidar.trueDepth, sceneFromCamera: sceneFromCamera
    ).scaled(to: RasterSize(width: 32, height: 24))
    var places: [(SIMD3<Double>, SIMD3<Double>)] = []
    for y in 0..<24 {
      for x in 0..<32 {
        let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
        guard let hit = scene.firstHit(of: ray) else { continue }
        let point = ray.point(at: hit.parameter)
        let normal = scene.surfaces[hit.surface].normal(at: point)
        places.append((point, dot(normal, ray.direction) < 0 ? normal : -normal))
      }
    }
    return places
  }

  @Test(arguments: [SimulationScene.roomLoop, .headTurn, .board, .stillLife])
  func whatRaysHitHasNoDistance(scene: SimulationScene) {
    let recording = scene.recording(by: .lidar, frames: 5, seed: 3)
    for pose in recording.sceneFromCameras {
      let places = Self.seen(recording.scene, from: pose)
      #expect(places.count > 100)
      for (point, normal) in places {
        // The tracer ends within 1e-10 m along the ray, the search for a foot within 1e-8 m.
        #expect(abs(recording.scene.signedDistance(to: point)) < 1e-7)
        // A place off the surface is outside, unless another surface is that near, and at most as far as it is
        // off, up to the search's 1e-6 m.
        let out = Ray(origin: point + normal * 1e-5, direction: normal)
        if let hit = recording.scene.firstHit(of: out), hit.parameter < 0.003 { continue }
        let distance = recording.scene.signedDistance(to: point + normal * 0.003)
        #expect(distance > 0 && distance < 0.003 + 1e-6, "\(distance)")
      }
    }
  }

  @Test func alongTheNormalOfAnEllipsoidTheWayIsTheDistance() {
    var generator = SeededGenerator(seed: 8)
    for seed in 0..<200 {
      let semiaxes = SIMD3(
        generator.uniform(in: 0.05..<0.3), generator.uniform(in: 0.05..<0.3),
        seed % 3 == 0 ? 0.1 : generator.uniform(in: 0.05..<0.3))
      let body = Ellipsoid(
        center: [0.3, -0.2, 1], semiaxes: seed % 5 == 0 ? [0.2, 0.2, 0.2] : semiaxes,
        rotation: .aboutY(halfTangent: generator.uniform()) * .aboutX(halfTangent: 0.4),
        pattern: Self.paint)
      let direction = normalized([generator.gaussian(), generator.gaussian(), generator.gaussian()])
      let point = body.center + body.rotation * (body.semiaxes * direction)
      let normal = body.normal(at: point)
      let way = generator.uniform(in: 0..<2)
      // Rounding of coordinates near 1 m.
      #expect(abs(body.signedDistance(to: point + normal * way) - way) < 1e-13)
      // The smallest radius of curvature is b²/a, up to which the foot stays the nearest place.
      let least = body.semiaxes.min() * body.semiaxes.min() / body.semiaxes.max()
      let inside = generator.uniform(in: 0..<0.9) * least
      #expect(abs(body.signedDistance(to: point - normal * inside) + inside) < 1e-13)
    }
  }

  @Test func boxesAndSheetsHaveFacesEdgesAndCorners() throws {
    let turn = Rotation.aboutY(halfTangent: 0.3)
    let box = OrientedBox(
      center: [1, 2, 3], halfSize: [0.1, 0.2, 0.3], rotation: turn, pattern: Self.paint)
    func distance(_ place: SIMD3<Double>) -> Double {
      box.signedDistance(to: box.center + turn * place)
    }
    // Rounding of coordinates near 3 m.
    #expect(abs(distance([0, 0.25, 0.1]) - 0.05) < 1e-14)
    #expect(abs(distance([0.13, -0.24, 0]) - 0.05) < 1e-14)
    #expect(abs(distance([0.12, 0.24, -0.34]) - 0.06) < 1e-14)
    #expect(abs(distance([0.08, 0.1, 0.1]) + 0.02) < 1e-14)
    let sheet = BoardSurface(.zeiss, sceneFromBoard: .identity, marginMeters: 0.01)
    #expect(abs(sheet.signedDistance(to: [0.1, 0.1, -0.02]) - 0.02) < 1e-15)
    #expect(abs(sheet.signedDistance(to: [-0.04, -0.05, 0]) - 0.05) < 1e-15)
  }

  @Test func noDistanceGrowsFasterThanTheWay() {
    let scene = SimulatedScene.portrait(of: .first)
    var generator = SeededGenerator(seed: 2)
    var (near, tooFast) = (0, 0)
    for _ in 0..<4000 {
      let point = SIMD3(
        generator.uniform(in: -0.12..<0.12), generator.uniform(in: -0.2..<0.2),
        generator.uniform(in: 0.32..<0.5))
      let distance = scene.signedDistance(to: point)
      guard abs(distance) < 0.005 else { continue }
      near += 1
      let other =
        point + SIMD3(generator.gaussian(), generator.gaussian(), generator.gaussian()) * 0.001
      let change = abs(distance - scene.signedDistance(to: other))
      if change > length(point - other) + 1e-6 { tooFast += 1 }
    }
    #expect(near > 150)
    // Where two sides of a crease are as near, the foot on one side is found: at lids, ears and the collar.
    #expect(tooFast * 50 <= near, "\(tooFast) of \(near)")
  }
}
