extension FindingCode {
  /// The explanations of findings about the camera's numbers.
  var calibrationExplanation: Explanation {
    switch self {
    case .calibrationMissing:
      Explanation(
        meaning: "The focal length is not in the file: depths along the axis may be right, but no "
          + "point, width or height follows from them.",
        cause: "Edited or re-exported photos, and the newest phones' portraits.",
        remedy: "Use the original file, or calibrate the camera with a board.")
    case .calibrationDamaged:
      Explanation(
        meaning: "A calibration is in the file but cannot be read as one; it is not used.",
        cause: "A damaged or edited file.", remedy: "Use the original file of the phone.")
    case .calibrationFocalAspect:
      Explanation(
        meaning: "The two focal lengths differ by more than 1 %; phone pixels are square, so one "
          + "of them is wrong and shapes are stretched.",
        cause: "Seen on iPhone 14, iOS 16.0: a file scaled in one direction only.",
        remedy: "Calibrate the camera, or use a sound capture of the same device.")
    case .calibrationPrincipalPoint:
      Explanation(
        meaning: "The principal point or distortion center lies more than 10 % of the image away "
          + "from the middle.",
        cause: "The numbers belong to another crop, orientation or resolution.",
        remedy: "Calibrate the camera, or use a sound capture of the same device.")
    case .calibrationFieldOfView:
      Explanation(
        meaning: "The focal length gives a field of view that no phone camera has.",
        cause: "The numbers belong to another resolution or unit.",
        remedy: "Calibrate the camera.")
    case .calibrationAspect:
      Explanation(
        meaning: "The calibration belongs to an image of another shape than the depth map, so it "
          + "cannot be scaled to it.",
        cause: "A crop that the file does not describe, or a missing quarter turn.",
        remedy: "Use the uncropped original.")
    case .calibrationOtherSize:
      Explanation(
        meaning: "The calibration belongs to a larger image and was scaled to the map about pixel "
          + "centers. Used unscaled, lengths would be wrong by the ratio of the sizes.",
        cause: "Apple gives intrinsics at the photo's full size.", remedy: "None needed.")
    case .calibrationDistorted:
      Explanation(
        meaning: "Photo and depth still have the lens's distortion; points were moved to where "
          + "they belong.",
        cause: "Depth follows the photo, and photos with calibration are not rectified.",
        remedy: "None needed for points; `extract` gives the map as stored.")
    case .calibrationRectified:
      Explanation(
        meaning: "The file says that there is no distortion, as cameras with geometric distortion "
          + "correction do. Their focal length describes the lens before the correction: lengths "
          + "across the image may be some percent off, depths are not.",
        cause: "Geometric distortion correction; 6.1 to 6.5 % was measured on a 5th-generation "
          + "iPad Pro.",
        remedy: "Check one known length, or calibrate with a board.")
    case .calibrationReplaced:
      Explanation(
        meaning:
          "Another calibration than the file's own is used; the effect is how far the file's "
          + "own was from it, at the median depth and for lengths across the image.",
        cause: "A calibration that was asked for, such as --calibration or the device catalogue.",
        remedy: "None needed; without the option the file's own numbers are used.")
    case .calibrationUncovered:
      Explanation(
        meaning:
          "A measured calibration is used whose board never covered a part of the image. There "
          + "the lens is extrapolated, and points may be off by more than elsewhere.",
        cause: "Frames in which the board did not reach the border or the corners of the image.",
        remedy:
          "Measure within the covered part, or calibrate again with the board in every corner.")
    case .calibrationUnmodeledLens:
      Explanation(
        meaning: "The file gives lens terms that are not modeled here (tangential, fisheye or of "
          + "high order). They are left out; the message says how far that moves points.",
        cause: "Calibrations of COLMAP or OpenCV with more terms than a radial polynomial.",
        remedy: "Undistort the images with the program that made the calibration.")
    default:
      Explanation(
        meaning: "The file does not say how the lens distorts; points near the border may be off.",
        cause: "Metadata without distortion.", remedy: "Measure near the middle of the image.")
    }
  }

  /// The explanations of findings about the picture and the device.
  var imageExplanation: Explanation {
    switch self {
    case .imageCropped:
      Explanation(
        meaning: "The depth map is cropped; the calibration was moved with the crop.",
        cause: "Edited photos and 16:9 portraits.", remedy: "None needed.")
    case .imageTurned:
      Explanation(
        meaning: "The pixels are stored turned; points are given in the stored frame or turned "
          + "upright as the message says.",
        cause: "The way the phone was held.", remedy: "None needed.")
    case .imageMirrored:
      Explanation(
        meaning: "The picture is mirrored: left and right are exchanged in every shape.",
        cause: "Selfie settings and front cameras.", remedy: "Mirror the result back.")
    case .imageEdited:
      Explanation(
        meaning: "The file was written by an editor, which may have changed map or calibration.",
        cause: "An export.", remedy: "Use the original file of the phone.")
    case .imageCompanionsLeftOut:
      Explanation(
        meaning:
          "Mattes and gain map lie on the color image's pixels; a correction moved those, and "
          + "the result leaves mattes and gain map out rather than have them lie beside it.",
        cause: "Rectifying, mirroring or scaling the color image.",
        remedy: "Take them from the file with `extract`; they belong to its color image as stored.")
    case .deviceUnknown:
      Explanation(
        meaning: "The file does not name a device, so nothing is known of its sensor.",
        cause: "Stripped metadata, or another maker.", remedy: "Use the original file.")
    default:
      Explanation(
        meaning: "No public measurement of this device's calibration is known; the ± is that of "
          + "similar devices.",
        cause: "Only few devices were ever measured.",
        remedy: "Calibrate with a board to know.")
    }
  }
}
