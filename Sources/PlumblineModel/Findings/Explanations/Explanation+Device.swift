extension FindingCode.Explanation {
  /// The explanations of the codes `device.*`: findings about the device.
  static let device: [FindingCode: Self] = [
    .deviceUnknown: Self(
      meaning: "The file does not name a device, so nothing is known of its sensor.",
      cause: "Stripped metadata, or another maker.",
      remedy: "Use the original file."),
    .deviceUnmeasured: Self(
      meaning: """
        No public measurement of this device's calibration is known; the ± is that of similar \
        devices.
        """,
      cause: "Only few devices were ever measured.",
      remedy: "Calibrate with a board to know."),
    .deviceFocalBeforeCorrection: Self(
      meaning: """
        This model states the focal length of the lens before geometric distortion correction, \
        while its images and depths come after it: lengths across the image are too short by the \
        percentage given. Depths are right.
        """,
      cause: """
        A fault of the system, measured on iPad Pro 5th generation (12.9-inch) and 3rd \
        generation (11-inch).
        """,
      remedy: """
        Correct the focal length from the catalog of devices or, more exactly, from a \
        calibration with a board; or record with isGeometricDistortionCorrectionEnabled off.
        """),
    .deviceDepthZoomed: Self(
      meaning: """
        Through ARKit, this model's depth map shows less of the scene than its color image: \
        colors and contours lie beside their depths, by up to 16 of 640 pixels.
        """,
      cause: """
        A fault of the system, seen on iPad Pro 4th generation (12.9-inch) and 2nd generation \
        (11-inch).
        """,
      remedy: """
        Shrink the depth map about its crop, with nearest neighbors, and rewrite the intrinsics; \
        or record through AVFoundation.
        """),
  ]
}
