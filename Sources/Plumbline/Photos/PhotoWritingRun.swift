import PlumblineCorrection
public import PlumblineImages
public import PlumblineIO
import PlumblineModel
import PlumblineRecordings

/// A photo written anew: the bytes, and what was done.
///
/// Nothing is decoded that need not be: where only depth, mattes or the orientation change within one
/// kind of file, the image and all else are copied byte for byte.
public struct PhotoWritingRun: Sendable {
  /// The name of the photo as read.
  public let fileName: String
  /// The kind of file that was written.
  public let container: PhotoWritingRequest.Container
  /// The new file.
  public let bytes: [UInt8]
  /// Whether the image's compressed bytes are those of the original.
  public let isImageCopied: Bool
  /// The new depth map as it was written; `nil` where it was kept or there is none.
  public let depth: PhotoDepth?
  /// What was done, in sentences.
  public let notes: [String]
  /// What of the photo is not in the new file, or in it without a promise, one finding each.
  public let findings: [Finding]

  /// Writes a photo.
  ///
  /// - Parameters:
  ///   - photo: The whole file.
  ///   - fileName: Its name.
  ///   - request: What is asked for.
  /// - Throws: ``CaptureReadingError`` and ``PhotoWritingError``. Cost: O(*n*); without decoding the image
  ///   unless pixels move or the kind of file changes.
  public init(
    _ photo: [UInt8], fileName: String, request: PhotoWritingRequest = PhotoWritingRequest()
  ) throws {
    self.fileName = fileName
    let own = try PhotoWritingRequest.Container(of: photo)
    let container = request.container ?? own
    self.container = container
    var notes: [String] = []
    var findings: [Finding] = []
    var options = request.options
    let isPhoneLike =
      container == .jpeg && options.depthLayout == .apple && request.depthBits == 8
    options.depthCoding =
      request.depthCoding ?? (isPhoneLike ? .lossy(quality: 100) : .lossless)
    var reader = CaptureReader(color: .none, threads: options.threads)
    let facts = try PhotoFacts(photo, reader)
    var correction: PhotoCorrection.Result?
    var source: PhotoDepthSource?
    switch request.depth {
    case .own: break
    case .other(let other): source = other
    case .corrected(let wanted):
      let result = try wanted.result(for: photo, fileName: fileName, threads: options.threads)
      correction = result
      source = result.depth
      notes += result.notes
    }
    var depth = try source.map { try request.photoDepth(of: $0, for: facts, &notes) }
    if let tags = try PortraitTags(ofPhoto: photo), depth != nil {
      if source?.attachedOrigin == nil || correction != nil {
        depth?.take(tags)
      } else {
        findings += Finding.portraitTags(tags.names, "they were said of the map that was replaced")
      }
    }
    self.depth = depth
    var depthBits = depth.map { Self.bits(of: $0) }
    var accuracy = depth?.accuracy
    isImageCopied =
      container == own && !request.framing.movesPixels && correction?.color == nil
    // Codes that are kept may have more bits than were asked for, and are stored as they are.
    if request.depthCoding == nil, let depthBits, depthBits > 8 { options.depthCoding = .lossless }
    if isImageCopied {
      let edit = request.edit(depth, facts.orientation)
      switch container {
      case .jpeg: bytes = try JPEGPhotoWriter().edited(photo, edit, options: options)
      case .heic: bytes = try HEIFPhotoWriter().edited(photo, edit, options: options)
      }
      if request.stripped.contains(.gainMap), try PhotoContents.hasRendition(photo) {
        findings.append(.renditionWithoutGainMap)
      }
    } else {
      reader.color = .full
      var contents = try PhotoContents(reading: photo, reader: reader)
      if request.stripped.contains(.depth) { contents.depth = nil }
      if request.stripped.contains(.mattes) { contents.mattes = [] }
      if request.stripped.contains(.gainMap) {
        if contents.gainMap?.toneMapping != nil { findings.append(.renditionWithoutGainMap) }
        contents.gainMap = nil
      }
      if let color = correction?.color {
        contents.color = color
        findings += contents.removeCompanions(because: "the correction moved the image's pixels")
        notes += try contents.metadata.removePreviews().map(PhotoFraming.removal)
      }
      if let depth { contents.depth = depth }
      let framed = try request.framing.applied(to: contents)
      notes += framed.notes
      findings += Self.losses(
        of: framed.photo, photo, in: container, options.depthLayout,
        movesPixels: request.framing.movesPixels || correction?.color != nil)
      depthBits = framed.photo.depth.map { Self.bits(of: $0) }
      accuracy = framed.photo.depth?.accuracy
      if request.depthCoding == nil, let depthBits, depthBits > 8 {
        options.depthCoding = .lossless
      }
      switch container {
      case .jpeg: bytes = try JPEGPhotoWriter().bytes(of: framed.photo, options: options)
      case .heic: bytes = try HEIFPhotoWriter().bytes(of: framed.photo, options: options)
      }
    }
    if container == .heic, let depthBits, depthBits > 12 {
      notes.append(
        "depth of \(depthBits) bits in HEIC is read by this program alone; write 8 bits, or a JPEG, for "
          + "others")
    }
    if container == .jpeg, options.depthLayout != .apple {
      notes += Self.layoutNotes(accuracy, isKept: isImageCopied && depth == nil)
    }
    self.notes = notes
    self.findings = findings
  }

