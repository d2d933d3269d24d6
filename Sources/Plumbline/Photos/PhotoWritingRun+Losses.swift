import PlumblineImages
import PlumblineModel
import PlumblineRecordings

extension PhotoWritingRun {
  /// What of a photo has no place in the file that is written anew.
  static func losses(
    of contents: PhotoContents, _ photo: [UInt8], in container: PhotoWritingRequest.Container,
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
