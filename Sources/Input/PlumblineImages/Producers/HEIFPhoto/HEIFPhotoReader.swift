import PlumblineIO
import PlumblineModel

/// Reads a HEIC photo: its color image, its depth map, mattes and gain map, or its stereo pair.
struct HEIFPhotoReader {
  private let file: HEIFFile
  private let request: CaptureReader
  private let decoder: HEIFImageDecoder
  /// What was read so far; its findings are those of every step, in order.
  private var photo = Capture(source: CaptureSource())

  /// Opens a file; throws as ``HEIFFile`` does.
  init(_ bytes: [UInt8], _ request: CaptureReader) throws(CaptureReadingError) {
    self.request = request
    file = try HEIFFile(bytes: bytes, limits: request.limits)
    decoder = HEIFImageDecoder(file, threadCount: request.threads)
  }

  /// The capture that the items make together.
  func capture() throws(CaptureReadingError) -> Capture {
    var reader = self
    try reader.read()
    return reader.photo
  }

  private mutating func read() throws(CaptureReadingError) {
    let primary = file.primaryItemID
    let exif = exif(of: primary)
    _ = try metadata(of: primary)
    let shape = try HEIFShape(of: primary, in: file)
    photo.colorSize = shape.size
    photo.colorOrientation = shape.orientation
    photo.stereoPair = stereoPair()
    try readAuxiliaries()
    photo.source = CaptureSource(
      exif, accuracy: photo.depth?.accuracy,
      isStereo: photo.depth == nil && photo.stereoPair != nil)
    do throws(CaptureReadingError) {
      photo.color = try color(of: primary, shape)
    } catch {
      // Without depth, the image is all that the file is.
      let isEmpty = photo.depth == nil && photo.stereoPair == nil
      if isEmpty || error.reason == .limitExceeded { throw error }
      photo.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: "item \(primary)"))
    }
  }

  private mutating func exif(of item: HEIFItemID) -> ExifMetadata? {
    do throws(CaptureReadingError) {
      guard let block = try file.exif(of: item) else { return nil }
      let exif = try ExifMetadata(tiff: block, limits: request.limits)
      photo.findings += exif.notes.map { Finding($0) }
      return exif
    } catch {
      photo.findings.append(.damagedMetadata("Exif", error))
      return nil
    }
  }

  private func stereoPair() -> StereoPair? {
    guard let pair = file.stereoPair, let size = try? HEIFShape(of: pair.left.itemID, in: file).size
    else { return nil }
    return StereoPair(
      size: size,
      focalLengthPixels: pair.left.intrinsics.map { $0.focalLengthPerWidth * Double(size.width) },
      baselineMillimeters: pair.baselineInMillimeters)
  }

  private mutating func readAuxiliaries() throws(CaptureReadingError) {
    let auxiliaries = try file.auxiliaries()
    try request.limits.require(
      auxiliaries.count, atMost: request.limits.auxiliaryImages, "auxiliary images")
    var own = auxiliaries.filter(isOfPrimary)
    // Some editors hang the depth map on another item than the one that is shown.
    if !own.contains(where: { $0.kind == .depth }) {
      own += auxiliaries.filter { $0.kind == .depth }.prefix(1)
    }
    for auxiliary in own {
      if auxiliary.ownerIDs.count > 1 {
        photo.findings.append(
          Finding(
            .fileSharedAuxiliary, .note, "one auxiliary image belongs to several images",
            evidence: "item \(auxiliary.itemID) of items "
              + auxiliary.ownerIDs.map(String.init).joined(separator: ", ")))
      }
      try read(auxiliary)
    }
    if photo.gainMap == nil, !own.contains(where: { $0.kind == .hdrGainMap }),
      let item = try file.gainMapItem,
      let samples = try samples(of: item, "gain map")
    {
      photo.gainMap = GainMap(samples: samples)
    }
    for type in file.unknownItemTypes {
      photo.findings.append(
        Finding(
          .fileUnknownAuxiliary, .note, "items of an unknown type were left aside", evidence: type))
    }
  }

  /// Whether an auxiliary image belongs to the main image, directly or to one derived from it.
  private func isOfPrimary(_ auxiliary: HEIFAuxiliary) -> Bool {
    auxiliary.ownerIDs.contains { owner in
      owner == file.primaryItemID
        || file.items(referredToBy: owner, as: "dimg").contains(file.primaryItemID)
        || file.items(referredToBy: file.primaryItemID, as: "dimg").contains(owner)
    }
  }

  private mutating func read(_ auxiliary: HEIFAuxiliary) throws(CaptureReadingError) {
    let item = auxiliary.itemID
    switch auxiliary.kind {
    case .depth:
      guard photo.depth == nil else {
        photo.findings.append(
          Finding(
            .fileSeveralDepthMaps, .note, "a second depth map was left aside",
            evidence: "item \(item)"))
        return
      }
      photo.depth = try depth(auxiliary)
    case .portraitEffectsMatte:
      try appendMatte(.portraitEffects, item)
    case .semanticMatte(let name):
      guard let kind = Matte.Kind(rawValue: name) else {
        photo.findings.append(.unknownAuxiliary(auxiliary.type))
        return
      }
      try appendMatte(kind, item)
    case .hdrGainMap:
      guard photo.gainMap == nil else {
        photo.findings.append(.secondAuxiliary("gain map", "item \(item)"))
        return
      }
      guard let samples = try samples(of: item, "gain map") else { return }
      let metadata = try metadata(of: item)
      photo.gainMap = GainMap(
        samples: samples, version: metadata?.hdrGainMapVersion,
        headroom: metadata?.hdrGainMapHeadroom)
    case .alpha, .appleRendition: return
    case .unknown: photo.findings.append(.unknownAuxiliary(auxiliary.type))
    }
  }

  private mutating func depth(
    _ auxiliary: HEIFAuxiliary
  ) throws(CaptureReadingError) -> DepthRecord? {
    var representation: DepthRepresentation?
    do throws(CaptureReadingError) {
      representation = try DepthRepresentation.read(auxiliarySubtype: auxiliary.subtype)
    } catch {
      photo.findings.append(.damagedMetadata("depth representation", error))
    }
    let image = try decoder.samples(of: auxiliary.itemID)
    let metadata = try metadata(of: auxiliary.itemID)
    photo.provenance += metadata?.provenance ?? []
    var (record, findings) = AppleDepthRecord(
      samples: image.pixels, metadata: metadata, representation: representation
    ).record()
    photo.findings += findings
    let shape = try HEIFShape(of: auxiliary.itemID, in: file)
    try shape.requireInside(image.pixels.size, of: auxiliary.itemID)
    record?.orientation = shape.orientation
    record?.cleanAperture = shape.cleanAperture
    return record
  }

  /// What the image's own XMP says; damage costs the metadata, an attack costs the file.
  private mutating func metadata(
    of item: HEIFItemID
  ) throws(CaptureReadingError) -> AppleDepthMetadata? {
    do throws(CaptureReadingError) {
      for packet in try file.xmp(of: item) {
        var limits = request.limits
        if item != file.primaryItemID { limits.xmlNodes = limits.auxiliaryXMLNodes }
        return AppleDepthMetadata(try XMPPacket(packet, limits: limits))
      }
    } catch {
      if error.refusesFile { throw error }
      photo.findings.append(.damagedMetadata("XMP of item \(item)", error))
    }
    return nil
  }

  private mutating func appendMatte(
    _ kind: Matte.Kind, _ item: HEIFItemID
  ) throws(CaptureReadingError) {
    guard request.readsCompanions else { return }
    guard !photo.mattes.contains(where: { $0.kind == kind }) else {
      photo.findings.append(.secondAuxiliary("matte", "item \(item)"))
      return
    }
    guard case .uint8(let coverage) = try samples(of: item, "matte") else { return }
    photo.mattes.append(
      Matte(
        kind: kind, coverage: coverage,
        orientation: try HEIFShape(of: item, in: file).orientation))
  }

  /// The codes of an image beside the depth map: damage costs the image, not the file.
  private mutating func samples(
    of item: HEIFItemID, _ what: String
  ) throws(CaptureReadingError) -> StoredSamples? {
    guard request.readsCompanions else { return nil }
    do throws(CaptureReadingError) {
      return try decoder.samples(of: item).pixels
    } catch {
      if error.reason == .limitExceeded { throw error }
      photo.findings.append(
        Finding(
          .fileDamagedImage, .note, "the \(what) cannot be decoded: \(error)",
          evidence: "item \(item)"))
      return nil
    }
  }

  /// The color image; when it is not requested, its structure and limits are checked all the same.
  private func color(
    of item: HEIFItemID, _ shape: HEIFShape
  ) throws(CaptureReadingError) -> Raster<RGB8>? {
    switch request.color {
    case .none:
      _ = try HEIFComposition(of: item, in: file, maximumPixels: request.limits.colorPixels)
      return nil
    case .preview(let side) where shape.cleanAperture == nil:
      return try converted(decoder.colorPreview(of: item, maximumSide: side).pixels, of: item)
    case .full, .stored, .preview:
      var pixels = try decoder.color(of: item).pixels
      try shape.requireInside(pixels.size, of: item)
      if let aperture = shape.cleanAperture { pixels = pixels.cropped(to: aperture) }
      if case .preview(let side) = request.color { pixels = pixels.reduced(toMaximumSide: side) }
      return try converted(pixels, of: item)
    }
  }

  /// Pixels in sRGB, unless the file's own colors are requested.
  private func converted(
    _ pixels: Raster<RGB8>, of item: HEIFItemID
  ) throws(CaptureReadingError) -> Raster<RGB8> {
    guard !request.keepsOwnColors else { return pixels }
    return try file.colorsToSRGB(of: item, request.limits)?.applied(to: pixels) ?? pixels
  }
}

extension HEIFFile {
  /// From an item's colors to sRGB; `nil` where there is nothing to do.
  ///
  /// - Throws: As ``HEIFComposition`` does.
  func colorsToSRGB(
    of item: HEIFItemID, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> ColorRemapping? {
    let profile = iccProfile(of: item)
    let codes = try HEIFComposition(of: item, in: self, maximumPixels: limits.colorPixels).color
    return ColorRemapping.toSRGB(profile: profile, codes.flatMap(PhotoColorSpace.init))
  }
}
