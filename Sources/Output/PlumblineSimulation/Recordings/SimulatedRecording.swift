public import PlumblineModel
public import PlumblineVision

/// A scene and a camera with its poses, one per frame; frames are rendered on request.
public struct SimulatedRecording: Sendable {
  /// The board of the scene and its pose.
  public struct PlacedBoard: Sendable {
    /// The board.
    public var board: Board
    /// The pose of the board in the scene.
    public var sceneFromBoard: RigidTransform

    /// Creates a board with a pose.
    package init(board: Board, sceneFromBoard: RigidTransform) {
      self.board = board
      self.sceneFromBoard = sceneFromBoard
    }
  }

  /// The name of the scene, such as `board`.
  public let sceneName: String
  /// The scene that the camera sees.
  public let scene: SimulatedScene
  /// The board in it; `nil` for none.
  public let board: PlacedBoard?
  /// The camera.
  public let camera: CameraPreset
  /// The pose of the camera in each frame; not mirrored.
  public let sceneFromCameras: [RigidTransform]
  /// The time from one frame to the next, in seconds.
  public let frameSeconds: Double
  /// The image formation of the color camera.
  public var formation = ImageFormation()
  /// The sensor of a front camera.
  package var trueDepthSensor = SimulatedTrueDepthSensor()
  /// The sensor of a back camera.
  package var lidarSensor = SimulatedLiDARSensor()
  /// The faults in every frame's depth or claimed calibration.
  public var faults: [CaptureFault] = []
  /// The error that successive frames share; `nil` for none.
  package var slowNoise: SlowNoise?
  /// What moves through the scene; the truth of the scene does not know it.
  package var ball: MovingBall?
  /// What is wrong with the poses that are stated, in this order.
  package var poseFaults: [PoseFault] = []
  /// The relative growth of the true focal length from frame to frame; the claimed one is constant.
  public var focalDrift = 0.0
  /// The files' statement about geometric distortion correction; the truth by default.
  public var claimsGeometricDistortionCorrection: Bool
  /// The names of the faults from ``SimulationFault/apply(_:to:)``, as on the command line.
  public internal(set) var faultNames: [String] = []
  /// The seed of all noise.
  public let seed: UInt64

  private let colorRays: CameraRayGrid
  private let depthRays: CameraRayGrid

  /// Creates a recording; O(pixels of one frame).
  package init(
    _ sceneName: String, of scene: SimulatedScene, board: PlacedBoard? = nil,
    by camera: CameraPreset, from sceneFromCameras: [RigidTransform], frameSeconds: Double = 0.5,
    seed: UInt64
  ) {
    self.sceneName = sceneName
    self.scene = scene
    self.board = board
    self.camera = camera
    self.sceneFromCameras = sceneFromCameras
    self.frameSeconds = frameSeconds
    self.seed = seed
    claimsGeometricDistortionCorrection = camera.isGeometricDistortionCorrected
    colorRays = CameraRayGrid(camera.trueColor.scaled(to: camera.colorSize))
    depthRays =
      camera.sharesOneImage
      ? colorRays : CameraRayGrid(camera.trueDepth.scaled(to: camera.depthSize))
  }

  /// The number of frames.
  public var frameCount: Int { sceneFromCameras.count }

  /// The poses that a device states, in the scene; `nil` where it states none.
  ///
  /// They are the camera's own but for ``poseFaults``. O(frames).
  package var statedSceneFromCameras: [RigidTransform?] {
    poseFaults.reduce(sceneFromCameras.map { $0 }) {
      $1.applied(to: $0, exact: sceneFromCameras, seed: seed)
    }
  }

