extension FindingCode.Explanation {
  /// The explanations of the codes `face.*`: findings about faces.
  static let face: [FindingCode: Self] = [
    .faceNone: Self(
      meaning: "No face was found in the image.",
      cause: "There is none, it is turned away, too small, too dark, or lies on its side.",
      remedy: "Take the image from the front, within two meters, upright."),
    .faceTurned: Self(
      meaning: """
        The image lies on its side and does not say so; the mesh stands as the face does.
        """,
      cause: "Apps that keep the sensor's own pixels without an orientation.",
      remedy: "None needed."),
    .faceRefused: Self(
      meaning: """
        Something looked like a face and was not fitted: a mesh of it would look right and be \
        wrong.
        """,
      cause: """
        The head is turned by more than 50°, more than 30 % of it lie outside of the image, or \
        a second look found it elsewhere.
        """,
      remedy: "Take the image from the front, with the whole face in it."),
    .faceDoubtful: Self(
      meaning: "The face was fitted, but something about it makes its landmarks less sure.",
      cause: "It is small in the image, or a part of it lies outside.",
      remedy: "Come nearer, or show the whole face."),
    .faceSkipped: Self(
      meaning: "The image shows more faces than are fitted at once.",
      cause: "A group.",
      remedy: "Crop the image to the face."),
    .faceUnfitted: Self(
      meaning: "A face was found, but no head fits its landmarks.",
      cause: "A damaged camera calibration, or landmarks that mean nothing.",
      remedy: "Check the capture's depth and calibration."),
    .facePoorFit: Self(
      meaning: """
        The fitted head misses the landmarks by more than faces do: the mesh is not this face.
        """,
      cause: "A hand before the face, a drawing, a wrong focal length.",
      remedy: "Take another image; check the calibration."),
    .faceUnusualShape: Self(
      meaning: """
        Image and depth fit a head only if its shape is one that no one of the model's people \
        has.
        """,
      cause: "A wrong focal length or scale of depth, an animal, a mask, or a rare face.",
      remedy: "Verify the calibration with a printed board; doubt the lengths."),
    .faceCovered: Self(
      meaning: """
        Where the face should be, a part of the depth is missing or shows something else; there \
        the mesh is the model's, with its wider ±.
        """,
      cause: "Holes, hair, glasses, a hand.",
      remedy: "Look at the residual image; take another image if that part matters."),
    .faceDepthMissing: Self(
      meaning: "There is depth, but so little of it is this face's that it was not used.",
      cause: "Something stands before the face, the map is misaligned, or its unit is wrong.",
      remedy: "Check the capture's depth and calibration."),
    .faceDepthRelative: Self(
      meaning: "The depth has no unit, so it says nothing of the head's size.",
      cause: "A photo of a dual camera.",
      remedy: "Take the image with the TrueDepth camera, or give distances to check."),
    .faceCameraAssumed: Self(
      meaning: """
        The camera of the image is not known, so the proportions of the head, above all its \
        depth, are less sure than the ± says.
        """,
      cause: "The photo carries no calibration.",
      remedy: "Give the camera's calibration."),
    .faceScaleAssumed: Self(
      meaning: """
        Lengths are those of a head of usual size: nothing in the image says how large this \
        one is.
        """,
      cause: "No metric depth.",
      remedy: "Take the image with the TrueDepth camera."),
  ]
}
