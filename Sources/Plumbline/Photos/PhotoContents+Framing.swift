import PlumblineCorrection
import PlumblineImages
import PlumblineModel

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
