/// Files that one run writes into a folder and that belong together.
///
/// What an earlier run left of the same set would be taken for a part of the new one, such as the
/// sigma of another photo beside its depth; so a set is replaced as a whole.
public enum OutputSet: Sendable, CaseIterable {
  /// The report of `check` and its cloud.
  case check
  /// A depth map with what belongs to it, whatever made it.
  case depth
  /// Faces or a head.
  case faces
  /// Mattes.
  case mattes
  /// The evaluation of a map.
  case evaluation
  /// A measured camera, or two.
  case calibration

  /// Whether a file of this name is a part of the set.
  public func contains(_ name: String) -> Bool {
    switch self {
    case .check: ["report.html", "cloud.ply"].contains(name)
    case .depth: Self.depthNames.contains(name) || OutputSet.mattes.contains(name)
    case .faces: name.hasPrefix("face-") || ["face.json", "frames.csv"].contains(name)
    case .mattes: name.hasPrefix("matte-") && name.hasSuffix(".png")
    case .evaluation: ["evaluation.html", "error.png", "evaluation.json"].contains(name)
    case .calibration:
      [
        "calibration.json", "opencv.yaml", "open3d.json", "report.html", "stereo.json",
        "opencv-stereo.yaml",
      ].contains(name)
    }
  }

  private static let depthNames: Set<String> = [
    "depth.npy", "depth.tiff", "depth.png", "depth-source.npy", "depth-colors.png",
    "depth-colors.json", "depth-colors.svg", "disparity.npy", "relative.npy", "relative.tiff",
    "sigma.npy", "residual.npy", "residual-sigma.npy", "residual-colors.png",
    "residual-colors.svg", "filled.npy", "filled-sigma.npy", "invented.png", "confidence.png",
    "codes.png", "gainmap.png", "color.png", "color.jpg", "left.png", "right.png",
    "world-from-camera.txt",
    "calibration.json", "stereo.json", "estimate.json", "filter.json", "provenance.json",
    "capture.mcap",
  ]
}
