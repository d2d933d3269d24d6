public import PlumblineEffects
public import PlumblineFormats
public import PlumblineModel

/// A photo, or a frame of a recording, opened to be changed by its depth.
public struct EffectPhoto: Sendable {
  /// The name that outputs carry.
  public let fileName: String
  /// The capture with its picture.
  public let capture: Capture
  /// What the photo says of itself, which a changed picture keeps: Exif, ICC profile, orientation.
  public var metadata: PhotoMetadata

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
    var metadata = contents.metadata
    // The picture is another one now: what XMP says of it, of depth behind it and of edits, is not so.
    metadata.xmp = nil
    metadata.extendedXMP = nil
    self.metadata = metadata
  }

  /// Wraps a frame of a recording.
  public init(_ capture: Capture, fileName: String) {
    self.fileName = fileName
    self.capture = capture
    metadata = PhotoMetadata(orientation: capture.colorOrientation)
  }

  /// The photo with a disparity for every pixel.
  ///
  /// - Parameters:
  ///   - effect: Whose name errors have.
  ///   - maximumSide: The longer side of the picture at most, in pixels; `nil` for its own.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The scene.
  /// - Throws: ``EffectError`` for a photo without picture or depth. Cost: O(*n*).
  public func scene(
    for effect: String, maximumSide: Int? = nil, threads: Int = 2
  ) throws(EffectError) -> EffectScene {
    var scene = try EffectScene(
      capture, effect: effect, maximumSide: maximumSide, threads: threads)
    scene.simulatedAperture = capture.depth?.simulatedAperture
    return scene
  }

  /// A pixel of the photo as it is shown, as a pixel of a scene's stored picture.
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

  /// A picture as a file of a kind: JPEG and HEIC keep Exif and ICC profile and lie as the photo is
  /// stored, PNG keeps the ICC profile and lies upright.
  ///
  /// - Throws: ``PhotoWritingError``, ``CaptureReadingError``.
  public func file(
    _ picture: EffectPicture, as kind: EffectPictureKind, options: PhotoWritingOptions
  ) throws -> [UInt8] {
    var contents = PhotoContents(color: picture.color, metadata: metadata)
    switch kind {
    case .png:
      let encoder = PNGEncoder(iccProfile: metadata.profile)
      let upright = picture.color.oriented(by: metadata.orientation)
      guard let opacity = picture.opacity else { return encoder.encoded(upright) }
      return encoder.encoded(upright, opacity: opacity.oriented(by: metadata.orientation))
    case .jpeg, .heic:
      if let exif = contents.metadata.exif {
        var editing = try ExifEditing(exif)
        editing.setOrientation(metadata.orientation)
        editing.setPixelSize(picture.color.size)
        editing.removeThumbnail()
        contents.metadata.exif = editing.block
      }
      return kind == .jpeg
        ? try JPEGPhotoWriter().bytes(of: contents, options: options)
        : try HEIFPhotoWriter().bytes(of: contents, options: options)
    }
  }
}

/// The kinds of files that hold a changed picture.
public enum EffectPictureKind: String, Sendable, CaseIterable {
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
