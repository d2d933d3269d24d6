extension FindingCode {
  /// The explanations of findings about recorded frames and folders of them.
  var recordingExplanation: Explanation {
    switch self {
    case .fileUnequalSizes:
      Explanation(
        meaning: "Two parts of one frame give different sizes for the same image.",
        cause: "Files of different recordings in one folder, or an image that was resized.",
        remedy: "Record again, or bring the files of one recording together.")
    case .depthTruncatedToMeters:
      Explanation(
        meaning: "Every depth is a whole number of meters, so shapes are lost.",
        cause: "A fork of the recording app cuts meters off to whole numbers before it multiplies "
          + "them by 1000.",
        remedy: "Record with an app that converts before it cuts.")
    case .depthUnitAssumed:
      Explanation(
        meaning:
          "No file says what the depth map's whole numbers are; they are taken as millimeters, "
          + "as most programs write 16-bit images.",
        cause: "A depth map that was saved as an image without a word on its unit.",
        remedy:
          "Check one distance that you know; with two of them Plumbline finds the scale itself.")
    case .depthEncodingAssumed:
      Explanation(
        meaning:
          "The files carry the name of a data set that packs depth in its own way, and their "
          + "numbers were unpacked so; or the numbers spoke against the name.",
        cause: "SUN RGB-D turns the bits of millimeters, NYU stores raw Kinect disparities with "
          + "exchanged bytes, TUM counts 5000 to a meter.",
        remedy: "Rename the files if they are none of that data set.")
    case .calibrationAssumed:
      Explanation(
        meaning:
          "The camera's numbers are those that the data set publishes for all of its recordings "
          + "with this camera; no file of the recording holds them.",
        cause: "TUM RGB-D folders name their camera, freiburg1 to 3, and nothing else.",
        remedy: "Put a calibration.txt with fx fy cx cy into the folder.")
    case .calibrationPrescaled:
      Explanation(
        meaning: "The intrinsic matrix was already scaled to the depth map while the reference "
          + "size, the distortion center and the tables were not. It was brought back to the "
          + "reference size; taken as written, lengths would be wrong by the ratio of the sizes.",
        cause: "The recording app divides focal length and principal point by that ratio.",
        remedy: "None needed.")
    case .sequenceIncompleteFrames:
      Explanation(
        meaning: "Frames lack their depth map, color image or metadata; what is there is used.",
        cause: "Dropped frames, or files that were deleted or not copied.",
        remedy: "Copy the whole recording.")
    case .sequenceRepeatedFrames:
      Explanation(
        meaning: "Two files or two metadata entries claim the same time; the first one is used.",
        cause: "Two recordings copied into one folder.", remedy: "Keep recordings apart.")
    case .sequenceUnreadableFrames:
      Explanation(
        meaning: "Frames of the folder cannot be read; the others are judged without them.",
        cause: "A transfer that broke off.", remedy: "Copy the files again.")
    case .sequenceOtherFiles:
      Explanation(
        meaning: "The folder holds files that belong to no frame; they are left aside.",
        cause: "Notes, motion data, or another recording.", remedy: "None needed.")
    case .sequenceUnreadEntries:
      Explanation(
        meaning: "Entries of the folder cannot be read as files and are left aside: names that are "
          + "not UTF-8, links to folders or to nothing, folders deeper than any recording has, "
          + "pipes, sockets and devices. Frames may be among them.",
        cause:
          "Files from an old disk or archive, links that were copied without their targets, or "
          + "rights that are missing.",
        remedy: "Rename the files, copy what links lead to, or name the folder inside.")
    case .sequenceClockBackwards:
      Explanation(
        meaning: "A frame is older than the one before it. The order of the recording is kept.",
        cause: "Two recordings in one file, a device whose clock was set, or damaged times.",
        remedy: "Split the recording there; do not use speeds across that frame.")
    case .sequenceDroppedFrames:
      Explanation(
        meaning: "The time between two frames is half as long again as usual, or longer.",
        cause: "The device was too slow, too hot, or its disk was; or someone cut the recording.",
        remedy: "None for this recording. Record at a lower rate or size, with the device cool.")
    case .sequencePosesMissing:
      Explanation(
        meaning: "Some frames do not say where the camera stood, while others do.",
        cause: "Tracking started late or was lost, or poses lie too far from frames in time.",
        remedy: "Leave these frames out of what needs poses.")
    case .sequencePoseJumps:
      Explanation(
        meaning: "From one frame to the next the camera moved as no hand moves it.",
        cause: "Tracking was lost and found again, so that the world's origin shifted.",
        remedy: "Use the parts between jumps one by one.")
    case .sequencePosesStill:
      Explanation(
        meaning: "Every frame has the same pose, so poses say nothing.",
        cause: "The app does not track with this camera (Record3D with the front camera) or the "
          + "device stood on a tripod.",
        remedy: "Estimate the motion from the frames themselves.")
    case .sequenceChosenTopics:
      Explanation(
        meaning: "The recording holds several streams; the finding says which of them make the "
          + "frames and which are left aside.",
        cause: "Bags of robots and of cameras with several sensors record many topics.",
        remedy: "To read another depth stream, filter the bag to its topics first.")
    case .sequenceMotionDamaged:
      Explanation(
        meaning:
          "The recording has motion samples that cannot be read; its frames are not touched.",
        cause: "A transfer that broke off, or a newer layout of the file.",
        remedy: "Copy the file again.")
    case .sequenceFilmMismatch:
      Explanation(
        meaning: "The film of the color camera has another number of pictures than there are "
          + "frames, or plays them otherwise than they were recorded. Pictures were paired with "
          + "frames as the message says; frames without one have no color.",
        cause: "A recording that was cut, re-encoded or copied in part.",
        remedy: "Copy the recording again as the app wrote it, without editing the film.")
    case .sequenceFilmUndecoded:
      Explanation(
        meaning: "The color of a frame is in a film that could not be decoded; depth, poses and "
          + "camera numbers are not touched by it.",
        cause: "The program ffmpeg is not installed, was too slow, or refused the film.",
        remedy: "Install it (apt install ffmpeg, or brew install ffmpeg), or leave color out.")
    case .sequenceWithoutIndex:
      Explanation(
        meaning: "The recording has no sound index at its end; it was read through, and "
          + "everything up to its last whole chunk is used.",
        cause: "The recorder was killed, lost power, or the file was cut while it was copied.",
        remedy: "Run `plumbline recover` once, so that opening it is quick again.")
    case .sequenceDamagedBytes:
      Explanation(
        meaning: "Bytes of the recording are damaged; the messages in them are left out, all "
          + "others are sound.",
        cause: "A failing disk or a transfer that went wrong.",
        remedy: "Copy the file again; `plumbline recover` says what is lost.")
    case .sequenceRefusedPaths:
      Explanation(
        meaning: "The recording names files outside of its own folder; they are not read.",
        cause: "A list written with absolute paths or with “..”, or a hostile file.",
        remedy: "Make the paths relative to the folder of the list and inside it.")
    default:
      Explanation(
        meaning: "Frames do not say when they were taken; they are in the order of their names, "
          + "with numbers in them compared as numbers.",
        cause: "The recording app writes no time.", remedy: "None needed.")
    }
  }
}
