/// The light of a scene.
public struct Lighting: Sendable {
  /// A small bright ball.
  public struct Lamp: Sendable {
    /// Its center, in meters.
    public var position: SIMD3<Double>
    /// Its light at a distance of one meter, linear.
    public var strength: SIMD3<Double>
    /// Its radius in meters, which makes its shadows soft.
    public var radius: Double
    /// Whether it casts shadows at all.
    public var castsShadows: Bool

    /// Creates a lamp.
    public init(
      position: SIMD3<Double>, strength: SIMD3<Double>, radius: Double, castsShadows: Bool = true
    ) {
      self.position = position
      self.strength = strength
      self.radius = radius
      self.castsShadows = castsShadows
    }
  }

  /// The lamps.
  public var lamps: [Lamp]
  /// The ambient light from above, linear.
  public var sky: SIMD3<Double>
  /// The ambient light from below, linear.
  public var ground: SIMD3<Double>

  /// Creates lighting from its parts.
  public init(lamps: [Lamp], sky: SIMD3<Double>, ground: SIMD3<Double>) {
    self.lamps = lamps
    self.sky = sky
    self.ground = ground
  }

  /// One lamp at the upper left and a gray room.
  public static let plain = Lighting(
    lamps: [Lamp(position: [-1, -1, -0.5], strength: [2, 2, 2], radius: 0.1)],
    sky: [0.4, 0.4, 0.4], ground: [0.3, 0.3, 0.3])

  /// The ambient light on a surface: `y` points down, so up is negative.
  func ambient(on normal: SIMD3<Double>) -> SIMD3<Double> {
    ground + (sky - ground) * (0.5 - 0.5 * normal.y)
  }
}
