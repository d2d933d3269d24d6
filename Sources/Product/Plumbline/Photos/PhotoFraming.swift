import PlumblineCorrection
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
        ProvenanceStep(.photoCropped, "\(Self.text(snapped)) of \(photo.color.size)"))
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

extension PhotoContents {
  /// Cuts a rectangle of stored pixels out of everything, moved to the edges of depth pixels.
  ///
  /// - Returns: The rectangle that was cut out of the image.
  mutating func crop(to asked: PixelRectangle) throws(PhotoWritingError) -> PixelRectangle {
    let whole = color.size
    var rectangle = asked
    if let depth {
      let inMap = asked.snapped(from: whole, to: depth.size)
      guard inMap.size.width >= 2, inMap.size.height >= 2 else {
        throw PhotoFraming.refusal(
          "crop", "at least two by two pixels of the \(depth.size) depth map",
          PhotoFraming.text(asked))
      }
      rectangle = inMap.snapped(from: depth.size, to: whole)
      var cut = depth
      cut.codes = depth.codes.cropped(to: inMap)
      if let calibration = depth.calibration, calibration.intrinsics.matchesAspect(of: whole) {
        cut.calibration = calibration.scaled(to: whole).cropped(to: rectangle)
        // The edges of both are whole pixels, and readers take maps of another shape for another field
        // of view.
        guard cut.calibration?.intrinsics.matchesAspect(of: inMap.size) == true else {
          throw PhotoFraming.refusal(
            "crop", "a larger crop: this one's \(inMap.size) depth pixels cannot have its shape",
            PhotoFraming.text(asked))
        }
      }
      self.depth = cut
    }
    color = color.cropped(to: rectangle)
    mattes = mattes.map {
      Matte(
        kind: $0.kind,
        coverage: $0.coverage.cropped(to: rectangle.snapped(from: whole, to: $0.coverage.size)),
        orientation: $0.orientation)
    }
    gainMap = gainMap.map {
      var cut = $0
      cut.samples = $0.samples.cropped(to: rectangle.snapped(from: whole, to: $0.samples.size))
      return cut
    }
    return rectangle
  }

  /// Turns the stored pixels of everything upright.
  mutating func bakeOrientation() {
    let turn = metadata.orientation
    guard turn != .up else { return }
    color = color.oriented(by: turn)
    depth = depth?.oriented(by: turn)
    mattes = mattes.map {
      Matte(kind: $0.kind, coverage: $0.coverage.oriented(by: turn), orientation: .up)
    }
    if let samples = gainMap?.samples { gainMap?.samples = samples.oriented(by: turn) }
    metadata.orientation = .up
  }

  /// Brings the image to a size; what is larger than the image after that shrinks to it.
  ///
  /// Depth takes the nearest code, since a mean of codes across an edge would be a depth of nothing.
  mutating func resize(to target: RasterSize) {
    guard target != color.size else { return }
    color = color.scaled(to: target)
    resizeCompanions(to: target)
  }

  /// Brings what belongs to the image to the size that the image has now.
  mutating func resizeCompanions(to target: RasterSize) {
    if let codes = depth?.codes, codes.size.width > target.width {
      depth?.codes = codes.scaledNearest(to: target)
    }
    if let calibration = depth?.calibration, calibration.intrinsics.matchesAspect(of: target) {
      depth?.calibration = calibration.scaled(to: target)
    }
    mattes = mattes.map {
      $0.coverage.width <= target.width
        ? $0
        : Matte(
          kind: $0.kind, coverage: $0.coverage.scaledNearest(to: target),
          orientation: $0.orientation)
    }
    if let samples = gainMap?.samples, samples.size.width > target.width {
      gainMap?.samples = samples.scaledNearest(to: target)
    }
  }
}

extension PhotoDepth {
  /// The map and its camera turned to be upright.
  func oriented(by turn: ImageOrientation) -> PhotoDepth {
    var turned = self
    turned.codes = codes.oriented(by: turn)
    turned.calibration = calibration?.oriented(by: turn)
    return turned
  }
}

extension PixelRectangle {
  /// The rectangle of another raster of the same field of view whose edges are nearest to this one's.
  func snapped(from own: RasterSize, to other: RasterSize) -> PixelRectangle {
    func edge(_ place: Int, _ from: Int, _ to: Int) -> Int {
      Int((Double(place) * Double(to) / Double(from)).rounded())
    }
    let left = edge(x, own.width, other.width)
    let top = edge(y, own.height, other.height)
    // A matte much coarser than the depth map keeps one pixel at least.
    let right = max(edge(x + size.width, own.width, other.width), min(left + 1, other.width))
    let bottom = max(edge(y + size.height, own.height, other.height), min(top + 1, other.height))
    return PixelRectangle(
      x: min(left, right - 1), y: min(top, bottom - 1), width: max(right - left, 1),
      height: max(bottom - top, 1))
  }
}

extension StoredSamples {
  func cropped(to rectangle: PixelRectangle) -> StoredSamples {
    switch self {
    case .uint8(let raster): .uint8(raster.cropped(to: rectangle))
    case .uint16(let raster, let bitDepth):
      .uint16(raster.cropped(to: rectangle), bitDepth: bitDepth)
    }
  }

  func oriented(by turn: ImageOrientation) -> StoredSamples {
    switch self {
    case .uint8(let raster): .uint8(raster.oriented(by: turn))
    case .uint16(let raster, let bitDepth): .uint16(raster.oriented(by: turn), bitDepth: bitDepth)
    }
  }

  func scaledNearest(to target: RasterSize) -> StoredSamples {
    switch self {
    case .uint8(let raster): .uint8(raster.scaledNearest(to: target))
    case .uint16(let raster, let bitDepth):
      .uint16(raster.scaledNearest(to: target), bitDepth: bitDepth)
    }
  }
}
