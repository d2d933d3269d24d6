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
    var options = Self.options(of: request, in: container)
    let reader = CaptureReader(color: .none, threads: options.threads)
    let facts = try PhotoFacts(photo, reader)
    let change = try PhotoDepthChange(request, of: photo, facts, fileName: fileName)
    depth = change.depth
    let isCopied = container == own && !request.framing.movesPixels && change.color == nil
    isImageCopied = isCopied
    // Codes that are kept may have more bits than were asked for, and are stored as they are.
    if request.depthCoding == nil, let depth = change.depth, Self.bits(of: depth) > 8 {
      options.depthCoding = .lossless
    }
    let file: WrittenFile
    if isCopied {
      let edit = request.edit(change.depth, facts.orientation)
      file = try Self.edited(photo, edit, request, in: container, options)
    } else {
      file = try Self.coded(photo, change, request, in: container, options, reader)
    }
    bytes = file.bytes
    var notes = change.notes + file.notes
    // Beside an image that is copied only a new map is written.
    let written = isCopied ? change.depth : file.depth
    if container == .heic, let depthBits = written.map({ Self.bits(of: $0) }), depthBits > 12 {
      notes.append(
        "depth of \(depthBits) bits in HEIC is read by this program alone; write 8 bits, or a JPEG, for "
          + "others")
    }
    if container == .jpeg, options.depthLayout != .apple {
      notes += Self.layoutNotes(written?.accuracy, isKept: isCopied && change.depth == nil)
    }
    self.notes = notes
    findings = change.findings + file.findings
  }

  /// How a request is written: its own options, with the coding of depth that goes unsaid.
  private static func options(
    of request: PhotoWritingRequest, in container: PhotoWritingRequest.Container
  ) -> PhotoWritingOptions {
    var options = request.options
    let isPhoneLike =
      container == .jpeg && options.depthLayout == .apple && request.depthBits == 8
    options.depthCoding =
      request.depthCoding ?? (isPhoneLike ? .lossy(quality: 100) : .lossless)
    return options
  }

  /// A file, its new depth, and what is to be said of both.
  private struct WrittenFile {
    var bytes: [UInt8] = []
    var depth: PhotoDepth?
    var notes: [String] = []
    var findings: [Finding] = []
  }

  /// The photo with its image copied byte for byte.
  private static func edited(
    _ photo: [UInt8], _ edit: PhotoEdit, _ request: PhotoWritingRequest,
    in container: PhotoWritingRequest.Container, _ options: PhotoWritingOptions
  ) throws -> WrittenFile {
    var file = WrittenFile()
    switch container {
    case .jpeg: file.bytes = try JPEGPhotoWriter().edited(photo, edit, options: options)
    case .heic: file.bytes = try HEIFPhotoWriter().edited(photo, edit, options: options)
    }
    if request.stripped.contains(.gainMap), try PhotoContents.hasRendition(photo) {
      file.findings.append(.renditionWithoutGainMap)
    }
    return file
  }

  /// The photo with its image coded anew.
  private static func coded(
    _ photo: [UInt8], _ change: PhotoDepthChange, _ request: PhotoWritingRequest,
    in container: PhotoWritingRequest.Container, _ options: PhotoWritingOptions,
    _ reader: CaptureReader
  ) throws -> WrittenFile {
    var (file, options, reader) = (WrittenFile(), options, reader)
    reader.color = .full
    var contents = try PhotoContents(reading: photo, reader: reader)
    file.findings += contents.remove(request.stripped)
    if let color = change.color {
      contents.color = color
      file.findings += contents.removeCompanions(
        because: "the correction moved the image's pixels")
      file.notes += try contents.metadata.removePreviews().map(PhotoFraming.removal)
    }
    if let depth = change.depth { contents.depth = depth }
    let framed = try request.framing.applied(to: contents)
    file.notes += framed.notes
    file.findings += losses(
      of: framed.photo, photo, in: container, options.depthLayout,
      movesPixels: request.framing.movesPixels || change.color != nil)
    file.depth = framed.photo.depth
    if request.depthCoding == nil, let depth = framed.photo.depth, bits(of: depth) > 8 {
      options.depthCoding = .lossless
    }
    switch container {
    case .jpeg: file.bytes = try JPEGPhotoWriter().bytes(of: framed.photo, options: options)
    case .heic: file.bytes = try HEIFPhotoWriter().bytes(of: framed.photo, options: options)
    }
    return file
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
}

extension PhotoContents {
  /// Takes parts out; returns what is lost besides.
  fileprivate mutating func remove(_ parts: Set<PhotoWritingRequest.Part>) -> [Finding] {
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
