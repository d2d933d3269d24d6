package import PlumblineIO
public import PlumblineModel

/// A whole photo before it is written: its pixels, what belongs to them, and what it says of itself.
///
/// Everything lies as the stored pixels lie; ``PhotoMetadata/orientation`` turns all of it alike.
public struct PhotoContents: Sendable {
  /// The image as stored.
  public var color: Raster<RGB8>
  /// Exif, XMP, ICC and orientation.
  public var metadata: PhotoMetadata
  /// The depth map; `nil` for none.
  public var depth: PhotoDepth?
  /// The mattes, stored as the image is; their own orientation is the image's.
  public var mattes: [Matte]
  /// The gain map; `nil` for none.
  public var gainMap: GainMap?
  /// What the file that was read holds besides: writing these contents leaves it out.
  public var leftOut: [Finding] = []
  /// What describes the image and is not read here; HEIC alone has a place for it.
  package var items: [CarriedItem] = []
  /// What the XMP of mattes and of the gain map says beside what is read of it.
  package var companions: [AuxiliaryMeaning: CompanionProperties] = [:]
  /// What the gain map's codes are said to be where it has no profile.
  var gainMapCodes: ColorCodes?
  /// What a HEIC says of the rendition beside the gain map's numbers.
  package var rendition: HEIFRendition?

  /// Creates a photo without depth.
  package init(color: Raster<RGB8>, metadata: PhotoMetadata = PhotoMetadata()) {
    self.color = color
    self.metadata = metadata
    mattes = []
  }
}

extension PhotoContents {
  /// Says what a HEIC file shows or keeps beside what is read here.
  package static func leftOut(_ file: HEIFFile) throws(CaptureReadingError) -> [Finding] {
    var findings: [Finding] = []
    func add(_ what: String, _ item: HEIFItemID) {
      findings.append(
        Finding(
          .photoPartLeftOut, .note, "\(what) was left out", evidence: "item \(item)"))
    }
    var pair: [HEIFItemID] = []
    if let stereo = file.stereoPair {
      let eyes = [stereo.left.itemID, stereo.right.itemID]
      if eyes.contains(file.primaryItemID) { pair = eyes }
    }
    for item in pair where item != file.primaryItemID {
      add("the image for the other eye", item)
    }
    var seen: Set<HEIFAuxiliary.Kind> = []
    for auxiliary in try file.auxiliaries() {
      switch auxiliary.kind {
      case .alpha, .appleRendition, .unknown:
        add(
          "the auxiliary image \(auxiliary.type.isEmpty ? "without type" : auxiliary.type)",
          auxiliary.itemID)
      case .semanticMatte(let name) where Matte.Kind(rawValue: name) == nil:
        add("the auxiliary image \(auxiliary.type)", auxiliary.itemID)
      case .depth, .portraitEffectsMatte, .semanticMatte, .hdrGainMap:
        if !seen.insert(auxiliary.kind).inserted {
          add("a second image of the type \(auxiliary.type)", auxiliary.itemID)
        }
      }
    }
    // What is part of another image, belongs to it or is a smaller one of it is none of its own.
    let parts = Set(
      file.references.flatMap { reference -> [HEIFItemID] in
        switch reference.type {
        case "dimg": reference.to
        case "auxl", "thmb": [reference.from]
        default: []
        }
      })
    for item in file.items
    where ["hvc1", "hev1", "grid", "iden", "iovl"].contains(item.type) && !item.isHidden
      && item.id != file.primaryItemID && !pair.contains(item.id) && !parts.contains(item.id)
    {
      // A copy of the image under another number shows nothing else.
      if item.type == "iden", file.items(referredToBy: item.id, as: "dimg") == [file.primaryItemID]
      {
        continue
      }
      add("a further image", item.id)
    }
    return findings
  }

  /// Says what stands behind a JPEG's image beside what is read here.
  ///
  /// - Throws: `.limitExceeded`.
  package func leftOut(_ file: JPEGFile, _ limits: ReadingLimits) throws(CaptureReadingError)
    -> [Finding]
  {
    // A packet that cannot be read names nothing.
    var xmp = try? JPEGPhotoXMP(file.primary, limits: limits)
    let directories = xmp?.directories ?? []
    let ranges = directories.map {
      $0.ranges(primaryEnd: file.primary.range.upperBound, fileEnd: file.bytes.endIndex)
    }
    let depthNames = xmp?.removeDepth() ?? []
    let chunks = try JPEGPhotoChunks(file, directories: ranges, limits: limits).all
    let others = chunks.filter { chunk in
      switch chunk.role {
      case .depth, .matte: return false
      case .gainMap: return gainMap == nil
      case .gap: return !file.bytes[chunk.range].allSatisfy { $0 == 0 }
      case .other:
        return !chunk.items.contains { place in
          let item = directories[place.directory].items[place.item]
          return item.dataURI.map(depthNames.contains) == true
        }
      }
    }
    guard !others.isEmpty else { return [] }
    let count = others.reduce(0) { $0 + $1.range.count }
    return [
      Finding(
        .photoPartLeftOut, .note,
        "what stands behind the image beside depth and mattes (\(count) bytes) was left out",
        evidence: "byte \(others[0].range.lowerBound)")
    ]
  }
}

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
