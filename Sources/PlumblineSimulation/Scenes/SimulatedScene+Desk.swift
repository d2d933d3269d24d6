public import PlumblineModel
public import PlumblineVision

extension SimulatedScene {
  /// A printed board on a wooden table by a window, with things beside it.
  ///
  /// The board's middle is the origin, its surface the plane `y = 0`; the person stands at −`z`
  /// of the board's columns, so that the board reads upright.
  public static func desk(_ board: Board) -> (scene: SimulatedScene, sceneFromBoard: RigidTransform)
  {
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
          // The plate that keeps the print flat, a tenth of a millimeter below it.
          OrientedBox(
            center: [0, 0.0021, 0], halfSize: [half.x + 0.0005, 0.002, half.y + 0.0005],
            pattern: .uniform(Paint(albedo: [0.55, 0.53, 0.50]))),
          Plane(through: [0, 0.0042, 0], normal: [0, -1, 0], pattern: wood),
          // A notebook, a pencil on it and a ball of clay, lower than any line of sight to the board.
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
  /// A window at the upper left and a bright room: paper is at about two thirds of white.
  static let deskLamp = Lighting(
    lamps: [
      Lamp(position: [-0.55, -0.95, 0.55], strength: [0.70, 0.66, 0.58], radius: 0.12)
    ],
    sky: [0.36, 0.37, 0.40], ground: [0.20, 0.18, 0.16])
}
