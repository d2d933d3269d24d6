public import PlumblineEffects
public import PlumblineImages
public import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// A photo, or a frame of a recording, opened to be changed by its depth.
public struct EffectPhoto: Sendable {
  /// The name that outputs carry.
  public let fileName: String
  /// The capture with its image.
  public let capture: Capture
  /// What the photo says of itself, which a changed image keeps: Exif, ICC profile, orientation.
  public var metadata: PhotoMetadata
  /// What belongs to the photo's image; `nil` for a frame of a recording.
  private let contents: PhotoContents?

  /// Reads a photo.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - fileName: Its name.
  ///   - threads: How many threads may decode.
  /// - Throws: ``CaptureReadingError``. Cost: that of decoding.
  public init(_ bytes: [UInt8], fileName: String, threads: Int = 2) throws(CaptureReadingError) {
    self.fileName = fileName
    let contents = try PhotoContents(reading: bytes, reader: CaptureReader(threads: threads))
    var capture = try CaptureReader(color: .none, threads: threads).capture(from: bytes)
    capture.color = contents.color
    capture.colorSize = contents.color.size
    self.capture = capture
    self.contents = contents
    var metadata = contents.metadata
    // The image is another one now: what XMP says of it, of depth behind it and of edits, is not so.
    metadata.xmp = nil
    metadata.extendedXMP = nil
    self.metadata = metadata
  }

  /// Wraps a frame of a recording.
  public init(_ capture: Capture, fileName: String) {
    self.fileName = fileName
    self.capture = capture
    contents = nil
    metadata = PhotoMetadata(orientation: capture.colorOrientation)
  }

  /// The image before the phone's blur.
  ///
  /// - Returns: `nil` for a file without one; else the image, or a finding that says why the one in the
  ///   file cannot be used. Cost: that of decoding it.
  private func unrendered(threads: Int) -> (image: Raster<RGB8>?, finding: Finding?)? {
    guard let contents, let packet = contents.metadata.extendedXMP else { return nil }
    func unusable(_ reason: String, _ evidence: String = "") -> (Raster<RGB8>?, Finding?) {
      (
        nil,
        Finding(
          .photoOriginalUnusable, .caution,
          "the file holds the image before the phone's blur, which cannot be used: \(reason)",
          evidence: evidence)
      )
    }
    do throws(CaptureReadingError) {
      guard let bytes = try packet.unrenderedImage() else { return nil }
      let image = try PhotoContents(reading: bytes, reader: CaptureReader(threads: threads))
      guard image.color.size == contents.color.size else {
        return unusable(
          "it has another size", "\(image.color.size), the photo \(contents.color.size)")
      }
      let profile = image.metadata.iccProfile
      guard profile == nil || profile == contents.metadata.iccProfile else {
        return unusable("it has another color profile")
      }
      return (image.color, nil)
    } catch {
      return unusable("it is damaged", "\(error)")
    }
  }

  /// The photo with a disparity for every pixel.
  ///
  /// - Parameters:
  ///   - effect: Whose name errors have.
  ///   - maximumSide: The longer side of the image at most, in pixels; `nil` for its own.
  ///   - usesMattes: Whether a portrait matte says where edges are, beside depth and color.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The scene. For a blur its image is that before the phone's own, where the file holds one.
  /// - Throws: ``EffectError`` for a photo without image or depth. Cost: O(*n*).
  public func scene(
    for effect: String, maximumSide: Int? = nil, usesMattes: Bool = true, threads: Int = 2
  ) throws(EffectError) -> EffectScene {
    var capture = capture
    // Another blur starts from what the lens saw, not from the phone's own blur.
    let original = effect == "blur" ? unrendered(threads: threads) : nil
    if let image = original?.image { capture.color = image }
    var scene = try EffectScene.prepared(
      from: capture, effect: effect, maximumSide: maximumSide, usesMattes: usesMattes,
      threads: threads)
    scene.isUnrendered = original?.image != nil
    if let finding = original?.finding { scene.findings.append(finding) }
    scene.simulatedAperture = capture.depth?.simulatedAperture
    scene.gainMap = contents?.gainMap.flatMap(SceneGainMap.init)
    if scene.intrinsics == nil, let block = metadata.exif,
      let focal = (try? ExifMetadata(tiff: block[...]))?.filmFocalLength
    {
      scene.intrinsics = PinholeIntrinsics(
        filmMillimeters: focal.millimeters, size: scene.color.size)
      scene.statedCamera =
        "\(focal.millimeters.fixed(1)) mm of 35 mm film ± \((100 * focal.sigmaShare).fixed(1)) %, "
        + focal.basis
    }
    return scene
  }

