extension FindingCode.Explanation {
  /// The explanations of the codes `file.*`: findings about the file as a whole.
  static let file: [FindingCode: Self] = [
    .fileUnknownAuxiliary: Self(
      meaning: """
        The file holds an auxiliary image of a kind that is not known here; it is left alone and \
        touches no number.
        """,
      cause: "Phones add kinds with every release.",
      remedy: "None needed."),
    .fileSharedAuxiliary: Self(
      meaning: "One auxiliary image belongs to several images; each of them may use it.",
      cause: "iPhone 16 Pro and later write it so; some readers refuse such files whole.",
      remedy: "None needed."),
    .fileDamagedIndex: Self(
      meaning: "The file's index of its images is wrong; they were found by their own bytes.",
      cause: "iPhone X and several editors write multi-picture lengths that are too short.",
      remedy: "None needed."),
    .fileTrailer: Self(
      meaning: """
        Bytes of another maker follow the images; they may hold depth that is not read.
        """,
      cause: "Samsung, Huawei and Xiaomi append undocumented data.",
      remedy: "Export the depth with the maker's own application."),
    .fileDamagedMetadata: Self(
      meaning: "A block of metadata could not be read; what it would have said is unknown.",
      cause: "A damaged or edited file.",
      remedy: "Use the original file of the phone."),
    .fileDamagedImage: Self(
      meaning: """
        An image beside the depth map is damaged; the depth map itself is sound. A color image \
        of which any part may be shifted or missing is not used, since its colors would lie on \
        the wrong depths.
        """,
      cause: "A transfer that broke off, or a damaged disk.",
      remedy: "Copy the file again."),
    .fileSeveralDepthMaps: Self(
      meaning: """
        The file holds more than one depth map; the first one of the main image is used.
        """,
      cause: "Dual photos and some editors.",
      remedy: "Extract the others by their item."),
    .fileUnequalSizes: Self(
      meaning: "Two parts of one frame give different sizes for the same image.",
      cause: "Files of different recordings in one folder, or an image that was resized.",
      remedy: "Record again, or bring the files of one recording together."),
    .fileCutOff: Self(
      meaning: """
        The archive ends early or has no directory of its entries. What lies before the damage \
        was read; what comes after it is missing, and is not counted as frames.
        """,
      cause: "A transfer or an application that broke off while it wrote the file.",
      remedy: "Copy the file again from the phone, or convert what is left into a whole file."),
  ]
}

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
