package import PlumblineIO
import PlumblineModel

extension PhotoContents {
  /// Reads all parts of a photo that can be written again, in the orientation of the stored pixels.
  ///
  /// Depth codes are kept, so that reading and writing never accumulate errors. Metadata are the
  /// unchanged blocks of the file; only the orientation in them is interpreted.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, HEIC or JPEG.
  ///   - reader: The limits and threads; the color is always decoded as a whole.
  /// - Throws: As ``CaptureReader/capture(from:)`` does; `.unsupported` for other files, and
  ///   `.malformed` also if the image, or a depth map that exists, cannot be read.
  package init(
    reading bytes: [UInt8], reader: CaptureReader = CaptureReader()
  ) throws(CaptureReadingError) {
    try reader.limits.require(bytes.count, atMost: reader.limits.fileBytes, "bytes of file")
    switch FileSignature(bytes) {
    case .jpeg: try self.init(jpeg: bytes, reader)
    case .heif: try self.init(heif: bytes, reader)
    case .ply, .json, .other, .empty:
      throw CaptureReadingError(
        .unsupported, offset: 0, expected: "a HEIC or JPEG photo",
        found: bytes.isEmpty ? "an empty file" : printable(bytes.prefix(4)))
    }
  }
}

extension PhotoContents {
  /// Reads all parts of a HEIC photo that can be written again.
  ///
  /// The file's crops are applied to each part, and parts with another orientation than the image
  /// are rotated to match it.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - request: The limits and threads.
  /// - Throws: As ``CaptureReader`` does; `.malformed` too when the image or a depth map that is
  ///   there cannot be read.
  package init(heif bytes: [UInt8], _ request: CaptureReader) throws(CaptureReadingError) {
    var request = request
    request.color = .full
    request.keepsOwnColors = true
    request.readsCompanions = true
    let file = try HEIFFile(bytes: bytes, limits: request.limits)
    let capture = try HEIFPhotoReader(bytes, request).capture()
    guard let color = capture.color else {
      throw CaptureReadingError(
        .malformed, path: ["item \(file.primaryItemID)"], expected: "an image that can be decoded",
        found: capture.findings.first { $0.code == .fileDamagedImage }?.message ?? "none")
    }
    let orientation = capture.colorOrientation
    self.init(
      color: color,
      metadata: PhotoMetadata(
        exif: try file.exif(of: file.primaryItemID).map { [UInt8]($0) },
        xmp: try file.xmp(of: file.primaryItemID).first.map { [UInt8]($0) },
        iccProfile: file.iccProfile(of: file.primaryItemID), orientation: orientation))
    if metadata.iccProfile == nil {
      metadata.colorSpace = try HEIFComposition(
        of: file.primaryItemID, in: file, maximumPixels: request.limits.colorPixels
      ).color.flatMap(PhotoColorSpace.init)
    }
    if let record = capture.depth {
      depth = try Self.depth(record, in: orientation)
      depth?.provenance = capture.provenance
    }
    let auxiliaries = try file.auxiliaries()
    if depth != nil, let item = auxiliaries.first(where: { $0.kind == .depth })?.itemID,
      let bytes = try file.xmp(of: item).first,
      let packet = try? XMPPacket(bytes, limits: request.limits)
    {
      depth?.blurRenderingParameters = AppleDepthMetadata(packet).blurRenderingParameters
      depth?.furtherProperties = CompanionProperties(packet)
    }
    func shape(_ isWanted: (AuxiliaryMeaning) -> Bool) throws(CaptureReadingError) -> HEIFShape? {
      for auxiliary in auxiliaries where isWanted(AuxiliaryMeaning(name: auxiliary.type)) {
        return try HEIFShape(of: auxiliary.itemID, in: file)
      }
      return nil
    }
    for matte in capture.mattes {
      let shape = try shape { $0 == .matte(matte.kind) }
      let coverage = try matte.coverage.lying(as: orientation, shape)
      mattes.append(Matte(kind: matte.kind, coverage: coverage, orientation: orientation))
    }
    if var map = capture.gainMap, let item = try file.gainMapItem {
      map.samples = try map.samples.lying(as: orientation, HEIFShape(of: item, in: file))
      gainMap = map
    }
    leftOut = capture.findings.filter { $0.code == .fileDamagedImage } + (try Self.leftOut(file))
    try readCompanions(of: file)
    addLostProperties()
  }

  private static func depth(
    _ record: DepthRecord, in orientation: ImageOrientation
  ) throws(CaptureReadingError) -> PhotoDepth {
    var depth: PhotoDepth
    do throws(PhotoWritingError) { depth = try PhotoDepth(record) } catch {
      throw CaptureReadingError(
        .malformed, path: ["depth map"], expected: "a depth map that can be written",
        found: "\(error)")
    }
    if let window = record.cleanAperture {
      depth.calibration = depth.calibration.flatMap { camera in
        guard camera.intrinsics.matchesAspect(of: depth.size) else { return nil }
        return camera.scaled(to: depth.size).cropped(to: window)
      }
      depth.codes = depth.codes.cropped(to: window)
    }
    let turn = record.orientation.followed(by: orientation.inverse)
    if turn != .up {
      depth.codes = depth.codes.oriented(by: turn)
      depth.calibration = depth.calibration?.oriented(by: turn)
    }
    return depth
  }
}

