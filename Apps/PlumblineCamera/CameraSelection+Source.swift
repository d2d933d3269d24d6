import Plumbline

extension CameraSelection {
  /// The camera itself.
  func source(isFiltered: Bool) -> any DepthCameraSource {
    switch self {
    case .arkitWorld: ARKitDepthCamera(.world(isSmoothed: isFiltered))
    case .arkitFace: ARKitDepthCamera(.face)
    case .trueDepth: avfoundation(.trueDepth, isFiltered)
    case .lidar: avfoundation(.lidar, isFiltered)
    case .dual: avfoundation(.dual, isFiltered)
    case .dualWide: avfoundation(.dualWide, isFiltered)
    }
  }

  private func avfoundation(_ device: DepthDevice, _ isFiltered: Bool) -> AVFoundationDepthCamera {
    AVFoundationDepthCamera(device, settings: isFiltered ? .preview : .metrology)
  }
}
