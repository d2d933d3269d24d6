extension FindingCode {
  /// The explanations of the depth map's own findings.
  var depthExplanation: Explanation {
    switch self {
    case .depthMissing:
      Explanation(
        meaning: "There is no depth map in this file, so nothing can be measured from it.",
        cause: "A photo without portrait mode; or the map was stripped by a messenger, a web page "
          + "or an export as “most compatible”.",
        remedy: "Copy the original (AirDrop with all photo data, or a cable), or take it in "
          + "portrait mode.")
    case .depthEmpty:
      Explanation(
        meaning: "The depth map holds no measured pixel.",
        cause: "The sensor was covered, too close (under 0.15 m) or too far.",
        remedy: "Take the capture again.")
    case .depthRelative:
      Explanation(
        meaning: "Depths have no known scale and offset: the true disparity is a·d + b with both "
          + "unknown, so no length in meters follows from them.",
        cause: "Dual and dual-wide cameras: focus, stabilization and gravity move the lenses.",
        remedy: "Measure one or two distances in the scene and give them as --known-distance; or "
          + "capture with TrueDepth or LiDAR.")
    case .depthAccuracyUnknown:
      Explanation(
        meaning: "The file does not say whether its depths are absolute or relative; they are "
          + "treated as relative.",
        cause: "Editors drop the key.", remedy: "Give one or two --known-distance.")
    case .depthUnitUnknown:
      Explanation(
        meaning: "The numbers of this map have no unit.",
        cause: "Lens Blur and other GDepth files with arbitrary near and far.",
        remedy: "Give two --known-distance.")
    case .depthRangeFromBitstream:
      Explanation(
        meaning: "The range of the stored codes was taken from the video bitstream, since the "
          + "metadata that usually has it is gone. Accuracy and calibration are gone with it.",
        cause: "A tool that strips XMP.", remedy: "Use the original file of the phone.")
    case .depthRangeUnknown:
      Explanation(
        meaning: "Nothing says which depths the stored codes mean; no number follows from them.",
        cause: "A tool that strips metadata.", remedy: "Use the original file of the phone.")
    case .depthAlongRay:
      Explanation(
        meaning: "The file stores lengths of rays, not depths; they were converted where the "
          + "camera is known.",
        cause: "GDepth with MeasureType OpticRay.", remedy: "None needed.")
    case .depthFiltered:
      Explanation(
        meaning: "Holes were filled and values smoothed: some pixels are invented, and the file "
          + "cannot say which. Edges and fine shapes are not evidence.",
        cause: "isDepthDataFilteringEnabled, which photos have on by default.",
        remedy: "Capture with filtering off for measurements.")
    case .depthFilterUnknown:
      Explanation(
        meaning: "The file does not say whether holes were filled.",
        cause: "Metadata is absent.", remedy: "Use the original file of the phone.")
    case .depthLowQuality:
      Explanation(
        meaning: "The phone itself rates this map low.",
        cause: "Little light or texture, or motion.", remedy: "Take the capture again.")
    case .depthLowConfidence:
      Explanation(
        meaning: "The sensor itself trusts a large share of its pixels little; they may be far "
          + "off, and the ± that is given is that of the others. In a LiDAR recording a third of such "
          + "pixels was more than 10 cm off the next frame's.",
        cause: "Dark, shiny, transparent or distant surfaces, edges, or sunlight: LiDAR maps are "
          + "filled from the color image where few of its points come back.",
        remedy: "Leave such pixels out (filter with the presets metrology or fusion), or go closer "
          + "and change the angle or the light.")
    case .depthQuantized:
      Explanation(
        meaning: "Depths come in steps; nothing finer than a step can be seen.",
        cause: "Photos store disparity in 8 bits, so steps grow with the square of the distance.",
        remedy: "Go closer, or record with an app that keeps 16 or 32 bits.")
    case .depthSparse:
      Explanation(
        meaning: "A large share of the pixels was not measured.",
        cause: "Dark, shiny or distant surfaces, or the shadow of the projector.",
        remedy: "Change the angle or the light, or go closer.")
    case .depthFlyingPixels:
      Explanation(
        meaning: "Pixels hang in the air between a near and a far surface; they belong to neither.",
        cause: "A pixel sees both surfaces at an edge, and filtering blends them.",
        remedy: "Keep measurements away from edges.")
    case .depthCompletedSurface:
      Explanation(
        meaning:
          "Parts of the LiDAR map are flatter than the sensor measures: between its 576 dots "
          + "a network drew smooth surfaces. They carry no shape of their own, and far ones are planes "
          + "whatever is there, such as stairs. The effect is the error to expect there.",
        cause: "ARKit makes 256×192 depths of few dots and the color image.",
        remedy: "Do not read shape or flatness from them; go closer, look from several sides, or "
          + "measure distances between surfaces instead.")
    case .depthInvented:
      Explanation(
        meaning: "Some depths were not measured but filled in by a filter; they are marked, their "
          + "confidence is 0 and their ± says how well they are known.",
        cause: "A filter that fills holes, such as the preset preview.",
        remedy: "Leave marked pixels out of measurements, or filter with the preset metrology.")
    case .depthAttached:
      Explanation(
        meaning:
          "The depth in this photo is not the one that the phone wrote with it; where it came "
          + "from is told, and its ± is what came with it or nothing.",
        cause: "The photo was written by plumbline write with depth of another source, or its own "
          + "scaled by distances that somebody measured.",
        remedy: "Judge the source of the depth, or measure in the original photo.")
    case .depthBeyondSensor:
      Explanation(
        meaning: "Depths lie beyond the reach of the sensor: they are a guess of the device's "
          + "network from the color image, not measurements.",
        cause: "A phone's LiDAR reaches 5 m, and its maps are filled everywhere.",
        remedy: "Leave them out (a range filter of 5 m), or go closer.")
    default:
      Explanation(
        meaning: "The depths were made metric by distances that the user measured.",
        cause: "--known-distance.",
        remedy: "A second distance, far from the first, fixes the offset.")
    }
  }
}
