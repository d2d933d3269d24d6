public import PlumblineImages
public import PlumblineIO
import PlumblineModel
import PlumblineRecordings

/// Writes photos anew, with other depth, parts, framing or another kind of file.
///
/// Nothing is decoded that need not be: where only depth, mattes or the orientation change within one
/// kind of file, the image and all else are copied byte for byte.
public struct PhotoWriter: Sendable {
  /// The kinds of photo files that can be written.
  public enum Container: String, Sendable, CaseIterable {
    /// JPEG.
    case jpeg
    /// HEIC.
    case heic
  }

  /// Parts that can be taken out of a photo.
  public enum Part: String, Sendable, CaseIterable {
    /// The depth map, with its camera.
    case depth
    /// All mattes.
    case mattes
    /// The gain map.
    case gainMap = "gain-map"
  }

  /// The depth to write.
  public enum DepthSource: Sendable {
    /// The photo's own depth, unchanged.
    case own
    /// The photo's own, with what was wrong set right.
    case corrected(PhotoCorrection)
    /// Another map.
    case other(PhotoDepthSource)
  }

  /// What becomes of the depth.
  public var depth: DepthSource
  /// The quantity in which new depth is stored.
  public var quantity: PhotoDepth.Quantity
  /// Bits of each code of new depth: 8, as phones write, or 16.
  public var depthBits: Int
  /// How new depth is compressed; `nil` for what others can read with the least loss: in a JPEG of Apple's
  /// layout lossy at quality 100, which is within a code or two, elsewhere without any loss.
  public var depthCoding: PhotoWritingOptions.AuxiliaryCoding?
  /// The parts to remove from the photo.
  public var stripped: Set<Part>
  /// Crop, turn and size.
  public var framing: PhotoFraming
  /// The kind of file; `nil` for that of the photo.
  public var container: Container?
  /// Options of coding and layout.
  public var options: PhotoWritingOptions

  /// Creates a writer that changes nothing.
  public init() {
    depth = .own
    depthCoding = nil
    quantity = .disparity
    depthBits = 8
    stripped = []
    framing = PhotoFraming()
    options = PhotoWritingOptions()
  }

  /// Writes a photo.
  ///
  /// - Parameters:
  ///   - photo: The whole file.
  ///   - fileName: Its name.
  /// - Returns: The new file, and what was done.
  /// - Throws: ``CaptureReadingError`` and ``PhotoWritingError``. Cost: O(*n*); without decoding the image
  ///   unless pixels move or the kind of file changes.
  public func write(_ photo: [UInt8], fileName: String) throws -> PhotoWritingResult {
    let own = try Container(of: photo)
    let container = container ?? own
    var options = codingOptions(for: container)
    let reader = CaptureReader(color: .none, threads: options.threads)
    let facts = try PhotoFacts(photo, reader)
    let change = try depthChange(of: photo, facts, fileName: fileName)
    let isCopied = container == own && !framing.movesPixels && change.color == nil
    // Codes that are kept may have more bits than were asked for, and are stored as they are.
    if depthCoding == nil, let depth = change.depth, Self.bits(of: depth) > 8 {
      options.depthCoding = .lossless
    }
    let file: WrittenFile
    if isCopied {
      file = try edited(photo, change.depth, facts.orientation, in: container, options)
    } else {
      file = try coded(photo, change, in: container, options, reader)
    }
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
    return PhotoWritingResult(
      fileName: fileName, container: container, bytes: file.bytes, isImageCopied: isCopied,
      depth: change.depth, notes: notes, isLyingAssumed: change.isLyingAssumed,
      findings: change.findings + file.findings)
  }

  /// The options for a kind of file, with the coding of depth that goes unsaid.
  private func codingOptions(for container: Container) -> PhotoWritingOptions {
    var options = options
    let isPhoneLike = container == .jpeg && options.depthLayout == .apple && depthBits == 8
    options.depthCoding = depthCoding ?? (isPhoneLike ? .lossy(quality: 100) : .lossless)
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
  private func edited(
    _ photo: [UInt8], _ depth: PhotoDepth?, _ orientation: ImageOrientation,
    in container: Container, _ options: PhotoWritingOptions
  ) throws -> WrittenFile {
    var file = WrittenFile()
    let edit = photoEdit(depth, orientation)
    switch container {
    case .jpeg: file.bytes = try JPEGPhotoWriter().edited(photo, edit, options: options)
    case .heic: file.bytes = try HEIFPhotoWriter().edited(photo, edit, options: options)
    }
    if stripped.contains(.gainMap), try PhotoContents.hasRendition(photo) {
      file.findings.append(.renditionWithoutGainMap)
    }
    return file
  }

  /// The photo with its image coded anew.
  private func coded(
    _ photo: [UInt8], _ change: PhotoDepthChange, in container: Container,
    _ options: PhotoWritingOptions, _ reader: CaptureReader
  ) throws -> WrittenFile {
    var (file, options, reader) = (WrittenFile(), options, reader)
    reader.color = .full
    var contents = try PhotoContents(reading: photo, reader: reader)
    file.findings += contents.remove(stripped)
    if let color = change.color {
      contents.color = color
      file.findings += contents.removeCompanions(
        because: "the correction moved the image's pixels")
      file.notes += try contents.metadata.removePreviews().map(PhotoFraming.removal)
    }
    if let depth = change.depth { contents.depth = depth }
    let framed = try framing.applied(to: contents)
    file.notes += framed.notes
    file.findings += Self.losses(
      of: framed.photo, photo, in: container, options.depthLayout,
      movesPixels: framing.movesPixels || change.color != nil)
    file.depth = framed.photo.depth
    if depthCoding == nil, let depth = framed.photo.depth, Self.bits(of: depth) > 8 {
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

  /// The change that leaves the image's bytes as they are.
  private func photoEdit(_ depth: PhotoDepth?, _ orientation: ImageOrientation) -> PhotoEdit {
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

extension PhotoWriter.Container {
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