  /// What Google's layouts do not do.
  private static func layoutNotes(_ accuracy: DepthRecord.Accuracy?, isKept: Bool) -> [String] {
    if isKept {
      return [
        "no depth was written: what the photo has stays in the layout that it is in, unless it is "
          + "replaced, by the photo's own if need be"
      ]
    }
    guard accuracy == .absolute else { return [] }
    return [
      "this layout has no place for how far its meters are to be believed: read again, the depth counts "
        + "as relative"
    ]
  }

  private static func bits(of depth: PhotoDepth) -> Int {
    if case .uint16(_, let bitDepth) = depth.codes { bitDepth } else { 8 }
  }
}

extension PhotoDepthSource {
  /// How the map lies: as it says, or, of a bare one, as its shape and the user tell.
  ///
  /// - Throws: ``PhotoWritingError`` for a map of another shape than the image.
  func orientation(
    in photo: PhotoFacts, _ notes: inout [String]
  ) throws(PhotoWritingError) -> ImageOrientation {
    let shown = photo.orientation.uprightSize(of: photo.size)
    func fits(_ size: RasterSize, _ image: RasterSize) -> Bool {
      abs(size.aspectRatio / image.aspectRatio - 1) < 0.01
    }
    guard isBare, photo.orientation != .up else {
      let upright = record.orientation.uprightSize(of: record.size)
      guard fits(upright, shown) else {
        throw PhotoFraming.refusal(
          "depth", "a map of the shape of the image, \(shown) upright",
          "\(upright) upright in \(name)")
      }
      return record.orientation
    }
    let (isStored, isShown) = (fits(record.size, photo.size), fits(record.size, shown))
    let chosen = lying ?? (isStored ? .stored : .shown)
    guard chosen == .stored ? isStored : isShown else {
      let expected =
        switch lying {
        case .stored: "\(photo.size) as its pixels are stored"
        case .shown: "\(shown) as it is shown"
        case nil: "\(photo.size) as its pixels are stored, or \(shown) as it is shown"
        }
      throw PhotoFraming.refusal(
        "depth", "a map of the shape of the image, \(expected)", "\(record.size) in \(name)")
    }
    if lying == nil, isStored, isShown {
      notes.append(
        "the map was taken to lie as the photo's pixels are stored; --lying shown if it lies as the photo "
          + "is shown")
    }
    return chosen == .stored ? photo.orientation : .up
  }
}

