public import PlumblineIO
public import PlumblineModel
public import PlumblineRecordings

/// The result of a conversion: what was written, and what the format could not hold.
public struct ConversionSummary: Sendable {
  /// A frame that was not written.
  public struct SkippedFrame: Sendable {
    /// What a frame fails at.
    public enum Cause: String, Sendable, CaseIterable {
      /// Its files.
      case unreadable
      /// The transform.
      case unfit
      /// The format.
      case unrepresentable
    }

    /// Its name.
    public var name: String
    /// Why the frame was skipped, in a sentence.
    public var reason: String
    /// What the frame fails at.
    public var cause: Cause
    /// What makes it representable; `nil` where nothing is known to.
    public var remedy: Remedy?
    /// The error itself.
    public var error: any Error
  }

  /// A kind of step, and the number of written frames that have it.
  public struct StepCount: Hashable, Sendable {
    /// The name of the step, such as `rectified`.
    public var name: String
    /// In how many frames it is.
    public var frameCount: Int
  }

  /// The format that was written.
  public let format: RecordingFormat
  /// The number of frames that were written.
  public let frameCount: Int
  /// The frames that were not, in the order of the recording.
  public let skipped: [SkippedFrame]
  /// Frames that were written without their color, which could not be decoded.
  public let colorlessFrames: Int
  /// Why the first of them has none, such as a program that is not there.
  public let colorlessReason: String?
  /// The number of motion samples that were written.
  public let motionCount: Int
  /// The number of the recording's motion samples that cannot be read, or only in part.
  public let unreadableMotionCount: Int
  /// The first of these, safe to print; empty if there is none.
  public let firstUnreadableMotion: String
  /// What the recording holds and the format does not, in the order of ``RecordingAspect``.
  public let leftOut: [RecordingAspect]
  /// The steps that were applied to frames on the way.
  public let appliedSteps: [StepCount]
  /// The corrections and filters that frames came with.
  public let earlierSteps: [StepCount]

  /// The document `plumbline.convert/1`, as `Documentation/cli.md` describes it; `output` is the path
  /// of the file or folder that was written.
  public func document(output: String) -> JSONValue {
    .object([
      ("schema", "plumbline.convert/1"),
      ("format", .string(format.rawValue)),
      ("frames", .integer(frameCount)),
      ("colorlessFrames", .integer(colorlessFrames)),
      ("colorlessReason", .string(colorlessReason)),
      ("motionSamples", .integer(motionCount)),
      ("unreadableMotionSamples", .integer(unreadableMotionCount)),
      (
        "skipped",
        .array(
          skipped.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
      ),
      ("leftOut", .array(leftOut.map { .string($0.rawValue) })),
      ("steps", .array(appliedSteps.map(\.document))),
      ("earlierSteps", .array(earlierSteps.map(\.document))),
      ("output", .string(output)),
    ])
  }
}

extension ConversionSummary.StepCount {
  /// One entry of `steps` and `earlierSteps`.
  var document: JSONValue {
    .object([("step", .string(name)), ("frames", .integer(frameCount))])
  }
}
