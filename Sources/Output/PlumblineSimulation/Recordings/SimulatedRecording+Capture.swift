package import PlumblineModel

extension SimulatedRecording {
  /// A frame as a reader of recordings returns it, without time and pose.
  ///
  /// LiDAR maps are depths with a confidence for each pixel, those of front cameras disparities.
  package func capture(of frame: SimulatedFrame) -> Capture {
    var source = CaptureSource(
      camera: camera.depthCamera == .lidar ? .lidar : .trueDepth,
      interface: camera.interface == .arKit ? .arkit : .avfoundation)
    source.make = "Plumbline"
    source.model = "\(camera.model) (simulated)"
    source.isGeometryCorrected = claimsGeometricDistortionCorrection
    var capture = Capture(source: source)
    capture.color = frame.color
    capture.colorSize = frame.color.size
    var record = frame.measurement.depthRecord()
    if camera.depthCamera == .lidar {
      record.values = .depth(frame.depth)
      record.storedType = "fdep"
      record.confidence = Self.confidence(of: frame.depth)
    }
    capture.depth = record
    capture.provenance = [
      ProvenanceStep(.simulated, "scene \(sceneName), seed \(seed)")
    ]
    return capture
  }

  /// The axes of a world as ARKit's, `y` up, from those of the scene, `y` down.
  package static let worldFromScene = RigidTransform(
    rotation: Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1]), translation: .zero)

  /// The poses that the files of the recording state, `worldFromCamera`; `nil` where they state none.
  ///
  /// A mirrored camera has none: its pose is not a rigid transform. O(frames).
  package var statedWorldFromCameras: [RigidTransform?] {
    if camera.isMirrored { return sceneFromCameras.map { _ in nil } }
    return statedSceneFromCameras.map { pose in pose.map { Self.worldFromScene * $0 } }
  }

  /// Confidence levels like ARKit's: 0 at depth steps and missing pixels, 1 beyond 3 m, 2
  /// elsewhere.
  ///
  /// The rule is invented; Apple publishes none.
  private static func confidence(of depth: DepthMap) -> ConfidenceMap {
    let size = depth.size
    return ConfidenceMap(
      levels: Raster(size: size) { x, y in
        let own = depth.meters[x, y]
        let right = depth.meters[min(x + 1, size.width - 1), y]
        let below = depth.meters[x, min(y + 1, size.height - 1)]
        guard max(abs(right - own), abs(below - own)) <= 0.05 * own else { return 0 }
        return own > 3 ? 1 : 2
      }, maximumLevel: 2)
  }
}
