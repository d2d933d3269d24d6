import PlumblineModel

/// Decoded pixels together with what the file says about showing them.
struct HEIFPicture<Pixels: Sendable>: Sendable {
  /// The pixels.
  let pixels: Pixels
  /// The columns and rows before any transformation.
  let storedSize: RasterSize
  /// The steps that lead from these pixels to the shown ones; empty once they are applied.
  let transformations: [ImageTransformation]
  /// The color codes in force, where file or stream state them; depth maps are stored without
  /// scaling, whatever the range says.
  let color: ColorCodes?

  /// Wraps stored pixels.
  init(pixels: Pixels, _ composition: HEIFComposition) {
    self.pixels = pixels
    storedSize = composition.size
    transformations = composition.transformations
    color = composition.color
  }

  private init(pixels: Pixels, storedSize: RasterSize, color: ColorCodes?) {
    self.pixels = pixels
    self.storedSize = storedSize
    self.color = color
    transformations = []
  }

  /// The same picture after its steps, which the closure applies.
  func shown(
    _ apply: ([ImageTransformation]) throws(CaptureReadingError) -> Pixels
  ) throws(CaptureReadingError) -> HEIFPicture {
    HEIFPicture(
      pixels: try apply(transformations), storedSize: storedSize, color: color)
  }
}

extension Raster {
  /// The raster after steps of a HEIF file, in order.
  ///
  /// - Throws: `.malformed` when a crop window leaves the raster. O(*n*) each.
  func applying(_ steps: [ImageTransformation]) throws(CaptureReadingError) -> Raster {
    var raster = self
    for step in steps { raster = try raster.applying(step) }
    return raster
  }

  private func applying(_ step: ImageTransformation) throws(CaptureReadingError) -> Raster {
    let (right, bottom) = (width - 1, height - 1)
    switch step {
    case .crop(let aperture):
      let window = try aperture.window(in: size)
      return Raster(size: window.size) { x, y in self[window.x + x, window.y + y] }
    case .mirror(.leftToRight): return Raster(size: size) { x, y in self[right - x, y] }
    case .mirror(.topToBottom): return Raster(size: size) { x, y in self[x, bottom - y] }
    case .rotation(1): return Raster(size: size.transposed) { x, y in self[right - y, x] }
    case .rotation(2): return Raster(size: size) { x, y in self[right - x, bottom - y] }
    case .rotation(3): return Raster(size: size.transposed) { x, y in self[y, bottom - x] }
    case .rotation: return self
    }
  }
}
