package import PlumblineModel

extension PhotoContents {
  /// What of these contents has no place in a file of a kind, and what is in it without a promise; what the
  /// source held besides comes first.
  ///
  /// - Parameters:
  ///   - inJPEG: Whether the file is a JPEG, else a HEIC.
  ///   - layout: Where a JPEG keeps depth.
  ///   - movesPixels: Whether pixels are cropped, turned or scaled.
  /// - Returns: One finding each.
  package func losses(
    inJPEG: Bool, layout: PhotoWritingOptions.DepthLayout, movesPixels: Bool
  ) -> [Finding] {
    var findings = leftOut
    for item in items {
      let name = "\(item.type.split(separator: " ").joined()) item (\(item.kind))"
      if inJPEG {
        findings.append(
          Finding(
            .photoMetadataLeftOut, .note,
            "a \(name) of \(item.data.count) bytes was left out, which JPEG has no place for"))
      } else if movesPixels {
        findings.append(
          Finding(
            .photoCarriedUnread, .note,
            "a \(name) was carried along unread: what it says of places in the image is as it was"
          ))
      }
    }
    guard inJPEG else { return findings }
    if let depth, layout != .apple, !depth.portraitTagNames.isEmpty {
      let names = depth.portraitTagNames.prefix(8).joined(separator: ", ")
      findings.append(
        Finding(
          .photoPortraitTagsLeftOut, .note,
          "\(names) were left out: the layout has no place for them"))
    }
    if gainMap?.toneMapping != nil, let color = rendition?.color {
      let isSaid = gainMapProfile.map { Array("prof".utf8) + $0 == color.payload } ?? false
      let space = rendition?.colorSpace
      if !isSaid, space == nil || gainMapProfile != space?.iccProfile {
        findings.append(
          Finding(
            .photoToneMapLeftOut, .note,
            "the colors of the HDR rendition (\(space.map { "\($0)" } ?? "a profile of its own")) were left "
              + "out: a gain map in a JPEG has one profile or none"))
      }
    }
    return findings
  }
}
