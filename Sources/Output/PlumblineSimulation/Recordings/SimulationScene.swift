internal import PlumblineModel
public import PlumblineVision

/// The scenes that the command line can simulate.
public enum SimulationScene: String, Sendable, CaseIterable {
  /// A printed board on a table.
  case board
  /// The clay bust of the bundled portrait in front of a wall.
  case bust
  /// The plaster bust.
  case plaster
  /// A living room.
  case room
  /// Textured objects on a table, for stereo matching.
  case stillLife = "still-life"
  /// The living room, seen on a way round it and back.
  case roomLoop = "room-loop"
  /// The living room, seen on a way in a figure eight.
  case roomEight = "room-eight"
  /// The clay bust, seen on a way round it.
  case headTurn = "head-turn"
  /// A plain wall perpendicular to the axis, nearer from frame to frame.
  case wall

  /// One line for a list.
  public var summary: String {
    switch self {
    case .board: "a printed board on a table, 0.2 to 0.5 m away"
    case .bust: "a clay bust at 0.4 m, seen from ear to ear"
    case .plaster: "a plaster bust at 0.4 m, seen from ear to ear"
    case .room: "a living room, 1 to 4 m away"
    case .stillLife: "things with a grain on a table, 0.7 to 2.6 m away"
    case .roomLoop: "the room on a way round it and back to the start, ten frames a second"
    case .roomEight: "the room on a way in a figure eight, ten frames a second"
    case .headTurn: "the clay bust from all sides at 0.44 m, ten frames a second"
    case .wall: "a plain wall across the axis, 0.2 to 1 m away"
    }
  }

  /// A recording of the scene.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - frames: The number of frames, at least 1.
  ///   - board: The board for ``board``; other scenes have none.
  ///   - views: The camera poses over the board.
  ///   - seed: The seed of poses and noise.
  /// - Returns: A recording without faults.
  public func recording(
    by camera: CameraPreset, frames: Int, board: Board = .zeiss, views: BoardViewPlan = .handheld,
    seed: UInt64
  ) -> SimulatedRecording {
    precondition(frames >= 1, "a recording of \(frames) frames")
    var generator = SeededGenerator(seed: seed ^ 0x5EED)
    switch self {
    case .board:
      let (scene, sceneFromBoard) = SimulatedScene.desk(board)
      let poses = views.cameraFromBoard(
        count: frames, of: board, by: camera.trueColor,
        meters: board.readableMeters(by: camera.trueColor.scaled(to: camera.colorSize)),
        seed: generator.next())
      return SimulatedRecording(
        rawValue, of: scene,
        board: SimulatedRecording.PlacedBoard(board: board, sceneFromBoard: sceneFromBoard),
        by: camera, from: poses.map { sceneFromBoard * $0.inverse }, seed: seed)
    case .bust, .plaster:
      return SimulatedRecording(
        rawValue, of: .portrait(of: self == .bust ? .first : .second), by: camera,
        from: Self.around([0.004, -0.04, 0.44], frames), seed: seed)
    case .room:
      return SimulatedRecording(
        rawValue, of: .room(), by: camera, from: Self.inRoom(frames, &generator), seed: seed)
    case .stillLife:
      return SimulatedRecording(
        rawValue, of: .stillLife(), by: camera,
        from: (0..<frames).map { frame in
          let share = frames == 1 ? 0 : 2 * Double(frame) / Double(frames - 1) - 1
          return RigidTransform(
            rotation: .aboutY(halfTangent: -0.02 * share), translation: [0.05 * share, 0, 0])
        }, seed: seed)
    case .roomLoop: return scan(of: .room(), on: .roomLoop, by: camera, frames, &generator, seed)
    case .roomEight: return scan(of: .room(), on: .roomEight, by: camera, frames, &generator, seed)
    case .headTurn:
      return scan(of: .portrait(of: .first), on: .headTurn, by: camera, frames, &generator, seed)
    case .wall:
      return SimulatedRecording(
        rawValue, of: .wall, by: camera,
        from: (0..<frames).map { frame in
          let depth = 0.2 + 0.8 * Double(frames - 1 - frame) / Double(max(frames - 1, 1))
          return RigidTransform(
            rotation: .identity, translation: [0, 0, -(frames == 1 ? 0.3 : depth)])
        }, seed: seed)
    }
  }