  /// Renders one frame; the bits do not depend on earlier frames or on the platform.
  ///
  /// - Precondition: The index is that of a frame.
  /// - Complexity: O(pixels · surfaces): about 0.2 s for 640×480 in a release build.
  public func frame(_ index: Int) -> SimulatedFrame {
    precondition(sceneFromCameras.indices.contains(index), "there is no frame \(index)")
    let growth = 1 + focalDrift * Double(index)
    let seconds = frameSeconds * Double(index)
    var scene = scene
    if let ball { scene.surfaces.append(ball.surface(atSeconds: seconds)) }
    let mirror = Rotation(x: [1, 0, 0], y: [0, camera.isMirrored ? -1 : 1, 0], z: [0, 0, 1])
    let sceneFromCamera = RigidTransform(
      rotation: sceneFromCameras[index].rotation * mirror,
      translation: sceneFromCameras[index].translation)
    var trueColor = camera.trueColor.scaled(to: camera.colorSize)
    var trueDepth = camera.trueDepth.scaled(to: camera.depthSize)
    trueColor.intrinsics.focalLength *= growth
    trueDepth.intrinsics.focalLength *= growth
    // Random streams that do not depend on the number of frames.
    var seeds = SeededGenerator(seed: seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15)
    let view = SceneRenderer(
      scene: scene, rays: colorRays.withFocalLength(scaledBy: growth),
      sceneFromCamera: sceneFromCamera
    ).view()
    let color = formation.image(of: view.radiance, seed: seeds.next())
    let depthCamera = SimulatedCamera(calibration: trueDepth, sceneFromCamera: sceneFromCamera)
    let rays = depthRays.withFocalLength(scaledBy: growth)
    var measurement =
      switch camera.depthCamera {
      case .trueDepth:
        trueDepthSensor.measurement(
          of: scene, from: depthCamera, rays: rays,
          truth: camera.sharesOneImage ? view.depth : nil, seed: seeds.next())
      case .lidar:
        lidarSensor.measurement(of: scene, from: depthCamera, rays: rays, seed: seeds.next())
      }
    measurement.calibration = camera.claimed
    if let slowNoise {
      measurement.disparity = slowNoise.applied(
        to: measurement.disparity, rays: rays, sceneFromCamera: sceneFromCamera.rotation,
        atSeconds: seconds)
    }
    measurement = faults.reduce(measurement) { $0.with($1) }
    let cameraFromBoard = board.map { sceneFromCamera.inverse * $0.sceneFromBoard }
    return SimulatedFrame(
      index: index, timestampMilliseconds: 10_000 + Int((1000 * seconds).rounded()), color: color,
      measurement: measurement, trueColor: trueColor, trueDepth: trueDepth,
      sceneFromCamera: sceneFromCamera, cameraFromBoard: cameraFromBoard,
      corners: corners(cameraFromBoard, sceneFromCamera, trueColor, in: scene))
  }

  /// The corners that are not occluded.
  private func corners(
    _ cameraFromBoard: RigidTransform?, _ sceneFromCamera: RigidTransform,
    _ calibration: CameraCalibration, in scene: SimulatedScene
  ) -> [BoardCorner] {
    guard let board, let cameraFromBoard else { return [] }
    return board.board.visibleCorners(from: cameraFromBoard, by: calibration).filter { corner in
      scene.isVisible(
        board.sceneFromBoard * board.board.cornerInBoard(corner.id),
        from: sceneFromCamera.translation)
    }
  }
}

/// One frame of a simulated recording with its ground truth.
public struct SimulatedFrame: Sendable {
  /// Its number, from 0.
  public var index: Int
  /// Milliseconds on the device's clock.
  public var timestampMilliseconds: Int
  /// The color image.
  public var color: Raster<RGB8>
  /// The exact depth, the sensor's output, and the claimed calibration at its reference size.
  public var measurement: SensorMeasurement
  /// The true calibration of the color image, in its own pixels.
  public var trueColor: CameraCalibration
  /// The true calibration of the depth map, in its own pixels.
  public var trueDepth: CameraCalibration
  /// The pose of the camera; a determinant of −1 means that its images are mirrored.
  public var sceneFromCamera: RigidTransform
  /// The pose of the board in the camera's frame; `nil` without a board.
  public var cameraFromBoard: RigidTransform?
  /// The exact positions of the visible board corners, in pixels of the color image.
  package var corners: [BoardCorner]

  /// The sensor's depth map, in meters.
  public var depth: DepthMap { measurement.disparity.depthMap }
}
