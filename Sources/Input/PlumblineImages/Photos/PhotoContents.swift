package import PlumblineIO
public import PlumblineModel

/// All parts of a photo before it is written: pixels, companions and metadata.
///
/// All parts have the orientation of the stored pixels; ``PhotoMetadata/orientation`` applies to
/// all of them.
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
  /// Findings about parts of the source file that are lost when these contents are written.
  public var leftOut: [Finding] = []
  /// The items that describe the image and are not interpreted here; only HEIC can contain them.
  package var items: [CarriedItem] = []
  /// The further XMP properties of mattes and of the gain map.
  package var companions: [AuxiliaryMeaning: CompanionProperties] = [:]
  /// The color codes of the gain map, if it has no profile.
  var gainMapCodes: ColorCodes?
  /// The properties of a HEIC's rendition, except the gain map's metadata.
  package var rendition: HEIFRendition?

  /// Creates a photo without depth.
  package init(color: Raster<RGB8>, metadata: PhotoMetadata = PhotoMetadata()) {
    self.color = color
    self.metadata = metadata
    mattes = []
  }
}

extension PhotoContents {
  /// Findings about parts of a HEIC file that are not read here.
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
    // A part, a companion or a thumbnail of another image is not a separate image.
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
      // An identical copy of the image under another number shows nothing else.
      if item.type == "iden", file.items(referredToBy: item.id, as: "dimg") == [file.primaryItemID]
      {
        continue
      }
      add("a further image", item.id)
    }
    return findings
  }

  /// Findings about data after a JPEG's image that are not read here.
  ///
  /// - Throws: `.limitExceeded`.
  package func leftOut(_ file: JPEGFile, _ limits: ReadingLimits) throws(CaptureReadingError)
    -> [Finding]
  {
    // An unreadable packet names nothing.
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
  /// Findings about contents that a kind of file cannot store, or stores without a guarantee; the
  /// losses of the source come first.
  ///
  /// - Parameters:
  ///   - inJPEG: Whether the file is a JPEG; otherwise it is a HEIC.
  ///   - layout: The layout of depth in a JPEG.
  ///   - movesPixels: Whether pixels are cropped, rotated or scaled.
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