extension StoredSamples {
  fileprivate func cropped(to window: PixelRectangle) -> StoredSamples {
    switch self {
    case .uint8(let raster): .uint8(raster.cropped(to: window))
    case .uint16(let raster, let depth): .uint16(raster.cropped(to: window), bitDepth: depth)
    }
  }

  fileprivate func oriented(by turn: ImageOrientation) -> StoredSamples {
    switch self {
    case .uint8(let raster): .uint8(raster.oriented(by: turn))
    case .uint16(let raster, let depth): .uint16(raster.oriented(by: turn), bitDepth: depth)
    }
  }

  /// The displayed part, in the orientation of another image.
  fileprivate func lying(
    as orientation: ImageOrientation, _ shape: HEIFShape?
  ) throws(CaptureReadingError) -> StoredSamples {
    switch self {
    case .uint8(let raster): .uint8(try raster.lying(as: orientation, shape))
    case .uint16(let raster, let depth):
      .uint16(try raster.lying(as: orientation, shape), bitDepth: depth)
    }
  }
}

extension Raster {
  /// The displayed part, in the orientation of another image.
  fileprivate func lying(
    as orientation: ImageOrientation, _ shape: HEIFShape?
  ) throws(CaptureReadingError) -> Raster {
    guard let shape else { return self }
    var result = self
    if let window = shape.cleanAperture {
      guard window.isInside(size) else {
        throw CaptureReadingError(
          .malformed, path: ["clap"], expected: "a window inside \(size)", found: "\(window)")
      }
      result = result.cropped(to: window)
    }
    let turn = shape.orientation.followed(by: orientation.inverse)
    return turn == .up ? result : result.oriented(by: turn)
  }
}

extension HEIFFile {
  /// The color profile of an item, or else of the first item from which it is derived.
  package func iccProfile(of item: HEIFItemID) -> [UInt8]? {
    for id in [item] + items(referredToBy: item, as: "dimg").prefix(1) {
      for use in properties(of: id) {
        if case .color(.profile(let bytes)) = use.property { return [UInt8](bytes) }
      }
    }
    return nil
  }
}

extension PhotoColorSpace {
  /// The primaries and curve of color codes; `nil` if they state neither, or sRGB.
  package init?(_ codes: ColorCodes) {
    self.init(primaries: codes.primaries, transfer: codes.transfer)
    if self == PhotoColorSpace(primaries: 2, transfer: 2) || self == .sRGB { return nil }
  }
}

extension PhotoContents {
  /// Reads all parts of a JPEG photo; of several extended XMP packets only the one that the main
  /// packet names.
  ///
  /// - Throws: As ``CaptureReader`` does; `.malformed` too when the image or a depth map that is
  ///   there cannot be read.
  package init(jpeg bytes: [UInt8], _ request: CaptureReader) throws(CaptureReadingError) {
    var request = request
    request.color = .full
    request.keepsOwnColors = true
    request.readsCompanions = true
    let file = try JPEGFile(bytes[...], limits: request.limits)
    let capture = try JPEGPhotoReader(bytes, request).capture()
    let damage = capture.findings.first { $0.code == .fileDamagedImage }
    guard let color = capture.color else {
      throw CaptureReadingError(
        .malformed, path: ["primary image"], expected: "an image that can be decoded",
        found: damage?.message ?? "none")
    }
    self.init(
      color: color,
      metadata: PhotoMetadata(
        exif: file.primary.exif.map { [UInt8]($0) }, xmp: file.primary.xmp.map { [UInt8]($0) },
        iccProfile: file.primary.iccProfile, orientation: capture.colorOrientation))
    metadata.extendedXMP = try file.primary.namedExtendedXMP(limits: request.limits)
    mattes = capture.mattes
    gainMap = capture.gainMap
    leftOut = capture.findings.filter { $0.code == .fileDamagedImage }
    leftOut += try leftOut(file, request.limits)
    readCompanions(of: file, request.limits)
    defer { addLostProperties() }
    guard let record = capture.depth else { return }
    do throws(PhotoWritingError) { depth = try PhotoDepth(record) } catch {
      throw CaptureReadingError(
        .malformed, path: ["depth map"], expected: "a depth map that can be written",
        found: "\(error)")
    }
    // The properties of the map's own packet, or of the photo's if the map has none.
    let packets = file.images.dropFirst().lazy.compactMap {
      try? $0.xmpPacket(limits: request.limits)
    }
    let own = packets.first { AuxiliaryMeaning(AppleDepthMetadata($0)) == .depth }
    depth?.furtherProperties = own.map(CompanionProperties.init)
    if let packet = own ?? (try? file.primary.xmpPacket(limits: request.limits)) {
      depth?.provenance = ApplePhotoXMP.provenance(in: packet)
      depth?.blurRenderingParameters = AppleDepthMetadata(packet).blurRenderingParameters
    }
  }
}
