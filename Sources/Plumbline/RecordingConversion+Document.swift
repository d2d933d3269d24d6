public import PlumblineIO
import PlumblineRecordings
extension RecordingConversion {
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
      (
        "skipped",
        .array(
          skipped.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
      ),
      ("leftOut", .array(leftOut.map { .string($0.rawValue) })),
      ("output", .string(output)),
    ])
  }
}
