public import PlumblineIO
public import PlumblineImages
public import PlumblineModel
import PlumblineRecordings

/// The result of writing a photo: the new file, and what was done.
public struct PhotoWritingResult: Sendable {
  /// The name of the photo as read.
  public let fileName: String
  /// The kind of file that was written.
  public let container: PhotoWriter.Container
  /// The new file.
  public let bytes: [UInt8]
  /// Whether the image's compressed bytes are those of the original.
  public let isImageCopied: Bool
  /// The new depth map as it was written; `nil` where it was kept or there is none.
  public let depth: PhotoDepth?
  /// What was done, in sentences.
  public let notes: [String]
  /// Whether the map was taken to lie as the photo's pixels are stored, while by its shape it may lie as
  /// the photo is shown; ``PhotoDepthSource/lying`` says which.
  public let isLyingAssumed: Bool
  /// What of the photo is not in the new file, or in it without a promise, one finding each.
  public let findings: [Finding]

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

extension PhotoWriter {
  /// What of a photo has no place in the file that is written anew.
  static func losses(
    of contents: PhotoContents, _ photo: [UInt8], in container: Container,
    _ layout: PhotoWritingOptions.DepthLayout, movesPixels: Bool
  ) -> [Finding] {
    let metadata = contents.metadata
    var losses = contents.losses(
      inJPEG: container == .jpeg, layout: layout, movesPixels: movesPixels)
    let names = metadata.extendedXMP?.names ?? []
    if container == .heic, !names.isEmpty {
      let some = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " …" : "")
      losses.append(
        .metadata("extended XMP was left out, which HEIC has no place for: \(some)"))
    }
    if let file = try? JPEGFile(photo[...]),
      file.primary.notes.contains(where: { $0.code == .extendedXMPRejected })
    {
      losses.append(.metadata("extended XMP was left out: it is damaged"))
    }
    if container == .jpeg, metadata.profile == nil, let space = metadata.colorSpace, space != .sRGB
    {
      losses.append(
        Finding(
          .photoColorsUnnamed, .caution,
          "the image's colors are of \(space), which no profile was made for; others will take them for "
            + "sRGB"))
    }
    return losses
  }
}

extension Finding {
  /// Metadata that were left out.
  static func metadata(_ message: String) -> Finding {
    Finding(.photoMetadataLeftOut, .note, message)
  }

  /// What a depth map said of the portrait, and why it is gone; none for no names.
  static func portraitTags(_ names: [String], _ reason: String) -> [Finding] {
    guard !names.isEmpty else { return [] }
    let some = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " …" : "")
    return [Finding(.photoPortraitTagsLeftOut, .note, "\(some) were left out: \(reason)")]
  }

  /// The rendition that went with the gain map.
  static let renditionWithoutGainMap = Finding(
    .photoToneMapLeftOut, .note,
    "the HDR rendition of ISO 21496-1 went with the gain map that it is made from")
}

extension PhotoContents {
  /// Takes parts out; returns what is lost besides.
  mutating func remove(_ parts: Set<PhotoWriter.Part>) -> [Finding] {
    var findings: [Finding] = []
    if parts.contains(.depth) { depth = nil }
    if parts.contains(.mattes) { mattes = [] }
    if parts.contains(.gainMap) {
      if gainMap?.toneMapping != nil { findings.append(.renditionWithoutGainMap) }
      gainMap = nil
    }
    return findings
  }
}
