internal import CKernels
internal import PlumblineModel

extension Raster where Sample == UInt8 {
  /// At another size by linear interpolation, pixel centers matched; O(*n*) of the result.
  func resized(to target: RasterSize, threads: Int) -> Raster<UInt8> {
    if target == size { return packed }
    return Raster<UInt8>(size: target, samples: resizedBytes(self, 1, target, threads: threads))
  }

  /// The mean of windows of 2·radius + 1 squared, the border continued, `passes` times: three come
  /// within a few percent of a Gaussian of σ = √(radius·(radius + 1)).
  func boxBlurred(radius: Int, passes: Int, threads: Int) -> Raster<UInt8> {
    let radius = min(radius, 1000)
    guard radius > 0, size.pixelCount > 0 else { return packed }
    return Raster<UInt8>(
      size: size, samples: boxBlurredBytes(self.packed, 1, radius, passes, threads: threads))
  }
}

extension Raster where Sample == RGB8 {
  /// At another size by linear interpolation, pixel centers matched; O(*n*) of the result.
  func resized(to target: RasterSize, threads: Int) -> Raster<RGB8> {
    if target == size { return packed }
    return Raster<RGB8>(size: target, pixels: resizedBytes(self, 3, target, threads: threads))
  }

  /// The mean of windows of 2·radius + 1 squared, the border continued, `passes` times.
  func boxBlurred(radius: Int, passes: Int, threads: Int) -> Raster<RGB8> {
    let radius = min(radius, 1000)
    guard radius > 0, size.pixelCount > 0 else { return packed }
    return Raster<RGB8>(
      size: size, pixels: boxBlurredBytes(self.packed, 3, radius, passes, threads: threads))
  }

  /// Pixels from three bytes each.
  init(size: RasterSize, pixels: [UInt8]) {
    let samples = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      count = size.pixelCount
      UnsafeMutableRawBufferPointer(buffer).copyBytes(from: pixels.prefix(3 * count))
    }
    self.init(size: size, samples: samples)
  }
}

private func resizedBytes<Sample>(
  _ raster: Raster<Sample>, _ channels: Int, _ target: RasterSize, threads: Int
) -> [UInt8] {
  raster.samples.withUnsafeBytes { source in
    nonisolated(unsafe) let source = source
    let (size, stride) = (raster.size, raster.rowStride)
    return filled(channels * target.pixelCount, rows: target.height, threads: threads) {
      rows, result in
      guard let source = source.bindMemory(to: UInt8.self).baseAddress else { return }
      plb_mask_resize(
        source, stride, Int32(size.width), Int32(size.height), Int32(channels),
        Int32(target.width), Int32(target.height), Int32(rows.lowerBound), Int32(rows.upperBound),
        result)
    }
  }
}

private func boxBlurredBytes<Sample>(
  _ raster: Raster<Sample>, _ channels: Int, _ radius: Int, _ passes: Int, threads: Int
) -> [UInt8] {
  let (width, height) = (raster.width, raster.height)
  let row = channels * width
  var bytes = raster.samples.withUnsafeBytes { [UInt8]($0) }
  for _ in 0..<passes {
    let across: [UInt8] = bytes.withUnsafeBufferPointer { source in
      nonisolated(unsafe) let source = source
      return filled(row * height, rows: height, threads: threads) { rows, target in
        guard let source = source.baseAddress else { return }
        plb_mask_box_rows(
          source, Int32(width), Int32(channels), Int32(radius), Int32(rows.lowerBound),
          Int32(rows.upperBound), target)
      }
    }
    bytes = across.withUnsafeBufferPointer { source in
      nonisolated(unsafe) let source = source
      return filled(row * height, rows: height, threads: threads) { rows, target in
        guard let source = source.baseAddress else { return }
        var sums = [UInt32](repeating: 0, count: row)
        plb_mask_box_columns(
          source, Int32(row), Int32(height), Int32(radius), Int32(rows.lowerBound),
          Int32(rows.upperBound), &sums, target)
      }
    }
  }
  return bytes
}
