extension FindingCode.Explanation {
  /// The explanations of the codes `sequence.*`: findings about recordings.
  static let sequence: [FindingCode: Self] = [
    .sequenceIncompleteFrames: Self(
      meaning: "Frames lack their depth map, color image or metadata; what is there is used.",
      cause: "Dropped frames, or files that were deleted or not copied.",
      remedy: "Copy the whole recording."),
    .sequenceRepeatedFrames: Self(
      meaning: "Two files or two metadata entries claim the same time; the first one is used.",
      cause: "Two recordings copied into one folder.",
      remedy: "Keep recordings apart."),
    .sequenceUnreadableFrames: Self(
      meaning: "Frames of the folder cannot be read; the others are judged without them.",
      cause: "A transfer that broke off.",
      remedy: "Copy the files again."),
    .sequenceOtherFiles: Self(
      meaning: "The folder holds files that belong to no frame; they are left aside.",
      cause: "Notes, motion data, or another recording.",
      remedy: "None needed."),
    .sequenceUnreadEntries: Self(
      meaning: """
        Entries of the folder cannot be read as files and are left aside: names that are not \
        UTF-8, links to folders or to nothing, folders deeper than any recording has, pipes, \
        sockets and devices. Frames may be among them.
        """,
      cause: """
        Files from an old disk or archive, links that were copied without their targets, or \
        rights that are missing.
        """,
      remedy: "Rename the files, copy what links lead to, or name the folder inside."),
    .sequenceTimeUnknown: Self(
      meaning: """
        Frames do not say when they were taken; they are in the order of their names, with \
        numbers in them compared as numbers.
        """,
      cause: "The recording app writes no time.",
      remedy: "None needed."),
    .sequenceClockBackwards: Self(
      meaning: "A frame is older than the one before it. The order of the recording is kept.",
      cause: "Two recordings in one file, a device whose clock was set, or damaged times.",
      remedy: "Split the recording there; do not use speeds across that frame."),
    .sequenceDroppedFrames: Self(
      meaning: "The time between two frames is half as long again as usual, or longer.",
      cause: """
        The device was too slow, too hot, or its disk was; or someone cut the recording.
        """,
      remedy: "None for this recording. Record at a lower rate or size, with the device cool."),
    .sequencePosesMissing: Self(
      meaning: "Some frames do not say where the camera stood, while others do.",
      cause: "Tracking started late or was lost, or poses lie too far from frames in time.",
      remedy: "Leave these frames out of what needs poses."),
    .sequencePoseJumps: Self(
      meaning: "From one frame to the next the camera moved as no hand moves it.",
      cause: "Tracking was lost and found again, so that the world's origin shifted.",
      remedy: "Use the parts between jumps one by one."),
    .sequencePosesStill: Self(
      meaning: "Every frame has the same pose, so poses say nothing.",
      cause: """
        The app does not track with this camera (Record3D with the front camera) or the device \
        stood on a tripod.
        """,
      remedy: "Estimate the motion from the frames themselves."),
    .sequencePosesScale: Self(
      meaning: """
        The path of the poses and the depths differ in scale: overlapping frames fit best when \
        the path between them is made longer or shorter. Which of the two is wrong cannot be \
        told from them.
        """,
      cause: """
        Tracking estimates the scale of its path from motion sensors; depths of a LiDAR sensor \
        are off by up to a percent, and far away by more.
        """,
      remedy: """
        Measure a known length in one frame and one across frames: it tells which of the two is \
        off.
        """),
    .sequencePosesDisagree: Self(
      meaning: """
        Overlapping frames, placed by their poses, disagree by more than the ± of their depths \
        explains. Surfaces that are joined of them are double or thick.
        """,
      cause: """
        Drift or jumps of the tracking, a wrong scale, poses of other axes or of another time \
        than the frames.
        """,
      remedy: "Join frames that are near in time, or refine the poses first."),
    .sequencePosesTilted: Self(
      meaning: """
        The lowest level surface that is seen, usually the floor, is not level by the up \
        direction of the recording's world. Heights over a length are off by the tilt.
        """,
      cause: """
        A floor or a table that slopes, an up direction that the tracking had not found yet, or \
        wrong axes.
        """,
      remedy: "Check the surface with a spirit level; begin to record after some steps."),
    .sequenceMotionDamaged: Self(
      meaning: """
        The recording has motion samples that cannot be read; its frames are not touched.
        """,
      cause: "A transfer that broke off, or a newer layout of the file.",
      remedy: "Copy the file again."),
    .sequenceRefusedPaths: Self(
      meaning: "The recording names files outside of its own folder; they are not read.",
      cause: "A list written with absolute paths or with “..”, or a hostile file.",
      remedy: "Make the paths relative to the folder of the list and inside it."),
    .sequenceFilmMismatch: Self(
      meaning: """
        The video of the color camera has another number of images than there are frames, or \
        plays them otherwise than they were recorded. Images were paired with frames as the \
        message says; frames without one have no color.
        """,
      cause: "A recording that was cut, re-encoded or copied in part.",
      remedy: "Copy the recording again as the app wrote it, without editing the video."),
    .sequenceFilmUndecoded: Self(
      meaning: """
        The color of a frame is in a video that could not be decoded; depth, poses and camera \
        numbers are not touched by it.
        """,
      cause: "The program ffmpeg is not installed, was too slow, or refused the video.",
      remedy: "Install it (apt install ffmpeg, or brew install ffmpeg), or leave color out."),
    .sequenceChosenTopics: Self(
      meaning: """
        The recording holds several streams; the finding says which of them make the frames and \
        which are left aside.
        """,
      cause: "Bags of robots and of cameras with several sensors record many topics.",
      remedy: "To read another depth stream, filter the bag to its topics first."),
    .sequenceWithoutIndex: Self(
      meaning: """
        The recording has no sound index at its end; it was read through, and everything up to \
        its last whole chunk is used.
        """,
      cause: "The recorder was killed, lost power, or the file was cut while it was copied.",
      remedy: "Recover the recording once, so that opening it is quick again."),
    .sequenceDamagedBytes: Self(
      meaning: """
        Bytes of the recording are damaged; the messages in them are left out, all others are \
        sound.
        """,
      cause: "A failing disk or a transfer that went wrong.",
      remedy: "Copy the file again; recovering it says what is lost."),
  ]
}