  /// A pixel of the photo as it is shown, as a pixel of a scene's stored image.
  ///
  /// - Throws: ``EffectError`` for a pixel outside.
  public func storedPixel(
    of shown: SIMD2<Double>, in scene: EffectScene, effect: String
  ) throws(EffectError) -> SIMD2<Double> {
    let whole = capture.colorSize ?? scene.color.size
    let size = capture.colorOrientation.uprightSize(of: whole)
    guard shown.x >= 0, shown.y >= 0, shown.x < Double(size.width), shown.y < Double(size.height)
    else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a pixel of \(size), as the photo is shown",
        found: "\(shown.x), \(shown.y)")
    }
    let stored = capture.colorOrientation.inverse.upright(shown, in: size)
    let scale = SIMD2(
      Double(scene.color.width) / Double(whole.width),
      Double(scene.color.height) / Double(whole.height))
    return (stored + 0.5) * scale - 0.5
  }

  /// What of a photo still means the same beside the image that an effect made.
  public enum Companions: Sendable {
    /// Depth and mattes: the scene is the same, seen from the same position.
    case ofScene
    /// As ``ofScene``, without what the depth says of a blur: it is another one now.
    case ofBlurredScene
    /// The mattes of a person: what is behind is not what depth measured.
    case ofForeground
    /// Nothing: the image is seen from another position.
    case none
  }

  /// An image as a file of a kind: JPEG and HEIC keep Exif and ICC profile and lie as the photo is
  /// stored, PNG keeps the ICC profile and lies upright.
  ///
  /// JPEG and HEIC keep depth and mattes where these still mean the same, and a gain map that the
  /// effect changed along or that is right as it was.
  ///
  /// - Parameters:
  ///   - image: The image, stored as the photo is.
  ///   - kind: The kind of file.
  ///   - companions: What still means the same.
  ///   - options: How images are coded.
  /// - Returns: The file, and what of the photo is not in it, one finding each.
  /// - Throws: ``PhotoWritingError``, ``CaptureReadingError``.
  public func file(
    _ image: EffectImage, as kind: EffectImageKind, keeping companions: Companions,
    options: PhotoWritingOptions
  ) throws -> (bytes: [UInt8], findings: [Finding]) {
    let left = parts(
      of: kind.rawValue.uppercased(), companions, isPhoto: kind != .png,
      keepsGainMap: image.gainMap != nil || image.keepsGainMap)
    var contents = left.contents ?? PhotoContents(color: image.color)
    if let codes = image.gainMap { contents.gainMap?.samples = .uint8(codes) }
    var options = options
    contents.color = image.color
    contents.metadata = metadata
    contents.resizeCompanions(to: image.color.size)
    // As `write` does: what every reader of JPEG can read.
    if kind == .jpeg, case .uint8? = contents.depth?.codes {
      options.depthCoding = .lossy(quality: 100)
    }
    var findings = left.findings
    if kind != .png {
      findings += contents.losses(inJPEG: kind == .jpeg, layout: .apple, movesPixels: false)
    }
    switch kind {
    case .png:
      let encoder = PNGEncoder(iccProfile: metadata.profile)
      let upright = image.color.oriented(by: metadata.orientation)
      guard let opacity = image.opacity else { return (encoder.encoded(upright), findings) }
      return (
        encoder.encoded(upright, opacity: opacity.oriented(by: metadata.orientation)), findings
      )
    case .jpeg, .heic:
      if let exif = contents.metadata.exif {
        var editing = try ExifEditing(exif)
        editing.setOrientation(metadata.orientation)
        editing.setPixelSize(image.color.size)
        editing.removeThumbnail()
        contents.metadata.exif = editing.block
      }
      let bytes =
        kind == .jpeg
        ? try JPEGPhotoWriter().bytes(of: contents, options: options)
        : try HEIFPhotoWriter().bytes(of: contents, options: options)
      return (bytes, findings)
    }
  }

  /// What of the photo a file without depth, mattes and gain map lacks, one finding each.
  ///
  /// - Parameter kind: What the file is, in a word, such as `MP4`.
  /// - Returns: The findings.
  public func losses(in kind: String) -> [Finding] {
    parts(of: kind, .none, isPhoto: false, keepsGainMap: false).findings
  }

  /// The photo's parts that a result keeps, and what it lacks.
  private func parts(
    of kind: String, _ companions: Companions, isPhoto: Bool, keepsGainMap: Bool
  ) -> (contents: PhotoContents?, findings: [Finding]) {
    guard var contents else {
      // A recording's frame stays where it is; an image of it is no photo of the phone's.
      guard capture.depth != nil else { return (nil, []) }
      return (
        nil,
        [
          Finding(
            .photoDepthLeftOut, .note,
            "the depth map was left out: it stays in the recording that the frame is of")
        ]
      )
    }
    var findings: [Finding] = []
    if contents.metadata.xmp != nil || contents.metadata.extendedXMP != nil {
      findings.append(.metadata("XMP was left out: it speaks of the image as it was"))
    }
    guard isPhoto else {
      let reason = "\(kind) holds an image alone"
      findings += contents.removeDepth(because: reason)
      findings += contents.removeCompanions(because: reason)
      findings += contents.losses(inJPEG: true, layout: .apple, movesPixels: true)
      return (contents, findings)
    }
    if !keepsGainMap {
      findings += contents.removeGainMap(because: "it was made for the image as it was")
    }
    switch companions {
    case .ofScene: break
    case .ofBlurredScene:
      let tags = contents.depth?.removeBlurTags() ?? []
      findings += Finding.portraitTags(tags, "the blur is another one now")
    case .ofForeground:
      findings += contents.removeDepth(because: "what is behind is not what it measured")
      findings += contents.removeMattes(
        { $0 == .sky }, because: "what is behind is not what they outline")
    case .none:
      let reason = "the image is seen from another place"
      findings += contents.removeDepth(because: reason)
      findings += contents.removeMattes(because: reason)
    }
    return (contents, findings)
  }
}

/// The kinds of files that hold a changed image.
public enum EffectImageKind: String, Sendable, CaseIterable {
  /// JPEG.
  case jpeg
  /// HEIC.
  case heic
  /// PNG, which alone has transparency.
  case png

  /// The kind that a file's ending names; `nil` for any other.
  public init?(ending path: String) {
    switch pathEnding(path) {
    case "jpg", "jpeg": self = .jpeg
    case "heic", "heif": self = .heic
    case "png": self = .png
    default: return nil
    }
  }
}
