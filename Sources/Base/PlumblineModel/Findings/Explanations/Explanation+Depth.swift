extension FindingCode.Explanation {
  /// The explanations of the codes `depth.*`: findings about the depth map.
  static let depth: [FindingCode: Self] = [
    .depthMissing: Self(
      meaning: "There is no depth map in this file, so nothing can be measured from it.",
      cause: """
        A photo without portrait mode; or the map was stripped by a messenger, a web page or an \
        export as “most compatible”.
        """,
      remedy: """
        Copy the original (AirDrop with all photo data, or a cable), or take it in portrait \
        mode. Depth can be computed from the two images of a spatial photo, and estimated from one \
        image.
        """),
    .depthEmpty: Self(
      meaning: "The depth map holds no measured pixel.",
      cause: "The sensor was covered, too close (under 0.15 m) or too far.",
      remedy: "Take the capture again."),
    .depthRelative: Self(
      meaning: """
        Depths have no known scale and offset: the true disparity is a·d + b with both unknown, \
        so no length in meters follows from them.
        """,
      cause: "Dual and dual-wide cameras: focus, stabilization and gravity move the lenses.",
      remedy: """
        Measure one or two distances in the scene and give them; or capture with TrueDepth or \
        LiDAR.
        """),
    .depthAccuracyUnknown: Self(
      meaning: """
        The file does not say whether its depths are absolute or relative; they are treated as \
        relative.
        """,
      cause: "Editors drop the key.",
      remedy: """
        Say that they are true meters if the maker of the camera promises it, or give one or two \
        known distances.
        """),
    .depthUnitUnknown: Self(
      meaning: "The numbers of this map have no unit.",
      cause: "Lens Blur and other GDepth files with arbitrary near and far.",
      remedy: "Say the unit if you know it, or give two known distances."),
    .depthRangeFromBitstream: Self(
      meaning: """
        The range of the stored codes was taken from the video bitstream, since the metadata \
        that usually has it is gone. Accuracy and calibration are gone with it.
        """,
      cause: "A tool that strips XMP.",
      remedy: "Use the original file of the phone."),
    .depthRangeUnknown: Self(
      meaning: "Nothing says which depths the stored codes mean; no number follows from them.",
      cause: "A tool that strips metadata.",
      remedy: "Use the original file of the phone."),
    .depthAlongRay: Self(
      meaning: """
        The file stores lengths of rays, not depths; they were converted where the camera is \
        known.
        """,
      cause: "GDepth with MeasureType OpticRay.",
      remedy: "None needed."),
    .depthFiltered: Self(
      meaning: """
        Holes were filled and values smoothed: some pixels are invented, and the file cannot say \
        which. Edges and fine shapes are not evidence.
        """,
      cause: "isDepthDataFilteringEnabled, which photos have on by default.",
      remedy: "Capture with filtering off for measurements."),
    .depthFilterUnknown: Self(
      meaning: "The file does not say whether holes were filled.",
      cause: "Metadata is absent.",
      remedy: "Use the original file of the phone."),
    .depthLowQuality: Self(
      meaning: "The phone itself rates this map low.",
      cause: "Little light or texture, or motion.",
      remedy: "Take the capture again."),
    .depthLowConfidence: Self(
      meaning: """
        The sensor itself trusts a large share of its pixels little; they may be far off, and \
        the ± that is given is that of the others. In a LiDAR recording a third of such pixels \
        was more than 10 cm off the next frame's.
        """,
      cause: """
        Dark, shiny, transparent or distant surfaces, edges, or sunlight: LiDAR maps are filled \
        from the color image where few of its points come back.
        """,
      remedy: """
        Leave such pixels out (filter with the presets metrology or fusion), or go closer and \
        change the angle or the light.
        """),
    .depthQuantized: Self(
      meaning: "Depths come in steps; nothing finer than a step can be seen.",
      cause: """
        Photos store disparity in 8 bits, so steps grow with the square of the distance.
        """,
      remedy: "Go closer, or record with an app that keeps 16 or 32 bits."),
    .depthSparse: Self(
      meaning: "A large share of the pixels was not measured.",
      cause: "Dark, shiny or distant surfaces, or the shadow of the projector.",
      remedy: "Change the angle or the light, or go closer."),
    .depthFlyingPixels: Self(
      meaning: """
        Pixels hang in the air between a near and a far surface; they belong to neither.
        """,
      cause: "A pixel sees both surfaces at an edge, and filtering blends them.",
      remedy: "Keep measurements away from edges."),
    .depthCompletedSurface: Self(
      meaning: """
        Parts of the LiDAR map are flatter than the sensor measures: between its 576 dots a \
        network drew smooth surfaces. They carry no shape of their own, and far ones are planes \
        whatever is there, such as stairs. The effect is the error to expect there.
        """,
      cause: "ARKit makes 256×192 depths of few dots and the color image.",
      remedy: """
        Do not read shape or flatness from them; go closer, look from several sides, or measure \
        distances between surfaces instead.
        """),
    .depthScaledByDistance: Self(
      meaning: "The depths were made metric by distances that the user measured.",
      cause: "One or two known distances were given.",
      remedy: "A second distance, far from the first, fixes the offset."),
    .depthMisaligned: Self(
      meaning: """
        Contours of the depth map lie beside those of the color image, by more than their ±: \
        colors of points and depths of features are those of their neighbors.
        """,
      cause: "ARKit's depth on some iPads; maps cropped or scaled apart from their image.",
      remedy: "Record through AVFoundation, or apply the zoom and shift that were found."),
    .depthTruncatedToMeters: Self(
      meaning: "Every depth is a whole number of meters, so shapes are lost.",
      cause: """
        A fork of the recording app cuts meters off to whole numbers before it multiplies them \
        by 1000.
        """,
      remedy: "Record with an app that converts before it cuts."),
    .depthUnitAssumed: Self(
      meaning: """
        No file says what the depth map's whole numbers are; they are taken as millimeters, as \
        most programs write 16-bit images.
        """,
      cause: "A depth map that was saved as an image without a word on its unit.",
      remedy: """
        Say the unit if you know it, or check one distance that you know; with two of them \
        Plumbline finds the scale itself.
        """),
    .depthEncodingAssumed: Self(
      meaning: """
        The files carry the name of a data set that packs depth in its own way, and their \
        numbers were unpacked so; or the numbers spoke against the name.
        """,
      cause: """
        SUN RGB-D turns the bits of millimeters, NYU stores raw Kinect disparities with \
        exchanged bytes, TUM counts 5000 to a meter.
        """,
      remedy: "Rename the files if they are none of that data set."),
    .depthBeyondSensor: Self(
      meaning: """
        Depths lie beyond the reach of the sensor: they are a guess of the device's network from \
        the color image, not measurements.
        """,
      cause: "A phone's LiDAR reaches 5 m, and its maps are filled everywhere.",
      remedy: "Leave them out (a range filter of 5 m), or go closer."),
    .depthInvented: Self(
      meaning: """
        Some depths were not measured but filled in by a filter; they are marked, their \
        confidence is 0 and their ± says how well they are known.
        """,
      cause: "A filter that fills holes, such as the preset preview.",
      remedy: "Leave marked pixels out of measurements, or filter with the preset metrology."),
    .depthAttached: Self(
      meaning: """
        The depth in this photo is not the one that the phone wrote with it; where it came from \
        is told, and its ± is what came with it or nothing.
        """,
      cause: """
        Plumbline wrote the photo with depth of another source, or its own scaled by distances \
        that somebody measured.
        """,
      remedy: "Judge the source of the depth, or measure in the original photo."),
    .depthCorrectedBefore: Self(
      meaning: """
        The map or its camera was corrected or filtered before the file was written; the steps are \
        named and are not applied again.
        """,
      cause: "A recording or photo that Plumbline wrote after corrections or filters.",
      remedy: "None needed; the provenance has each step with its numbers."),
  ]
}
