internal import CKernels
internal import PlumblineModel

extension Raster<UInt8> {
  /// The levels at another size, bilinear, rounded half up; the border is repeated outside.
  ///
  /// - Precondition: Both sizes have pixels. O(*n*) of the result.
  func interpolated(to target: RasterSize, threads: Int) -> Raster<UInt8> {
    if target == size { return packed }
    let columns = UpsamplingAxis(from: width, to: target.width)
    let rows = UpsamplingAxis(from: height, to: target.height)
    let left = columns.first.map { min(max($0, 0), Int32(width - 1)) }
    let right = columns.first.map { min(max($0 + 1, 0), Int32(width - 1)) }
    let levels = [UInt8](unsafeUninitializedCapacity: target.pixelCount) { result, count in
      samples.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, let result = result.baseAddress else { return }
        let bands = (target.height + 63) / 64
        forEachConcurrently(bands, threads: threads) { band in
          for y in band * 64..<Swift.min(band * 64 + 64, target.height) {
            let upper = min(max(Int(rows.first[y]), 0), height - 1)
            let lower = min(max(Int(rows.first[y]) + 1, 0), height - 1)
            plb_upsample_levels(
              source + upper * rowStride, source + lower * rowStride, rows.shares[y], left, right,
              columns.shares, target.width, result + y * target.width)
          }
        }
      }
      count = target.pixelCount
    }
    return Raster(size: target, samples: levels)
  }
}
