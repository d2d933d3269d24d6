internal import PlumblineModel

extension SimulatedScene {
  /// The figures that portraits are made of.
  public enum Sitter: Sendable {
    /// Fired clay in a blue shirt, turned a little to the viewer's left.
    case first
    /// Plaster in a green shirt, turned a little to the viewer's right.
    case second
  }

  /// A bust at about 0.4 m before a wall at about 1.1 m, with a shelf and things on it.
  ///
  /// The indices of the bust in `surfaces` are ``bustSurfaces``.
  public static func portrait(of sitter: Sitter) -> SimulatedScene {
    let turn = sitter == .first ? 0.07 : -0.06
    let bust = PortraitBust(
      position: [0.004, -0.068, 0.432],
      rotation: .aboutY(halfTangent: turn) * .aboutX(halfTangent: -0.02),
      palette: sitter == .first ? .terracotta : .plaster)
    return SimulatedScene(surfaces: [bust.torso, bust.head] + room(sitter), lighting: .window)
  }

  /// The indices of the bust's torso and head among the surfaces of a portrait.
  package static let bustSurfaces = 0..<2

  private static func room(_ sitter: Sitter) -> [any SceneSurface] {
    let wall =
      sitter == .first ? Paint(albedo: [0.30, 0.42, 0.43]) : Paint(albedo: [0.48, 0.40, 0.33])
    let wallShade = Paint(albedo: wall.albedo * 0.93)
    let wood = Pattern.mottled(
      Paint(albedo: [0.42, 0.26, 0.14], gloss: 0.02),
      Paint(albedo: [0.30, 0.17, 0.09], gloss: 0.02),
      blobs: [0.16, 0.012, 0.02])
    return [
      Plane(
        through: [0, 0, 1.12], normal: [0.05, 0, -1],
        pattern: .mottled(wall, wallShade, blobs: [0.12, 0.12, 0.12])),
      OrientedBox(center: [0.30, 0.115, 1.02], halfSize: [0.24, 0.012, 0.085], pattern: wood),
      Ellipsoid(
        center: [0.245, 0.038, 1.00], semiaxes: [0.058, 0.066, 0.058],
        pattern: .uniform(Paint(albedo: [0.78, 0.55, 0.22], gloss: 0.06))),
      OrientedBox(
        center: [0.385, 0.028, 1.03], halfSize: [0.036, 0.076, 0.050],
        rotation: .aboutY(halfTangent: 0.12),
        pattern: .uniform(Paint(albedo: [0.55, 0.13, 0.10]))),
      OrientedBox(
        center: [-0.275, -0.165, 1.095], halfSize: [0.135, 0.165, 0.012], pattern: wood),
      OrientedBox(
        center: [-0.275, -0.165, 1.085], halfSize: [0.115, 0.145, 0.006],
        pattern: .checker(
          Paint(albedo: [0.72, 0.69, 0.62]), Paint(albedo: [0.16, 0.22, 0.30]), edge: 0.0575)),
    ]
  }
}

extension PortraitBust.Palette {
  /// Fired clay in a blue shirt.
  static let terracotta = PortraitBust.Palette(
    skin: Paint(albedo: [0.60, 0.36, 0.25], gloss: 0.035),
    lips: Paint(albedo: [0.54, 0.29, 0.20], gloss: 0.050),
    eyes: Paint(albedo: [0.64, 0.41, 0.30], gloss: 0.080),
    hair: .mottled(
      Paint(albedo: [0.34, 0.17, 0.11], gloss: 0.060),
      Paint(albedo: [0.24, 0.12, 0.08], gloss: 0.030), blobs: [0.006, 0.06, 0.05]),
    shirt: .mottled(
      Paint(albedo: [0.10, 0.17, 0.30]), Paint(albedo: [0.08, 0.14, 0.26]),
      blobs: [0.05, 0.05, 0.05]),
    collar: Paint(albedo: [0.78, 0.74, 0.66]))

  /// Plaster in a green shirt.
  static let plaster = PortraitBust.Palette(
    skin: Paint(albedo: [0.66, 0.62, 0.55], gloss: 0.025),
    lips: Paint(albedo: [0.62, 0.57, 0.50], gloss: 0.030),
    eyes: Paint(albedo: [0.68, 0.64, 0.58], gloss: 0.060),
    hair: .mottled(
      Paint(albedo: [0.50, 0.46, 0.40], gloss: 0.030),
      Paint(albedo: [0.40, 0.37, 0.32], gloss: 0.020), blobs: [0.006, 0.06, 0.05]),
    shirt: .mottled(
      Paint(albedo: [0.16, 0.27, 0.17]), Paint(albedo: [0.13, 0.23, 0.14]),
      blobs: [0.05, 0.05, 0.05]),
    collar: Paint(albedo: [0.30, 0.36, 0.24]))
}

extension Lighting {
  /// A warm window at the upper left, a cool fill from the right, a lamp behind on the wall.
  static let window = Lighting(
    lamps: [
      Lamp(position: [-0.75, -0.75, -0.15], strength: [1.15, 1.05, 0.90], radius: 0.10),
      Lamp(
        position: [0.90, -0.10, 0.05], strength: [0.14, 0.17, 0.22], radius: 0.2,
        castsShadows: false),
    ],
    sky: [0.30, 0.32, 0.35], ground: [0.16, 0.14, 0.13])
}
