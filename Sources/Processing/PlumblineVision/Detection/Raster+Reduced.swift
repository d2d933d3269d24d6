package import PlumblineModel

extension Raster where Sample == UInt8 {
  /// The image reduced by a whole factor, each pixel the rounded mean of a square; O(*n*).
  ///
  /// Columns and rows that fill no square are left out.
  /// - Precondition: The factor is at least 1.
  package func reduced(by factor: Int) -> Raster {
    precondition(factor >= 1, "an image cannot be reduced by \(factor)")
    guard factor > 1 else { return self }
    let target = RasterSize(width: width / factor, height: height / factor)
    let area = UInt32(factor * factor)
    var sums = [UInt32](repeating: 0, count: target.width * factor)
    let reduced = [UInt8](unsafeUninitializedCapacity: target.pixelCount) { result, count in
      samples.withUnsafeBufferPointer { samples in
        sums.withUnsafeMutableBufferPointer { sums in
          for y in 0..<target.height {
            for x in sums.indices { sums[x] = 0 }
            for row in y * factor..<(y + 1) * factor {
              let start = row * rowStride
              for x in sums.indices { sums[x] &+= UInt32(samples[start &+ x]) }
            }
            for x in 0..<target.width {
              var sum = area / 2
              for step in 0..<factor { sum &+= sums[x &* factor &+ step] }
              result[count] = UInt8(truncatingIfNeeded: sum / area)
              count += 1
            }
          }
        }
      }
    }
    return Raster(size: target, samples: reduced)
  }
}
