import Plumbline

extension CameraSelection {
  /// The camera itself.
  ///
  /// - Parameters:
  ///   - isFiltered: Whether the system smooths depth and fills holes.
  ///   - color: How color is delivered: pixels to compute with, or files for a recording.
  /// - Returns: The camera, which starts with its first consumer.
  func source(isFiltered: Bool, color: LiveColor = .pixels) -> any DepthCameraSource {
    switch self {
    case .arkitWorld: ARKitDepthCamera(.world(isSmoothed: isFiltered), color: color)
    case .arkitFace: ARKitDepthCamera(.face, color: color)
    case .trueDepth: avfoundation(.trueDepth, isFiltered, color)
    case .lidar: avfoundation(.lidar, isFiltered, color)
    case .dual: avfoundation(.dual, isFiltered, color)
    case .dualWide: avfoundation(.dualWide, isFiltered, color)
    }
  }

  private func avfoundation(
    _ device: DepthDevice, _ isFiltered: Bool, _ color: LiveColor
  ) -> AVFoundationDepthCamera {
    AVFoundationDepthCamera(
      device, settings: isFiltered ? .preview : .metrology, color: color)
  }
}
