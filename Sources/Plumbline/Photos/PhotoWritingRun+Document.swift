import PlumblineImages
public import PlumblineIO
import PlumblineModel

extension PhotoWritingRun {
  /// The document `plumbline.write/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameter outputs: The paths that were written.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    .object([
      ("schema", "plumbline.write/1"),
      ("file", .string(fileName)),
      ("container", .string(container.rawValue)),
      ("bytes", .integer(bytes.count)),
      ("pictureCopied", .bool(isImageCopied)),
      ("depth", depth.map(Self.document) ?? .null),
      ("notes", .array(notes.map { .string($0) })),
      ("findings", .array(findings.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  private static func document(_ depth: PhotoDepth) -> JSONValue {
    .object([
      ("width", .integer(depth.size.width)),
      ("height", .integer(depth.size.height)),
      ("quantity", .string(depth.quantity.rawValue)),
      ("maximumCode", .integer(depth.quantization.maximumCode)),
      ("minimumValue", .number(depth.quantization.minimumValue)),
      ("maximumValue", .number(depth.quantization.maximumValue)),
      ("step", .number(depth.quantization.step)),
      ("unit", .string(depth.quantity == .disparity ? "1/m" : "m")),
      ("accuracy", .string(depth.accuracy.rawValue)),
      ("calibrated", .bool(depth.calibration != nil)),
      (
        "provenance",
        .array(
          depth.provenance.map {
            .object([("name", .string($0.name)), ("detail", .string($0.detail))])
          })
      ),
    ])
  }
}
