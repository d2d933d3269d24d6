import Dispatch
package import PlumblineIO
import PlumblineModel
import Synchronization

/// Decodes the images of a HEIF file: depth maps and mattes as stored, color as RGB.
///
/// Tiles are decoded in parallel; the result does not depend on the number of threads. Memory use
/// is the result plus one coded tile per thread.
struct HEIFImageDecoder: Sendable {
  /// The pixel geometry of an image.
  enum Geometry: Sendable {
    /// As stored: depth and color are aligned, and the file's calibration applies.
    case stored
    /// As displayed: cropped, rotated and mirrored according to the file.
    case shown
  }

  /// The opened file.
  let file: HEIFFile
  /// The maximum number of concurrent decoding threads, at least 1.
  let threadCount: Int
  /// The codec.
  let codec: any HEVCStillDecoding

  /// Creates a decoder for a file; the default codec is the one from the limits.
  init(
    _ file: HEIFFile, threadCount: Int,
    codec: (any HEVCStillDecoding)? = nil
  ) {
    precondition(threadCount >= 1, "decoding needs a thread, not \(threadCount)")
    self.file = file
    self.threadCount = threadCount
    self.codec = codec ?? file.limits.hevcDecoder
  }

  /// Decodes the luma of an item, such as a depth map, matte or gain map, without scaling the
  /// codes.
  ///
  /// - Throws: `.missing`, `.malformed`, `.unsupported` or `.limitExceeded` with the item's path.
  func samples(
    of item: HEIFItemID, _ geometry: Geometry = .stored
  ) throws(CaptureReadingError) -> HEIFImage<StoredSamples> {
    let composition = try HEIFComposition(
      of: item, in: file, maximumPixels: file.limits.auxiliaryPixels)
    let bitDepth = composition.parameters.lumaBitDepth
    let samples: StoredSamples
    if bitDepth <= 8 {
      samples = .uint8(try luma(composition))
    } else {
      samples = .uint16(try luma(composition), bitDepth: bitDepth)
    }
    let image = HEIFImage(pixels: samples, composition)
    guard geometry == .shown else { return image }
    switch samples {
    case .uint8(let raster):
      return try image.shown { (step) throws(CaptureReadingError) in
        .uint8(try raster.applying(step))
      }
    case .uint16(let raster, _):
      return try image.shown { (step) throws(CaptureReadingError) in
        .uint16(try raster.applying(step), bitDepth: bitDepth)
      }
    }
  }

  /// Decodes the color of an item.
  ///
  /// Chroma is repeated, not interpolated. Codes become RGB with the matrix and range that the file
  /// states, or else those of BT.601 at full range, as in libheif; an ICC profile is not applied.
  /// Monochrome images give gray.
  ///
  /// - Throws: As ``samples(of:_:)``.
  func color(
    of item: HEIFItemID, _ geometry: Geometry = .stored
  ) throws(CaptureReadingError) -> HEIFImage<Raster<RGB8>> {
    let composition = try HEIFComposition(
      of: item, in: file, maximumPixels: file.limits.colorPixels)
    let conversion = try ColorConversion(composition)
    let pixels: Raster<RGB8> = try compose(composition, composition.size) {
      (planes, tile, destination) throws(CaptureReadingError) in
      let columns = min(planes.size.width, composition.size.width - tile.x)
      let rows = min(planes.size.height, composition.size.height - tile.y)
      conversion.convert(
        planes, RasterSize(width: columns, height: rows),
        into: destination + tile.y * composition.size.width + tile.x,
        rowStride: composition.size.width)
    }
    let image = HEIFImage(pixels: pixels, composition)
    guard geometry == .shown else { return image }
    return try image.shown { (steps) throws(CaptureReadingError) in try pixels.applying(steps) }
  }

