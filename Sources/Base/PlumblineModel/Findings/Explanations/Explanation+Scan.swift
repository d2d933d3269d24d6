extension FindingCode.Explanation {
  /// The explanations of the codes `scan.*`: findings about surfaces of many frames.
  static let scan: [FindingCode: Self] = [
    .scanTrackingLost: Self(
      meaning: """
        Frames do not fit the surface so far, and where their camera stood is not known. They are left \
        out: what only they saw is missing, and nothing of them is in the surface.
        """,
      cause: """
        The camera moved too fast, faced something without shape, came from another place, or \
        something moved before it.
        """,
      remedy: """
        Scan this part again, more slowly and with views that overlap by half; keep something with \
        shape in view.
        """),
    .scanInPieces: Self(
      meaning: """
        Tracking was lost for so long that a new surface was begun. How the surfaces lie to each other \
        is not known: each is measurable by itself, lengths from one to another are not.
        """,
      cause: "Two places in one recording, or a stretch in which no frame fits.",
      remedy: "Scan without a break, and come back to what was seen before after a fast turn."),
    .scanMotionRefused: Self(
      meaning: """
        Frames fit the surface only at poses that the recorded motion does not allow. They are left \
        out, since recording and depths contradict each other.
        """,
      cause: """
        Recorded poses of another scale or unit, of other axes, of other times than the frames, or \
        jumps of the tracking app.
        """,
      remedy: "Join the frames without their recorded poses, by their depths alone."),
    .scanMoved: Self(
      meaning: """
        In many frames a part of what is seen does not lie where the surface is, in front of it or \
        behind: something moved. There the surface is a mixture of moments, or has holes.
        """,
      cause: """
        A person, an animal, a door, leaves; a head that turned while its background stood still.
        """,
      remedy: """
        Scan what stands still; limit the depth so that only what moves as one is in view.
        """),
    .scanLowOverlap: Self(
      meaning: """
        Frames share too little with the surface so far to be registered. Their place follows from the \
        recorded motion alone, and its errors add up there.
        """,
      cause: "Fast turns, few frames for the speed of the camera, or things out of range.",
      remedy: "Move more slowly, or use more of the frames."),
    .scanOpenDirection: Self(
      meaning: """
        In many frames one wall, the floor or a corridor fills the view: along it the depths say hardly \
        anything. What counts there is the recorded motion, with its scale and its drift, or the colors of \
        the frames, whose errors add up from view to view.
        """,
      cause: "A camera close to a wall, or one that looks down.",
      remedy: "Keep a corner, a door frame or furniture in view."),
    .scanPoseOpen: Self(
      meaning: """
        Frames see a surface along which their camera could be anywhere: one wall, a floor, a corridor. No \
        motion was recorded, and no colors fix it. They are left out, since a surface of them would slide.
        """,
      cause: "A flat or even surface fills the view, without poses and without a pattern in color.",
      remedy: """
        Keep a corner, a door frame or furniture in view; record color or poses with the depths; put \
        something with shape or a pattern before the wall.
        """),
    .scanPoorFit: Self(
      meaning: """
        Frames fit the surface worse than the noise of their pixels explains. The ± of vertices is too \
        small by about that factor.
        """,
      cause: """
        Depths that are wrong beyond their noise (flying pixels, reflections, a wrong camera or lens), \
        or a subject that bends.
        """,
      remedy: "Check single frames, and the camera by frames of a board."),
    .scanFewPixels: Self(
      meaning: """
        Frames have hardly a pixel that is measured, of enough confidence and near enough. They are left \
        out.
        """,
      cause: "A covered sensor, black or shiny things, sunlight, or a limit of the depth.",
      remedy: "Keep within the sensor's range; raise the limit of the depth if one was set."),
    .scanSingleFrame: Self(
      meaning: """
        One frame alone makes the surface: it has one side, no second view confirms it, and what this \
        frame is off by shows nowhere.
        """,
      cause: "A recording of one frame, or one of which only one frame could be used.",
      remedy: "Record more views."),
    .scanScaleMeasured: Self(
      meaning: """
        A length that is known says how far all lengths of the scan are off. Nothing was changed by it.
        """,
      cause: "A board in view, or a distance that was measured.",
      remedy: "None needed within the ±; beyond it, scale the surface by the factor that is said."),
  ]
}