  private func scan(
    of scene: SimulatedScene, on path: ScanPath, by camera: CameraPreset, _ frames: Int,
    _ generator: inout SeededGenerator, _ seed: UInt64
  ) -> SimulatedRecording {
    SimulatedRecording(
      rawValue, of: scene, by: camera,
      from: path.sceneFromCameras(count: frames, seed: generator.next()),
      frameSeconds: ScanPath.frameSeconds, seed: seed)
  }

  /// Views of a head from 25° left to 25° right at constant distance; a single view is frontal.
  private static func around(_ middle: SIMD3<Double>, _ frames: Int) -> [RigidTransform] {
    (0..<frames).map { frame in
      let share = frames == 1 ? 0 : 2 * Double(frame) / Double(frames - 1) - 1
      let turn = Rotation.aboutY(halfTangent: 0.22 * share)
      return RigidTransform(rotation: turn, translation: middle - turn * middle)
    }
  }

  /// Views in different directions from one position in a room.
  private static func inRoom(
    _ frames: Int, _ generator: inout SeededGenerator
  ) -> [RigidTransform] {
    (0..<frames).map { frame in
      let share = frames == 1 ? 0 : 2 * Double(frame) / Double(frames - 1) - 1
      let pitch = 0.09 + 0.03 * generator.uniform()
      return RigidTransform(
        rotation: .aboutY(halfTangent: 0.18 * share) * .aboutX(halfTangent: -pitch),
        translation: [0.25 * share, 0.02 * generator.gaussian(), 0.02 * generator.gaussian()])
    }
  }
}

extension Board {
  /// From 0.2 m to the distance at which marker cells are 3 pixels wide, at most 0.5 m, since users
  /// hold a camera only where it can read the board.
  func readableMeters(by camera: CameraCalibration) -> ClosedRange<Double> {
    guard case .charuco(let pattern) = pattern else { return 0.2...0.5 }
    let cells = Double(MarkerDictionary(pattern.dictionary).side + 2)
    let cell = squareMeters * pattern.markerShare / cells
    let farthest = camera.intrinsics.focalLength.x * cell / 3
    return 0.2...min(max(farthest, 0.25), 0.5)
  }

  /// The board of the dataset that the simulator imitates: 10 × 8 squares of 20.875 mm with markers
  /// from the first ArUco library, in the legacy layout.
  ///
  /// - Source: ZEISS/iPad_TrueDepth_Issue_Eval, `calib_board.png` and `checkersize.txt`.
  public static let zeiss = Board(
    columns: 10, rows: 8, squareMeters: 0.020875,
    pattern: .charuco(
      CharucoPattern(dictionary: .arucoOriginal, markerShare: 0.5, layout: .legacy)))
}

extension SimulatedScene {
  /// A wallpapered wall through the origin, perpendicular to the axis of a camera at identity.
  static let wall = SimulatedScene(
    surfaces: [
      Plane(
        through: .zero, normal: [0, 0, -1],
        pattern: .mottled(
          Paint(albedo: [0.58, 0.55, 0.48]), Paint(albedo: [0.42, 0.40, 0.36]),
          blobs: [0.02, 0.02, 0.02]))
    ],
    lighting: Lighting(
      lamps: [Lighting.Lamp(position: [-1, -1, -1.2], strength: [1.6, 1.5, 1.35], radius: 0.1)],
      sky: [0.3, 0.3, 0.32], ground: [0.2, 0.19, 0.18]))
}
