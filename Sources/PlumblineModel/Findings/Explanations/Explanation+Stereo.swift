extension FindingCode.Explanation {
  /// The explanations of the codes `stereo.*`: findings about depth from two images.
  static let stereo: [FindingCode: Self] = [
    .stereoRelative: Self(
      meaning: """
        Depths have no unit: they count the unknown distance between the two cameras. Ratios of \
        depths hold where the focal length is known.
        """,
      cause: "Images show directions only; nothing said how far the cameras stood apart.",
      remedy: """
        Give a calibration (--calibration), the distance between the cameras (--baseline), or a \
        known distance to plumbline check.
        """),
    .stereoVerticalResidual: Self(
      meaning: """
        The same points lie on different rows of the rectified images. Matching looks along \
        rows, so fewer pixels are matched, and the error of angle that moves rows may move \
        columns as well, which falsifies depth.
        """,
      cause: """
        A calibration of other cameras, of another focus or zoom, or cameras that were bumped \
        since.
        """,
      remedy: """
        Calibrate again with plumbline calibrate --stereo, or leave the calibration out to \
        estimate it from the images.
        """),
    .stereoFewPoints: Self(
      meaning: """
        Too few points were found in both images to test the calibration with, or to choose \
        the range of disparities by.
        """,
      cause: "Surfaces without structure, strong blur, or images of different scenes.",
      remedy: """
        Give the range with --range or --disparities, and light or a pattern to the scene.
        """),
    .stereoLowOverlap: Self(
      meaning: "Less than a third of the image was matched; the rest has no depth.",
      cause: """
        Cameras that see little in common, a range of disparities that is too small, surfaces \
        without structure, or a calibration that does not fit.
        """,
      remedy: "Widen --disparities or --range; see also stereo.verticalResidual."),
    .stereoExtrinsicsUnverified: Self(
      meaning: """
        Apple does not say whether the extrinsic matrix places the camera in the reference frame \
        or the other way round; the direction in which rows of the images agree better was \
        taken.
        """,
      cause: """
        No public file of a dual photo with both calibrations exists to verify it with.
        """,
      remedy: "Compare a distance in the result with a measured one."),
    .stereoOffsetUnknown: Self(
      meaning: """
        All pixel disparities may be off by one number, the difference of the columns of the two \
        principal points. Depth is relative: scale and offset of its reciprocal are open, and \
        not even ratios of depths hold.
        """,
      cause: """
        Rectified images without --offset, or images without a calibration, whose principal \
        points are assumed in the middle. On published rectified pairs the difference is tens of \
        pixels, and neither rows nor a pose show it.
        """,
      remedy: """
        Give a calibration with --calibration, or two known distances to plumbline check. For \
        rectified images --offset: Middlebury's doffs, or 0 where OpenCV rectified with \
        CALIB_ZERO_DISPARITY.
        """),
    .stereoGeometryTold: Self(
      meaning: """
        Focal length, baseline or offset of the two cameras are numbers that somebody gave, not \
        a calibration that was measured with its ±. The ± of each depth holds the ± that was \
        stated with them (this is then a note) or an assumed one (a caution, and depth is not \
        measurable), which is the same error for all pixels.
        """,
      cause: "--focal, --baseline or --offset, or a focal length from Exif.",
      remedy: """
        State the ± where it is known, as in --focal 995±2. Calibrate the two cameras (plumbline \
        calibrate --stereo) and give the result with --calibration, or compare with two known \
        distances.
        """),
  ]
}
