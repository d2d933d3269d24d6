import PlumblineIO
import PlumblineVerification

extension PoseAssessment {
  /// The member `poses` of `plumbline.check/1`, as `Documentation/cli.md` describes it.
  var document: JSONValue {
    .object([
      ("frames", .integer(trajectory.poseCount)),
      ("untracked", .integer(trajectory.untrackedFrames.count)),
      ("pathMeters", .number(trajectory.pathMeters)),
      ("endMeters", .number(endMeters)),
      ("jumps", .array(trajectory.jumps.map(\.document))),
      ("gaps", .array(clock.gaps.map(\.document))),
      ("comparedPairs", .integer(comparedPairs)),
      ("overlap", .array(consistency?.gaps.map(\.document) ?? [])),
      ("revisits", consistency?.revisits?.document ?? .null),
      (
        "scale",
        scale.map {
          .object([
            ("pathOverDepth", .number($0.ratio)), ("plusMinus", .number($0.sigma)),
            ("pairs", .integer($0.pairCount)),
          ])
        } ?? .null
      ),
      (
        "floor",
        floor.map {
          .object([
            ("tiltDegrees", .number($0.degrees)), ("plusMinusDegrees", .number($0.sigmaDegrees)),
            ("frames", .integer($0.frameCount)),
          ])
        } ?? .null
      ),
    ])
  }
}

extension PoseConsistency.Gap {
  /// One entry of `overlap`, or `revisits`.
  fileprivate var document: JSONValue {
    .object([
      ("seconds", .number(seconds)), ("pairs", .integer(pairCount)),
      ("points", .integer(pointCount)), ("medianMillimeters", .number(medianMeters * 1000)),
      ("percentile95Millimeters", .number(percentile95Meters * 1000)),
      ("medianSigmas", .number(medianSigmas)), ("beyondFraction", .number(beyondShare)),
      ("pathMeters", .number(pathMeters)),
    ])
  }
}
