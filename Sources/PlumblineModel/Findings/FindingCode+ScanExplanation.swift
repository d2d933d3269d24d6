extension FindingCode {
  /// The explanations of findings about scans: frames with poses.
  var scanExplanation: Explanation {
    switch self {
    case .depthBeyondSensor:
      Explanation(
        meaning: "Depths lie beyond the reach of the sensor: they are a guess of the device's "
          + "network from the color image, not measurements.",
        cause: "A phone's LiDAR reaches 5 m, and its maps are filled everywhere.",
        remedy: "Leave them out (a range filter of 5 m), or go closer.")
    case .calibrationUnmodeledLens:
      Explanation(
        meaning: "The file gives lens terms that are not modeled here (tangential, fisheye or of "
          + "high order). They are left out; the message says how far that moves points.",
        cause: "Calibrations of COLMAP or OpenCV with more terms than a radial polynomial.",
        remedy: "Undistort the images with the program that made the calibration.")
    default:
      Explanation(
        meaning: "The recording names files outside of its own folder; they are not read.",
        cause: "A list written with absolute paths or with “..”, or a hostile file.",
        remedy: "Make the paths relative to the folder of the list and inside it.")
    }
  }
}
