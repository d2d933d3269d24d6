extension FindingCode.Explanation {
  /// The explanations of the codes `photo.*`: findings about what a written photo preserves.
  static let photo: [FindingCode: Self] = [
    .photoPartLeftOut: Self(
      meaning: """
        An image beside the main one, or bytes behind it, are not in the photo that was \
        written; the message names them.
        """,
      cause: """
        The file had to be written anew, and nobody here knows how such a part is cut, turned or \
        moved with the image.
        """,
      remedy: "Keep the original, or change only what leaves the image's bytes as they are."),
    .photoDepthLeftOut: Self(
      meaning: "The photo that was written has no depth map, though its source has one.",
      cause: """
        The new image shows something else than the depth map measured, or is a kind of file \
        that has no place for depth.
        """,
      remedy: """
        Keep the original; write a JPEG or HEIC where the message names the kind of file.
        """),
    .photoMattesLeftOut: Self(
      meaning: "The photo that was written lacks mattes that its source has.",
      cause: """
        The new image shows something else than the mattes outline, or is a kind of file that \
        has no place for them.
        """,
      remedy: "Keep the original; `effect mattes` writes mattes as images."),
    .photoGainMapLeftOut: Self(
      meaning: """
        The photo that was written has no gain map: it shows no more brightness on HDR displays \
        than on others.
        """,
      cause: """
        A gain map brightens pixels of the one image that it was made for; over changed pixels \
        it would brighten what is not there. Or the kind of file has no place for it.
        """,
      remedy: "Keep the original."),
    .photoToneMapLeftOut: Self(
      meaning: """
        The HDR rendition that ISO 21496-1 describes (`tmap`) is not in the photo that was \
        written, or not all that belongs to it.
        """,
      cause: """
        It is made from the gain map, which is gone, or the kind of file cannot say its colors.
        """,
      remedy: "Keep the gain map, and HEIC as HEIC."),
    .photoMetadataLeftOut: Self(
      meaning: """
        Metadata of the source are not in the photo that was written; the message names them.
        """,
      cause: """
        The kind of file has no place for them, they are damaged, or they speak of the image \
        as it was.
        """,
      remedy: "Keep the original."),
    .photoPortraitTagsLeftOut: Self(
      meaning: """
        What the depth map's metadata said of the portrait (aperture, strength of light, score) \
        is not in the photo that was written.
        """,
      cause: """
        Another depth map took the place of the one that it was said of, the blur is another one \
        now, or the layout has no place for it.
        """,
      remedy: "None needed; portrait editors start from their own defaults."),
    .photoColorsUnnamed: Self(
      meaning: """
        The photo that was written does not say what its colors mean; others take them for sRGB.
        """,
      cause: """
        The source names colors by numbers for which no ICC profile can be made, such as the \
        curves of HDR.
        """,
      remedy: "Write HEIC, which carries the same numbers."),
    .photoColorsConverted: Self(
      meaning: """
        Colors were converted to sRGB, and those outside of it became the nearest inside.
        """,
      cause: "The kind of file means sRGB and cannot say anything else.",
      remedy: "Write MP4, WebP, PNG, JPEG or HEIC, which keep wide colors."),
    .photoCarriedUnread: Self(
      meaning: """
        Metadata that this program does not read were carried along though the image's pixels \
        moved; places in the image that they may name are not set right.
        """,
      cause: "Items that a URI or a media type names, whose meaning only their maker knows.",
      remedy: "Remove them with the maker's program if they no longer hold."),
    .photoAlreadyBlurred: Self(
      meaning: """
        The photo's pixels may already carry a blur of the phone: what is blurred a second time \
        has the sum of both, and edges of the first stay.
        """,
      cause: """
        Exif says that the camera rendered a portrait (CustomRendered 7 or 8), or the depth map \
        names the aperture that the photo is shown with.
        """,
      remedy: """
        Start from the unedited original (Photos: Revert, or export the unmodified original).
        """),
    .photoForegroundByDepth: Self(
      meaning: """
        Depth alone says what is in front. It does not know what belongs together: a table before a \
        person is in front as well, hair has no depth of its own, and of a person who reaches far back a \
        part is left out.
        """,
      cause: """
        The photo has no portrait matte, and no network for segmentation is installed or could be run.
        """,
      remedy: """
        Install such a network, give the distance at which the background starts, or take the photo in a \
        mode that stores a matte.
        """),
    .photoForegroundDisputed: Self(
      meaning: """
        Network and depth put different parts of the image in front. What only the network marks was kept \
        where depth near it agrees; what only depth marks was left out where the network is sure.
        """,
      cause: """
        Things before the person, such as a table, that the network does not count; other people behind; a \
        network that takes something else for the subject; or a poor depth map.
        """,
      remedy: """
        Look at the result; choose the source of the mask, or give the distance at which the background \
        starts.
        """),
    .photoOriginalUnusable: Self(
      meaning: """
        The file holds the image before the phone's blur, but it cannot be used: a further blur \
        starts from the photo as it is shown and adds to the phone's.
        """,
      cause: """
        The data of the image (GImage:Data) are damaged or too large, or the image has another size \
        or color profile than the photo.
        """,
      remedy: "Take the file as the phone wrote it, without tools that change its metadata."),
  ]
}

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
    .imageFurtherPages: Self(
      meaning: "The file holds several images, and only the first one was read.",
      cause: "A TIFF of several pages, or one with a small image beside the large one.",
      remedy: "Save the image that is meant in a file of its own."),
  ]
}
