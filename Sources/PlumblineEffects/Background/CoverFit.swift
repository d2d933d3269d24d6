internal import CKernels
internal import PlumblineModel

extension Raster where Sample == RGB8 {
  /// The image as large as a target must be covered, its middle kept, as `object-fit: cover` does.
  ///
  /// - Source: CSS Images Module Level 3, section 5.5 (`object-fit`).
  /// - Precondition: Both sizes have pixels.
  func covering(_ target: RasterSize, threads: Int) -> Raster<RGB8> {
    if size == target { return packed }
    let isWide = width * target.height > height * target.width
    let kept =
      isWide
      ? RasterSize(width: max(height * target.width / target.height, 1), height: height)
      : RasterSize(width: width, height: max(width * target.height / target.width, 1))
    let cut = cropped(
      to: PixelRectangle(
        x: (width - kept.width) / 2, y: (height - kept.height) / 2, width: kept.width,
        height: kept.height))
    let side = min(kept.width / max(target.width, 1), kept.height / max(target.height, 1))
    return cut.reduced(bySide: side, threads: threads).resized(to: target, threads: threads)
  }

  /// Means of squares of some pixels.
  func reduced(bySide side: Int, threads: Int) -> Raster<RGB8> {
    guard side > 1 else { return packed }
    let small = RasterSize(width: (width + side - 1) / side, height: (height + side - 1) / side)
    let pixels: [UInt8] = samples.withUnsafeBytes { colors in
      nonisolated(unsafe) let colors = colors
      return filled(3 * small.pixelCount, rows: small.height, threads: threads) { rows, target in
        guard let colors = colors.bindMemory(to: UInt8.self).baseAddress else { return }
        plb_guided_reduce_colors(
          colors, rowStride, Int32(width), Int32(height), Int32(side), Int32(rows.lowerBound),
          Int32(rows.upperBound), target)
      }
    }
    return Raster(size: small, pixels: pixels)
  }
}
