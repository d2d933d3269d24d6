extension FindingCode.Explanation {
  /// The explanations of the codes `image.*`: findings about the color image.
  static let image: [FindingCode: Self] = [
    .imageCropped: Self(
      meaning: "The depth map is cropped; the calibration was moved with the crop.",
      cause: "Edited photos and 16:9 portraits.",
      remedy: "None needed."),
    .imageTurned: Self(
      meaning: """
        The pixels are stored turned; points are given in the stored frame or turned upright as \
        the message says.
        """,
      cause: "The way the phone was held.",
      remedy: "None needed."),
    .imageMirrored: Self(
      meaning: "The image is mirrored: left and right are exchanged in every shape.",
      cause: "Selfie settings and front cameras.",
      remedy: "Mirror the result back."),
    .imageEdited: Self(
      meaning: "The file was written by an editor, which may have changed map or calibration.",
      cause: "An export.",
      remedy: "Use the original file of the phone."),
    .imageCompanionsLeftOut: Self(
      meaning: """
        Mattes and gain map lie on the color image's pixels; a correction moved those, and the \
        result leaves mattes and gain map out rather than have them lie beside it.
        """,
      cause: "Rectifying, mirroring or scaling the color image.",
      remedy: """
        Take them from the file with `extract`; they belong to its color image as stored.
        """),
  ]
}
