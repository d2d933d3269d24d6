public import PlumblineIO
import PlumblineModel
import PlumblineVerification

extension AlignmentRun {
  /// The document `plumbline.align/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameter overlay: The path of the image that was written; `nil` for none.
  /// - Returns: The document; what is unknown is `null`.
  public func document(overlay: String?) -> JSONValue {
    .object([
      ("schema", "plumbline.align/1"),
      ("file", .string(fileName)),
      ("frames", .array(frameNames.map { .string($0) })),
      (
        "skipped",
        .array(
          skipped.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
      ),
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("verdict", .string(alignment.verdict.rawValue)),
      ("reason", .string(alignment.reason)),
      ("zoom", .number(alignment.zoom)),
      ("zoomSigma", .number(alignment.zoomSigma)),
      ("shiftPixels", Self.pair(alignment.shiftPixels)),
      ("shiftSigma", Self.pair(alignment.shiftSigma)),
      ("edgeCount", .integer(alignment.edgeCount)),
      ("correction", .string(correction)),
      ("outputs", .object([("overlay", .string(overlay))])),
    ])
  }

  private static func pair(_ numbers: SIMD2<Double>?) -> JSONValue {
    numbers.map { .array([.number($0.x), .number($0.y)]) } ?? .null
  }
}
