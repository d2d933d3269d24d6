package import PlumblineModel
package import PlumblineVision

extension SimulatedScene {
  /// A printed board on a wooden table by a window, with other objects.
  ///
  /// The origin is the board's center, and its surface is the plane `y = 0`. The viewer is at −`z`
  /// of the board's columns, so that the board appears upright.
  package static func desk(_ board: Board) -> (
    scene: SimulatedScene, sceneFromBoard: RigidTransform
  ) {
    let size = SIMD2(Double(board.columns), Double(board.rows)) * board.squareMeters
    let sceneFromBoard = RigidTransform(
      rotation: Rotation(x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0]),
      translation: [-size.x / 2, 0, size.y / 2])
    let margin = max(0.015, board.squareMeters * 0.5)
    let half = SIMD2(size.x / 2 + margin, size.y / 2 + margin)
    let wood = Pattern.mottled(
      Paint(albedo: [0.40, 0.25, 0.14]), Paint(albedo: [0.26, 0.15, 0.08]),
      blobs: [0.25, 0.05, 0.012])
    let cover = Pattern.uniform(Paint(albedo: [0.10, 0.20, 0.34], gloss: 0.02))
    return (
      SimulatedScene(
        surfaces: [
          BoardSurface(board, sceneFromBoard: sceneFromBoard, marginMeters: margin),
          // The plate under the print, a tenth of a millimeter below it.
          OrientedBox(
            center: [0, 0.0021, 0], halfSize: [half.x + 0.0005, 0.002, half.y + 0.0005],
            pattern: .uniform(Paint(albedo: [0.55, 0.53, 0.50]))),
          Plane(through: [0, 0.0042, 0], normal: [0, -1, 0], pattern: wood),
          // A notebook, a pencil on it and a ball of clay, all below the lines of sight to the
          // board.
          OrientedBox(
            center: [half.x + 0.11, -0.004, 0.03], halfSize: [0.075, 0.008, 0.105],
            rotation: .aboutY(halfTangent: 0.08), pattern: cover),
          OrientedBox(
            center: [half.x + 0.10, -0.0155, 0.03], halfSize: [0.0035, 0.0035, 0.08],
            rotation: .aboutY(halfTangent: 0.35),
            pattern: .uniform(Paint(albedo: [0.75, 0.52, 0.08], gloss: 0.03))),
          Ellipsoid(
            center: [-half.x - 0.07, -0.012, 0.05], radius: 0.0165,
            pattern: .uniform(Paint(albedo: [0.55, 0.16, 0.10], gloss: 0.04))),
        ],
        lighting: .deskLamp), sceneFromBoard
    )
  }
}

extension Lighting {
  /// A window at the upper left and a bright room: paper appears at about two thirds of white.
  static let deskLamp = Lighting(
    lamps: [
      Lamp(position: [-0.55, -0.95, 0.55], strength: [0.70, 0.66, 0.58], radius: 0.12)
    ],
    sky: [0.36, 0.37, 0.40], ground: [0.20, 0.18, 0.16])
}

extension SimulatedScene {
  /// Objects of plaster, cloth and paper on a table in front of a papered wall, 0.7 to 2.6 m away;
  /// all have texture for stereo matching.
  ///
  /// The camera is at the origin. The finer texture has blobs of at least 3 pixels of a phone's
  /// wide camera at 4032×3024, so that pixels need no averaging.
  package static func stillLife() -> SimulatedScene {
    func grain(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ blob: Double) -> Pattern {
      .mottled(Paint(albedo: a), Paint(albedo: b), blobs: SIMD3(repeating: blob))
    }
    return SimulatedScene(
      surfaces: [
        // The table, and a wall that is not perpendicular to the axis.
        Plane(
          through: [0, 0, 2.6], normal: normalized(SIMD3(0.22, -0.03, -1)),
          pattern: grain([0.85, 0.80, 0.70], [0.22, 0.25, 0.32], 0.02)),
        Plane(
          through: [0, 0.34, 0], normal: [0, -1, 0],
          pattern: grain([0.62, 0.44, 0.28], [0.16, 0.10, 0.06], 0.014)),
        OrientedBox(
          center: [-0.28, 0.14, 1.5], halfSize: [0.13, 0.2, 0.11],
          rotation: .aboutY(halfTangent: 0.25),
          pattern: grain([0.75, 0.28, 0.20], [0.25, 0.07, 0.06], 0.012)),
        OrientedBox(
          center: [0.31, 0.19, 1.75], halfSize: [0.17, 0.15, 0.14],
          rotation: .aboutY(halfTangent: -0.32),
          pattern: grain([0.24, 0.42, 0.66], [0.06, 0.10, 0.22], 0.014)),
        OrientedBox(
          center: [0.12, 0.305, 0.95], halfSize: [0.12, 0.035, 0.08],
          rotation: .aboutY(halfTangent: 0.12),
          pattern: grain([0.70, 0.66, 0.30], [0.26, 0.22, 0.08], 0.008)),
        Ellipsoid(
          center: [0.02, 0.14, 1.32], semiaxes: [0.11, 0.16, 0.11],
          pattern: grain([0.80, 0.80, 0.78], [0.36, 0.34, 0.34], 0.01)),
        Ellipsoid(
          center: [-0.17, 0.28, 0.85], radius: 0.06,
          pattern: grain([0.35, 0.60, 0.28], [0.10, 0.20, 0.08], 0.007)),
      ],
      lighting: Lighting(
        lamps: [
          Lighting.Lamp(position: [-1.1, -1.4, 0.1], strength: [1.9, 1.8, 1.6], radius: 0.2)
        ],
        sky: [0.34, 0.35, 0.38], ground: [0.22, 0.20, 0.18]))
  }
}
