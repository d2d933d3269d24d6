public import PlumblineIO
import PlumblineModel
import PlumblineVerification

extension RecordingInfo {
  /// The document `plumbline.info/1`, as `Documentation/cli.md` describes it; what is unknown is
  /// `null`.
  public var document: JSONValue {
    .object([
      ("schema", "plumbline.info/1"),
      ("recording", .string(name)),
      ("layout", .string(layout)),
      ("source", source.map(\.document) ?? .null),
      ("frames", .integer(frames.count)),
      ("readable", .integer(readableCount)),
      ("seconds", .number(clock.seconds)),
      ("framesPerSecond", .number(clock.framesPerSecond)),
      ("jitterMilliseconds", .number(clock.jitterSeconds.map { $0 * 1000 })),
      ("drops", .integer(clock.intervalSeconds == nil ? nil : clock.missingFrames)),
      ("gaps", .array(clock.gaps.map(\.document))),
      ("depthSize", Self.document(of: depthSize)),
      ("colorSize", Self.document(of: colorSize)),
      ("fill", document(of: spread(\.validFraction))),
      ("medianMeters", document(of: spread(\.medianMeters))),
      ("focalLengthPixels", document(of: spread(\.focalLengthPixels))),
      ("calibrationSize", Self.document(of: calibrationSize)),
      ("confidence", .integer(frames.count { $0.hasConfidence })),
      ("poses", .integer(trajectory.poseCount)),
      ("worldAxes", .string(worldAxes.rawValue)),
      ("pathMeters", trajectory.poseCount > 1 ? .number(trajectory.pathMeters) : .null),
      ("poseJumps", .array(trajectory.jumps.map(\.document))),
      ("motionSamples", .integer(motionCount)),
      ("motionSamplesPerSecond", .number(motionRate)),
      ("findings", .array(findings.map(\.document))),
    ])
  }

  private static func document(of size: RasterSize?) -> JSONValue {
    size.map { .object([("width", .integer($0.width)), ("height", .integer($0.height))]) } ?? .null
  }

  private func document(
    of spread: (least: Double, middle: Double, maximum: Double)?
  ) -> JSONValue {
    spread.map {
      .object([
        ("least", .number($0.least)), ("middle", .number($0.middle)),
        ("greatest", .number($0.maximum)),
      ])
    } ?? .null
  }
}

extension ClockAssessment.Gap {
  /// One entry of `gaps`.
  var document: JSONValue {
    .object([
      ("before", .string(frame)), ("seconds", .number(seconds)),
      ("missingFrames", .integer(missingFrames)),
    ])
  }
}

extension TrajectoryAssessment.Jump {
  /// One entry of `poseJumps`.
  var document: JSONValue {
    .object([
      ("frame", .string(frame)), ("meters", .number(meters)), ("degrees", .number(degrees)),
    ])
  }
}
