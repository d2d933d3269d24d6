public import PlumblineImages
public import PlumblineModel

/// Crops, turns or resizes a whole photo: image, depth, mattes, gain map and camera together.
///
/// Depth codes only change places or go; none is ever computed anew, so nothing drifts. A crop is moved to
/// the depth map's own pixels, by less than one of them, and the image's edge to the nearest pixel
/// there; so depth lies on the image within half a pixel of the image.
public struct PhotoFraming: Sendable, Hashable {
  /// What is cut out, in pixels of the photo as it is shown (upright); `nil` for all.
  public var crop: PixelRectangle?
  /// How the photo is turned, after the crop; `nil` for not at all.
  public var turn: ImageOrientation?
  /// Whether the stored pixels are turned to be upright, so that no orientation is left to say.
  public var bakesOrientation: Bool
  /// The largest size that the image may have, upright, after crop and turn; `nil` leaves its size.
  ///
  /// Its shape stays, and it never grows.
  public var maximumSize: RasterSize?

  /// Creates a framing that changes nothing.
  public init(
    crop: PixelRectangle? = nil, turn: ImageOrientation? = nil, bakesOrientation: Bool = false,
    maximumSize: RasterSize? = nil
  ) {
    self.crop = crop
    self.turn = turn
    self.bakesOrientation = bakesOrientation
    self.maximumSize = maximumSize
  }

  /// Whether pixels of the image must be decoded: a turn alone only changes what the file says.
  public var movesPixels: Bool { crop != nil || bakesOrientation || maximumSize != nil }

  /// Applies the framing.
  ///
  /// - Returns: The photo, and sentences about what was done that the user did not request.
  /// - Throws: ``PhotoWritingError`` for a crop outside of the photo or too small for the
  ///   depth map, for an empty size, and for damaged
  ///   Exif. Cost: O(*n*).
  public func applied(
    to photo: PhotoContents
  ) throws(PhotoWritingError) -> (photo: PhotoContents, notes: [String]) {
    var result = photo
    var notes: [String] = []
    if let crop {
      let orientation = photo.metadata.orientation
      let upright = orientation.uprightSize(of: photo.color.size)
      guard crop.size.pixelCount > 0, crop.isInside(upright) else {
        throw Self.refusal("crop", "a rectangle inside \(upright)", Self.text(crop))
      }
      let stored = crop.oriented(by: orientation.inverse, in: upright)
      let snapped = try result.crop(to: stored)
      result.depth?.provenance.append(
        ProvenanceStep(CroppedPhoto.step, "\(Self.text(snapped)) of \(photo.color.size)"))
      if snapped != stored {
        let shown = snapped.oriented(by: orientation, in: photo.color.size)
        notes.append(
          "the crop became \(Self.text(shown)): its edges were moved to those of depth pixels, so that "
            + "no depth is resampled")
      }
    }
    if let turn { result.metadata.orientation = result.metadata.orientation.followed(by: turn) }
    if bakesOrientation { result.bakeOrientation() }
    if let maximumSize {
      let upright = result.metadata.orientation.uprightSize(of: result.color.size)
      let target = try Self.fitting(upright, into: maximumSize)
      let stored = result.metadata.orientation.swapsAxes ? target.transposed : target
      result.resize(to: stored)
    }
    if let exif = result.metadata.exif {
      var editing = try ExifEditing(exif)
      editing.setOrientation(result.metadata.orientation)
      if movesPixels { editing.setPixelSize(result.color.size) }
      result.metadata.exif = editing.block
    }
    if movesPixels { notes += try result.metadata.removePreviews().map(Self.removal) }
    return (result, notes)
  }

  /// The largest size of a shape that fits a box, never larger than the shape itself.
  private static func fitting(
    _ size: RasterSize, into box: RasterSize
  ) throws(PhotoWritingError) -> RasterSize {
    guard box.width > 0, box.height > 0 else {
      throw refusal("resize", "a size with pixels", "\(box)")
    }
    let scale = min(
      1, Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
    return RasterSize(
      width: max(1, Int((Double(size.width) * scale).rounded())),
      height: max(1, Int((Double(size.height) * scale).rounded())))
  }

  static func refusal(
    _ place: String, _ expected: String, _ found: String
  ) -> PhotoWritingError {
    .unrepresentable(format: "the photo", place: place, expected: expected, found: found)
  }

  /// What is said of an image that metadata held.
  static func removal(_ name: String) -> String {
    "\(name) was left out: it shows the photo as it was"
  }

  static func text(_ rectangle: PixelRectangle) -> String {
    "\(rectangle.size) at (\(rectangle.x), \(rectangle.y))"
  }
}
