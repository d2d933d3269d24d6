extension FindingCode.Explanation {
  /// The explanations of the codes `calibration.*`: findings about the calibration.
  static let calibration: [FindingCode: Self] = [
    .calibrationMissing: Self(
      meaning: """
        The focal length is not in the file: depths along the axis may be right, but no point, \
        width or height follows from them.
        """,
      cause: "Edited or re-exported photos, and the newest phones' portraits.",
      remedy: "Use the original file, or calibrate the camera with a board."),
    .calibrationDamaged: Self(
      meaning: "A calibration is in the file but cannot be read as one; it is not used.",
      cause: "A damaged or edited file.",
      remedy: "Use the original file of the phone."),
    .calibrationFocalAspect: Self(
      meaning: """
        The two focal lengths differ by more than 1 %; phone pixels are square, so one of them \
        is wrong and shapes are stretched.
        """,
      cause: "Seen on iPhone 14, iOS 16.0: a file scaled in one direction only.",
      remedy: "Calibrate the camera, or use a sound capture of the same device."),
    .calibrationPrincipalPoint: Self(
      meaning: """
        The principal point or distortion center lies more than 10 % of the image away from the \
        middle.
        """,
      cause: "The numbers belong to another crop, orientation or resolution.",
      remedy: "Calibrate the camera, or use a sound capture of the same device."),
    .calibrationFieldOfView: Self(
      meaning: "The focal length gives a field of view that no phone camera has.",
      cause: "The numbers belong to another resolution or unit.",
      remedy: "Calibrate the camera."),
    .calibrationAspect: Self(
      meaning: """
        The calibration belongs to an image of another shape than the depth map, so it cannot be \
        scaled to it.
        """,
      cause: "A crop that the file does not describe, or a missing quarter turn.",
      remedy: "Use the uncropped original."),
    .calibrationOtherSize: Self(
      meaning: """
        The calibration belongs to a larger image and was scaled to the map about pixel centers. \
        Used unscaled, lengths would be wrong by the ratio of the sizes.
        """,
      cause: "Apple gives intrinsics at the photo's full size.",
      remedy: "None needed."),
    .calibrationDistorted: Self(
      meaning: """
        Photo and depth still have the lens's distortion; points were moved to where they \
        belong.
        """,
      cause: "Depth follows the photo, and photos with calibration are not rectified.",
      remedy: "None needed for points; `extract` gives the map as stored."),
    .calibrationRectified: Self(
      meaning: """
        The file says that there is no distortion, as cameras with geometric distortion \
        correction do. Their focal length describes the lens before the correction: lengths \
        across the image may be some percent off, depths are not.
        """,
      cause: """
        Geometric distortion correction; 6.1 to 6.5 % was measured on a 5th-generation iPad Pro.
        """,
      remedy: "Check one known length, or calibrate with a board."),
    .calibrationDistortionUnknown: Self(
      meaning: """
        The file does not say how the lens distorts; points near the border may be off.
        """,
      cause: "Metadata without distortion.",
      remedy: "Measure near the middle of the image."),
    .calibrationReplaced: Self(
      meaning: """
        Another calibration than the file's own is used; the effect is how far the file's own \
        was from it, at the median depth and for lengths across the image.
        """,
      cause: """
        A calibration that was asked for, such as one of a file or the device catalogue's.
        """,
      remedy: "None needed; unless another is asked for, the file's own is used."),
    .calibrationPrescaled: Self(
      meaning: """
        The intrinsic matrix was already scaled to the depth map while the reference size, the \
        distortion center and the tables were not. It was brought back to the reference size; \
        taken as written, lengths would be wrong by the ratio of the sizes.
        """,
      cause: "The recording app divides focal length and principal point by that ratio.",
      remedy: "None needed."),
    .calibrationAssumed: Self(
      meaning: """
        A part of the camera's numbers is assumed, and the message says which: the data set \
        publishes them for all of its recordings with this camera and no file of the recording \
        holds them, or the direction of the lens terms is not certain.
        """,
      cause: """
        TUM RGB-D folders name their camera, freiburg1 to 3, and nothing else; RealSense's SDK \
        documents another direction of its inverse lens model than it computes.
        """,
      remedy: """
        Put a calibration.txt with fx fy cx cy into the folder of a data set; measure the camera \
        with a board.
        """),
    .calibrationUnmodeledLens: Self(
      meaning: """
        The file gives lens terms that are not modeled here (tangential, fisheye or of high \
        order). They are left out; the message says how far that moves points.
        """,
      cause: "Calibrations of COLMAP or OpenCV with more terms than a radial polynomial.",
      remedy: "Undistort the images with the program that made the calibration."),
    .calibrationUncovered: Self(
      meaning: """
        A measured calibration is used whose board never covered a part of the image. There the \
        lens is extrapolated, and points may be off by more than elsewhere.
        """,
      cause: """
        Frames in which the board did not reach the border or the corners of the image.
        """,
      remedy: """
        Measure within the covered part, or calibrate again with the board in every corner.
        """),
  ]
}