  /// Decodes the luma of every tile into one raster.
  private func luma<Sample: BitwiseCopyable & Sendable>(
    _ composition: HEIFComposition
  ) throws(CaptureReadingError) -> Raster<Sample> {
    let width = composition.size.width
    let height = composition.size.height
    return try compose(composition, composition.size) {
      (planes, tile, destination) throws(CaptureReadingError) in
      let columns = min(planes.size.width, width - tile.x)
      for y in 0..<min(planes.size.height, height - tile.y) {
        // `planes` holds samples of this width: the decoder checked the bit depth.
        let row = UnsafeRawBufferPointer(
          rebasing: planes.luma.bytes[(y * planes.luma.bytesPerRow)...])
        UnsafeMutableRawPointer(destination + (tile.y + y) * width + tile.x).copyMemory(
          from: row.baseAddress.unsafelyUnwrapped,
          byteCount: columns * MemoryLayout<Sample>.stride)
      }
    }
  }

  /// Decodes all tiles; a closure writes each tile to its part of the result.
  func compose<Pixel: BitwiseCopyable & Sendable>(
    _ composition: HEIFComposition, _ size: RasterSize,
    _ write:
      @Sendable (HEVCPlanes, HEIFComposition.Tile, UnsafeMutablePointer<Pixel>)
      throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError) -> Raster<Pixel> {
    let byteCount = size.pixelCount * MemoryLayout<Pixel>.stride
    try file.limits.require(
      byteCount, atMost: file.limits.decodedBytes, "decoded bytes", path: ["pixels"])
    var failure: CaptureReadingError?
    let samples = [Pixel](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      // Tiles write to disjoint parts, so threads may share the pointer.
      nonisolated(unsafe) let destination = start
      do throws(CaptureReadingError) {
        try forEachConcurrently(composition.tiles, threadCount: threadCount) {
          (tile) throws(CaptureReadingError) in
          do throws(CaptureReadingError) {
            try codec.decode(tile.image, path: ["item \(tile.itemID)"]) {
              (planes) throws(CaptureReadingError) in try write(planes, tile, destination)
            }
          } catch { throw composition.locating(error, in: tile) }
        }
        count = size.pixelCount
      } catch { failure = error }
    }
    if let failure { throw failure }
    return Raster(size: size, samples: samples)
  }
}

/// Decoded pixels with the file's information on their display.
struct HEIFImage<Pixels: Sendable>: Sendable {
  /// The pixels.
  let pixels: Pixels
  /// The columns and rows before any transformation.
  let storedSize: RasterSize
  /// The transformations from these pixels to the displayed ones; empty if already applied.
  let transformations: [ImageTransformation]
  /// The color codes from the file or the stream, if stated; depth maps are stored without scaling,
  /// whatever range they state.
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

  /// The same image after its transformations, which the closure applies.
  func shown(
    _ apply: ([ImageTransformation]) throws(CaptureReadingError) -> Pixels
  ) throws(CaptureReadingError) -> HEIFImage {
    HEIFImage(
      pixels: try apply(transformations), storedSize: storedSize, color: color)
  }
}

extension Raster {
  /// Applies transformations of a HEIF file in order.
  ///
  /// - Throws: `.malformed` when a crop window exceeds the raster. O(*n*) each.
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

/// Runs a closure for every element on at most `threadCount` threads, in order of starting.
///
/// After an error no further element is started. The error of the first failing element is thrown,
/// even if another one failed earlier in time, so the error does not depend on the number of
/// threads.
package func forEachConcurrently<Element: Sendable>(
  _ elements: [Element], threadCount: Int,
  _ body: @Sendable (Element) throws(CaptureReadingError) -> Void
) throws(CaptureReadingError) {
  let workers = min(threadCount, elements.count)
  if workers <= 1 {
    for element in elements { try body(element) }
    return
  }
  let next = Atomic<Int>(0)
  let failure = Mutex<(index: Int, error: CaptureReadingError)?>(nil)
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    while failure.withLock({ $0 == nil }) {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < elements.count else { return }
      do throws(CaptureReadingError) { try body(elements[index]) } catch {
        failure.withLock { if index < $0?.index ?? .max { $0 = (index, error) } }
      }
    }
  }
  if let failure = failure.withLock({ $0 }) { throw failure.error }
}