/// What must be known of a photo before its depth can be changed, without decoding its image.
struct PhotoFacts {
  let size: RasterSize
  let orientation: ImageOrientation

  init(_ photo: [UInt8], _ reader: CaptureReader) throws(CaptureReadingError) {
    let capture = try reader.capture(from: photo)
    guard let size = capture.colorSize else {
      throw CaptureReadingError(.missing, expected: "an image", found: "none")
    }
    self.size = size
    orientation = capture.colorOrientation
  }
}

extension PhotoWritingRequest.Container {
  /// The kind of a photo file.
  ///
  /// - Throws: `.unsupported` for anything but JPEG and HEIC.
  public init(of photo: [UInt8]) throws(CaptureReadingError) {
    if JPEGFile.recognizes(photo) {
      self = .jpeg
    } else if photo.count > 11, photo[4..<8].elementsEqual("ftyp".utf8) {
      self = .heic
    } else {
      throw CaptureReadingError(
        .unsupported, offset: 0, expected: "a JPEG or HEIC photo, the kinds that carry depth",
        found: photo.isEmpty ? "an empty file" : printable(photo.prefix(8)))
    }
  }
}

extension PhotoWritingRequest {
  /// The change that leaves the image's bytes as they are.
  fileprivate func edit(_ depth: PhotoDepth?, _ orientation: ImageOrientation) -> PhotoEdit {
    var edit = PhotoEdit()
    if let depth {
      edit.depth = .replace(depth)
    } else if stripped.contains(.depth) {
      edit.depth = .remove
    }
    edit.keepsMattes = !stripped.contains(.mattes)
    edit.keepsGainMap = !stripped.contains(.gainMap)
    if let turn = framing.turn { edit.orientation = orientation.followed(by: turn) }
    return edit
  }

  /// The depth that shall stand in the photo, in the photo's stored orientation.
  fileprivate func photoDepth(
    of source: PhotoDepthSource, for photo: PhotoFacts, _ notes: inout [String]
  ) throws -> PhotoDepth {
    var source = source
    source.record.orientation = try source.orientation(in: photo, &notes)
    // The map lies in the file as the image lies, whatever it lay like where it came from.
    let record = source.record.turned(
      by: source.record.orientation.followed(by: photo.orientation.inverse))
    var stored = try PhotoDepth(record, quantity: quantity, bits: depthBits)
    if let calibration = stored.calibration, calibration.intrinsics.matchesAspect(of: photo.size) {
      stored.calibration = calibration.scaled(to: photo.size)
    } else {
      notes.append("the depth has no camera: points and lengths cannot be measured with it")
    }
    stored.provenance = source.provenance
    if let origin = source.attachedOrigin {
      stored.provenance.append(ProvenanceStep(AttachedDepth.step, origin))
    }
    let holes = stored.holeCount
    if holes > 0, record.storedSamples == nil {
      notes.append(
        "\(holes) of \(stored.size.pixelCount) pixels have no depth; they are written as 0, which reads "
          + "as missing here and as infinitely far elsewhere")
    }
    if let sigma = source.disparitySigma { stored.disparitySigma = sigma }
    return stored
  }
}

extension DepthRecord {
  /// The map, its codes and its camera turned as pixels are turned; what else lies on its pixels goes.
  fileprivate func turned(by turn: ImageOrientation) -> DepthRecord {
    guard turn != .up else { return self }
    var record = self
    switch values {
    case .depth(let map): record.values = .depth(DepthMap(meters: map.meters.oriented(by: turn)))
    case .disparity(let map):
      record.values = .disparity(
        DisparityMap(inverseMeters: map.inverseMeters.oriented(by: turn)))
    case .range(let map): record.values = .range(RangeMap(meters: map.meters.oriented(by: turn)))
    }
    record.storedSamples = storedSamples?.oriented(by: turn)
    record.calibration = calibration?.oriented(by: turn)
    record.orientation = .up
    return record
  }
}
