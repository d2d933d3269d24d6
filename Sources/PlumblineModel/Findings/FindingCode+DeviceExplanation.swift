extension FindingCode {
  /// The explanations of faults that models are known for, and of what they look like.
  var deviceExplanation: Explanation {
    switch self {
    case .deviceFocalBeforeCorrection:
      Explanation(
        meaning: "This model states the focal length of the lens before geometric distortion "
          + "correction, while its images and depths come after it: lengths across the image are "
          + "too short by the percentage given. Depths are right.",
        cause: "A fault of the system, measured on iPad Pro 5th generation (12.9-inch) and 3rd "
          + "generation (11-inch).",
        remedy: "Correct the focal length from the catalog of devices or, more exactly, from a "
          + "calibration with a board; or record with isGeometricDistortionCorrectionEnabled "
          + "off.")
    case .deviceDepthZoomed:
      Explanation(
        meaning: "Through ARKit, this model's depth map shows less of the scene than its color "
          + "image: colors and contours lie beside their depths, by up to 16 of 640 pixels.",
        cause: "A fault of the system, seen on iPad Pro 4th generation (12.9-inch) and 2nd "
          + "generation (11-inch).",
        remedy: "Shrink the depth map about its crop, with nearest neighbors, and rewrite the "
          + "intrinsics; or record through AVFoundation.")
    default:
      Explanation(
        meaning: "Contours of the depth map lie beside those of the color image, by more than "
          + "their ±: colors of points and depths of features are those of their neighbors.",
        cause: "ARKit's depth on some iPads; maps cropped or scaled apart from their image.",
        remedy: "Record through AVFoundation, or apply the zoom and shift that were found.")
    }
  }
}
