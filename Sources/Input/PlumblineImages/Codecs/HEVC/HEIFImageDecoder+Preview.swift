import PlumblineIO
import PlumblineModel

extension HEIFImageDecoder {
  /// Decodes the color of an item at reduced size: each pixel is the mean of a square of stored
  /// pixels, computed from encoded values.
  ///
  /// The whole image is never in memory: each tile is averaged as soon as it is decoded, so a
  /// 12-megapixel photo needs a few megabytes. Decoding takes as long as at full size.
  ///
  /// - Parameters:
  ///   - item: The image.
  ///   - maximumSide: The requested maximum side in pixels, at least 1; grids are reduced by a
  ///     divisor of their tile size, so the result may be smaller.
  ///   - geometry: Stored or displayed pixels; previews are rotated and mirrored, but never
  ///     cropped.
  /// - Returns: The reduced image; `transformations` and `storedSize` are those of the whole.
  /// - Throws: As ``color(of:_:)``.
  func colorPreview(
    of item: HEIFItemID, maximumSide: Int, _ geometry: Geometry = .stored
  ) throws(CaptureReadingError) -> HEIFImage<Raster<RGB8>> {
    precondition(maximumSide >= 1, "a preview has a side of 1 pixel or more, not \(maximumSide)")
    let composition = try HEIFComposition(
      of: item, in: file, maximumPixels: file.limits.colorPixels)
    let conversion = try ColorConversion(composition)
    let whole = composition.size
    let factor = reduction(of: composition, to: maximumSide)
    let size = RasterSize(
      width: (whole.width + factor - 1) / factor, height: (whole.height + factor - 1) / factor)
    let pixels: Raster<RGB8> = try compose(composition, size) {
      (planes, tile, destination) throws(CaptureReadingError) in
      let columns = min(planes.size.width, whole.width - tile.x)
      let rows = min(planes.size.height, whole.height - tile.y)
      let black = RGB8(red: 0, green: 0, blue: 0)
      var strip = Array(repeating: black, count: columns * min(factor, rows))
      for y in stride(from: 0, to: rows, by: factor) {
        let height = min(factor, rows - y)
        strip.withUnsafeMutableBufferPointer { buffer in
          guard let start = buffer.baseAddress else { return }
          conversion.convert(
            planes, RasterSize(width: columns, height: height), fromRow: y, into: start,
            rowStride: columns)
        }
        let row = destination + (tile.y + y) / factor * size.width + tile.x / factor
        for x in stride(from: 0, to: columns, by: factor) {
          row[x / factor] = mean(
            strip, columns: x..<min(x + factor, columns), rows: 0..<height, rowStride: columns)
        }
      }
    }
    let image = HEIFImage(pixels: pixels, composition)
    guard geometry == .shown else { return image }
    return try image.shown { (steps) throws(CaptureReadingError) in
      var raster = pixels
      for step in steps {
        // A crop window in stored pixels does not match the squares, so previews are not cropped.
        if case .crop = step { continue }
        raster = try raster.applying([step])
      }
      return raster
    }
  }

  /// The smallest factor that reaches the requested side and divides the tile size, so that no
  /// square spans two tiles.
  private func reduction(of composition: HEIFComposition, to maximumSide: Int) -> Int {
    let longest = max(composition.size.width, composition.size.height)
    let wanted = (longest + maximumSide - 1) / maximumSide
    let tile = composition.parameters.size
    guard composition.tiles.count > 1 else { return wanted }
    let most = max(1, min(tile.width, tile.height))
    return (min(wanted, most)...most).first { tile.width % $0 == 0 && tile.height % $0 == 0 } ?? 1
  }

  private func mean(
    _ pixels: [RGB8], columns: Range<Int>, rows: Range<Int>, rowStride: Int
  ) -> RGB8 {
    var (red, green, blue) = (0, 0, 0)
    for y in rows {
      for x in columns {
        let pixel = pixels[y * rowStride + x]
        red += Int(pixel.red)
        green += Int(pixel.green)
        blue += Int(pixel.blue)
      }
    }
    let count = columns.count * rows.count
    let half = count / 2
    return RGB8(
      red: UInt8((red + half) / count), green: UInt8((green + half) / count),
      blue: UInt8((blue + half) / count))
  }
}
