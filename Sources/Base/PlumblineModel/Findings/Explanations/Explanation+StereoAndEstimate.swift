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
        Give a calibration, the distance between the cameras, or a known distance.
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
        Calibrate the two cameras again as a pair, or leave the calibration out to estimate it \
        from the images.
        """),
    .stereoFewPoints: Self(
      meaning: """
        Too few points were found in both images to test the calibration with, or to choose \
        the range of disparities by.
        """,
      cause: "Surfaces without structure, strong blur, or images of different scenes.",
      remedy: """
        Give the range of depths or disparities, and light or a pattern to the scene.
        """),
    .stereoLowOverlap: Self(
      meaning: "Less than a third of the image was matched; the rest has no depth.",
      cause: """
        Cameras that see little in common, a range of disparities that is too small, surfaces \
        without structure, or a calibration that does not fit.
        """,
      remedy: "Widen the range of depths; see also stereo.verticalResidual."),
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
        Rectified images without an offset, or images without a calibration, whose principal \
        points are assumed in the middle. On published rectified pairs the difference is tens of \
        pixels, and neither rows nor a pose show it.
        """,
      remedy: """
        Give a calibration, or two known distances. For rectified images give the offset: \
        Middlebury's doffs, or 0 where OpenCV rectified with CALIB_ZERO_DISPARITY.
        """),
    .stereoGeometryTold: Self(
      meaning: """
        Focal length, baseline or offset of the two cameras are numbers that somebody gave, not \
        a calibration that was measured with its ±. The ± of each depth holds the ± that was \
        stated with them (this is then a note) or an assumed one (a caution, and depth is not \
        measurable), which is the same error for all pixels.
        """,
      cause: "A focal length, baseline or offset that was given, or a focal length from Exif.",
      remedy: """
        State the ± where it is known, as in 995±2. Calibrate the two cameras as a pair and give \
        the result, or compare with two known distances.
        """),
    .stereoDepthUncertain: Self(
      meaning: """
        The ± of the middle depth is more than a tenth of it: there are meters, but only rough \
        ones, and the verdict is not measurable. The ± itself holds.
        """,
      cause: """
        What the file or the points leave open of the angle between the cameras and of their \
        lenses moves all disparities; or the scene is many baselines away.
        """,
      remedy: """
        Calibrate the two cameras as a pair and give the result, or give two known distances, a \
        near and a far one.
        """),
  ]
}

extension FindingCode.Explanation {
  /// The explanations of the codes `estimate.*`: findings about estimated depth.
  static let estimate: [FindingCode: Self] = [
    .estimateUnfitted: Self(
      meaning: """
        The depth was estimated from one image by a network and fitted to nothing that was \
        measured: nothing in it is a meter, even where the model says meters.
        """,
      cause: "There was no sensor depth, distance or board to fit to.",
      remedy: """
        Give known distances or a board in the image, or fit to the capture's sensor depth.
        """),
    .estimateFitted: Self(
      meaning: """
        The depth was estimated by a network and its scale fitted to what was measured; between \
        and beyond the measured places it is still an estimate, and its ± is that of the \
        residuals.
        """,
      cause: "There was sensor depth, a distance or a board to fit to.",
      remedy: "Fit to more places that are spread over the image and its depths."),
    .estimateFitRefused: Self(
      meaning: """
        A fit was asked for and not believed: too few or too similar places, residuals that are \
        too large, or an order of depths against the measured one.
        """,
      cause: """
        The estimate is wrong for this image, a distance or its pixel is, or all places are \
        equally far.
        """,
      remedy: """
        Check the distances, give more of them at different depths, or try another model.
        """),
    .estimateFocalAssumed: Self(
      meaning: """
        The focal length of the photo is not that of a calibration; estimated meters and lengths \
        across the image scale with it.
        """,
      cause: """
        The photo has no calibration; Exif states whole millimeters, or nothing at all.
        """,
      remedy: "Give the camera's calibration; a printed board measures it."),
    .estimateDamagedOutput: Self(
      meaning: """
        The model gave numbers that mean nothing, such as NaN or depths below 0; those pixels \
        are missing.
        """,
      cause: """
        A damaged model file, a wrong model card, or 16-bit arithmetic that overflowed.
        """,
      remedy: "Check the card's factor, mean and meaning; install the model again."),
    .estimateUnseen: Self(
      meaning: "The model saw only the middle of the image; the rest has no depth.",
      cause: "The placement centerCrop.",
      remedy: "Choose the placement scaleFit or scaleFill."),
  ]
}
