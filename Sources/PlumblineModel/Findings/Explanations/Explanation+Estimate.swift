extension FindingCode.Explanation {
  /// The explanations of the codes `estimate.*`: findings about estimated depth.
  static let estimate: [FindingCode: Self] = [
    .estimateUnfitted: Self(
      meaning: """
        The depth was estimated from one image by a network and fitted to nothing that was \
        measured: nothing in it is a meter, even where the model says meters.
        """,
      cause: "plumbline estimate without sensor depth, distances or a board.",
      remedy: """
        Give --known-distance, --board, or a capture with sensor depth and --fit sensor.
        """),
    .estimateFitted: Self(
      meaning: """
        The depth was estimated by a network and its scale fitted to what was measured; between \
        and beyond the measured places it is still an estimate, and its ± is that of the \
        residuals.
        """,
      cause: "plumbline estimate with something to fit to.",
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
      remedy: "Give the camera by --calibration; plumbline calibrate measures it."),
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
      remedy: "Choose --crop scaleFit or scaleFill."),
  ]
}
