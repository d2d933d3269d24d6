internal import PlumblineModel

/// The views that a simulated live camera shows forward and backward.
///
/// Each is rendered once with its own pose and focal length, so every frame's ground truth is
/// exact; a view has the same noise each time.
struct LiveViews: Sendable {
  private let captures: [Capture]

  /// Renders the views; the cost of each is that of ``SimulatedRecording/frame(_:)``.
  init(_ settings: LiveCameraSettings) {
    precondition(settings.viewCount >= 1, "a camera without a view")
    var preset = settings.camera
    let sharesOneImage = preset.sharesOneImage
    preset.colorSize = settings.size
    if sharesOneImage { preset.depthSize = settings.size }
    let still = settings.scene.recording(by: preset, frames: 1, seed: settings.seed)
    let poses = still.sceneFromCameras.prefix(1).flatMap { pose in
      (0..<settings.viewCount).map { view in
        pose * Self.sway(Double(view) - Double(settings.viewCount - 1) / 2)
      }
    }
    var recording = SimulatedRecording(
      still.sceneName, of: still.scene, board: still.board, by: preset, from: poses,
      seed: settings.seed)
    recording.focalDrift = settings.focalBreathing
    for fault in settings.faults { fault.fault.apply(fault.value, to: &recording) }
    captures = (0..<settings.viewCount).map { index in
      let frame = recording.frame(index)
      var capture = recording.capture(of: frame)
      capture.depth?.calibration?.intrinsics.focalLength *=
        1 + recording.focalDrift * Double(index)
      // The pose of a mirrored camera is not a rigid transform.
      if !preset.isMirrored { capture.worldFromCamera = frame.sceneFromCamera }
      return capture
    }
  }

  /// The capture of a frame without its time: views are shown forward and backward, so that poses
  /// never jump.
  func capture(ofFrame index: Int) -> Capture {
    let period = max(2 * captures.count - 2, 1)
    let place = index % period
    return captures[place < captures.count ? place : period - place]
  }

  /// A hand's motion from view to view: 4 mm to the side and 0.2°, about 0.25 m/s at 60 Hz.
  private static func sway(_ step: Double) -> RigidTransform {
    RigidTransform(
      rotation: .aboutY(halfTangent: 0.0018 * step), translation: [0.004 * step, 0, 0])
  }
}
