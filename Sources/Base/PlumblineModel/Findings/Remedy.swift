/// What a user can do about a finding, or about a frame that a format cannot hold.
///
/// The library names no command: ``sentence`` describes the action in plain words, and a command or
/// an app adds its own instructions for each case.
public enum Remedy: String, Sendable, CaseIterable {
  /// Multiply the focal length by the device catalog's ratio for the model.
  case takeCatalogFocal
  /// Undo the zoom between the depth map and the color image of ARKit's front camera.
  case undoZoom
  /// Mirror image and depth back.
  case undoMirroring
  /// Name the device that made the capture, so that the catalog data of its model apply.
  case nameDevice
  /// Record a printed board with the same device and app, and measure its camera.
  case verifyWithBoard
  /// Measure one or two distances in the scene, which convert a relative map to meters.
  case measureDistances
  /// Record a printed board with both cameras, calibrate them as a pair and supply the result.
  case calibratePair
  /// State by how many columns the principal points of rectified images differ.
  case giveOffset
  /// Compute depth from the two images of the file.
  case matchViews
  /// Estimate depth from the one image of the file with a network.
  case estimateDepth
  /// State the unit of a map whose file does not name one.
  case stateUnit
  /// State that the depths of a map are true meters, where its file does not say so.
  case stateMetric
  /// Resample image and depth free from the lens's distortion.
  case rectify
  /// Store depths in the coarser steps that the format has too, which reach farther.
  case takeCoarserDepthScale
  /// Take the bend of a sensor's depths, which a scan has found, out of them.
  case takeOutBend
  /// Let a network say what is in front.
  case segmentForeground

  /// One plain sentence in the imperative, without a period.
  public var sentence: String {
    switch self {
    case .takeCatalogFocal: "multiply the focal length by the device catalog's ratio"
    case .undoZoom: "undo ARKit's zoom between depth map and image"
    case .undoMirroring: "mirror image and depth back"
    case .nameDevice: "say which device made it, if it is one of the catalog"
    case .verifyWithBoard: "record a board with the same device and app, and verify its camera"
    case .measureDistances: "measure one distance in the scene, or a near and a far one"
    case .calibratePair: "calibrate the two cameras as a pair, and give the result"
    case .giveOffset: "give the offset of the two principal points, as the rectification chose it"
    case .matchViews: "compute depth from the two images of this file"
    case .estimateDepth: "estimate depth from the one image, which is no measurement"
    case .stateUnit: "say in which unit the numbers of the map are, if you know it"
    case .stateMetric: "say that the depths are true meters, if the maker of the camera promises it"
    case .rectify: "resample image and depth free from the lens's distortion"
    case .takeCoarserDepthScale: "store depths in the format's coarser steps, which reach farther"
    case .takeOutBend: "fuse again with the bend taken out of the depths"
    case .segmentForeground: "install a network that says which pixels are the subject"
    }
  }
}
