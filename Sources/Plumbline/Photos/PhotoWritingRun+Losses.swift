import PlumblineFormats
import PlumblineModel

extension PhotoWritingRun {
  /// What of a photo has no place in the file that is written anew, in sentences.
  static func losses(
    of contents: PhotoContents, _ photo: [UInt8], in container: PhotoWritingRequest.Container
  ) -> [String] {
    let metadata = contents.metadata
    var losses = contents.leftOut.map { "\($0) was left out" }
    let names = metadata.extendedXMP?.names ?? []
    if container == .heic, !names.isEmpty {
      let some = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " …" : "")
      losses.append("extended XMP was left out, which HEIC has no place for: \(some)")
    }
    if let file = try? JPEGFile(photo[...]),
      file.primary.notes.contains(where: { $0.code == .extendedXMPRejected })
    {
      losses.append("extended XMP was left out: it is damaged")
    }
    if container == .jpeg, metadata.profile == nil, let space = metadata.colorSpace, space != .sRGB
    {
      losses.append(
        "the picture's colors are of \(space), which no profile was made for; others will take them for "
          + "sRGB")
    }
    return losses
  }
}
