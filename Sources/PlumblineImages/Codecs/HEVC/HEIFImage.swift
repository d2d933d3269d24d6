import PlumblineIO
import PlumblineModel

/// Decoded pixels together with what the file says about showing them.
struct HEIFImage<Pixels: Sendable>: Sendable {
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

  /// The same image after its steps, which the closure applies.
  func shown(
    _ apply: ([ImageTransformation]) throws(CaptureReadingError) -> Pixels
  ) throws(CaptureReadingError) -> HEIFImage {
    HEIFImage(
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
    if case .crop(let aperture) = step {
      let window = try aperture.window(in: size)
      return cropped(
        to: PixelRectangle(
          x: window.x, y: window.y, width: window.size.width, height: window.size.height))
    }
    return step.orientation.map { oriented(by: $0) } ?? self
  }
}
