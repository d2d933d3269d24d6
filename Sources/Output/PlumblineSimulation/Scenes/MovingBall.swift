internal import PlumblineModel

/// A ball that crosses the view while a recording runs.
package struct MovingBall: Hashable, Sendable {
  /// Where it is at the given moment, in the scene.
  package var center: SIMD3<Double>
  /// Its motion in meters per second.
  package var velocity: SIMD3<Double>
  /// When it is there, in seconds from the first frame.
  package var seconds: Double
  /// Its radius in meters.
  package var radius: Double

  /// The ball at a moment.
  func surface(atSeconds moment: Double) -> Ellipsoid {
    Ellipsoid(
      center: center + velocity * (moment - seconds), radius: radius,
      pattern: .uniform(Paint(albedo: [0.75, 0.60, 0.10], gloss: 0.05)))
  }

  /// A ball that crosses the view of a camera from left to right, halfway to what it sees in its middle.
  ///
  /// - Returns: `nil` where the camera sees nothing in its middle.
  static func crossing(
    _ scene: SimulatedScene, viewOf sceneFromCamera: RigidTransform, atSeconds seconds: Double,
    metersPerSecond: Double
  ) -> MovingBall? {
    let rotation = sceneFromCamera.rotation
    let ray = Ray(origin: sceneFromCamera.translation, direction: rotation.z)
    guard let hit = scene.firstHit(of: ray) else { return nil }
    return MovingBall(
      center: ray.point(at: hit.parameter / 2), velocity: rotation.x * metersPerSecond,
      seconds: seconds, radius: hit.parameter / 12)
  }
}
