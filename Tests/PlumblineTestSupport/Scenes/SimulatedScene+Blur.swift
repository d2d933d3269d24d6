package import PlumblineSimulation

extension SimulatedScene {
  /// A painted ball before a painted wall: a strong edge with strong patterns on both sides.
  package static func ballBeforeChecks() -> SimulatedScene {
    SimulatedScene(
      surfaces: [
        Ellipsoid(
          center: [-0.06, 0.02, 0.52], radius: 0.12,
          pattern: .checker(
            Paint(albedo: [0.75, 0.55, 0.3]), Paint(albedo: [0.6, 0.2, 0.1]), edge: 0.05)),
        Plane(
          through: [0, 0, 3], normal: [0, 0, -1],
          pattern: .checker(
            Paint(albedo: [0.05, 0.2, 0.45]), Paint(albedo: [0.02, 0.04, 0.08]), edge: 0.43)),
      ],
      lighting: Lighting(lamps: [], sky: [0.9, 0.9, 0.9], ground: [0.7, 0.7, 0.7]))
  }
}
