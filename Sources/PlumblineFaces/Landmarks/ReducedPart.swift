internal import CFaceKernels
internal import PlumblineModel

/// The part of a picture under a crop, with squares of pixels averaged, and the crop on it.
struct ReducedPart {
  let picture: Raster<RGB8>
  let crop: FaceCrop

  /// Sums of larger squares would not fit the kernel's 16 bits.
  static let greatestFactor = 128

  /// Averages squares of `factor` × `factor` pixels.
  ///
  /// The part is the upright box around the crop, and ends where the picture ends; up to `factor` − 1 columns
  /// and rows there that fill no square are left out.
  ///
  /// - Returns: `nil` where the crop and the picture share no square.
  /// - Precondition: `factor` is 1…128.
  init?(of crop: FaceCrop, in picture: Raster<RGB8>, by factor: Int, threads: Int) {
    precondition((1...Self.greatestFactor).contains(factor), "squares of \(factor) pixels")
    // Two squares more for the interpolation.
    let reach =
      crop.sidePixels / 2 * (abs(crop.right.x) + abs(crop.right.y)) + Float(2 * factor)
    func bounds(_ center: Float, _ length: Int) -> Range<Int>? {
      let low = max(0, min(Float(length), center - reach))
      let high = max(0, min(Float(length), center + reach))
      guard low.isFinite, high.isFinite else { return nil }
      let start = Int(low)
      let count = (Int(high.rounded(.up)) - start) / factor
      return count > 0 ? start..<(start + count * factor) : nil
    }
    guard let columns = bounds(crop.center.x, picture.width),
      let rows = bounds(crop.center.y, picture.height)
    else { return nil }
    let size = RasterSize(width: columns.count / factor, height: rows.count / factor)
    let lines = LineChoice(factor)
    let samples = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { result, filled in
      picture.samples.withUnsafeBytes { bytes in
        let start = 3 * (rows.lowerBound * picture.rowStride + columns.lowerBound)
        UnsafeMutableRawBufferPointer(result).withMemoryRebound(to: UInt8.self) { target in
          let source = bytes.bindMemory(to: UInt8.self).baseAddress.map { $0 + start }
          forEachConcurrently(threads, threads: threads) { part in
            let first = size.height * part / threads
            let count = size.height * (part + 1) / threads - first
            var sums = [UInt16](repeating: 0, count: 3 * columns.count + 2)
            plb_face_reduce(
              source.map { $0 + 3 * first * factor * picture.rowStride }, picture.rowStride,
              Int32(factor), Int32(lines.start), Int32(lines.step), Int32(lines.count),
              Int32(size.width), Int32(count), &sums,
              target.baseAddress.map { $0 + 3 * first * size.width })
          }
        }
      }
      filled = size.pixelCount
    }
    self.picture = Raster(size: size, samples: samples)
    // Pixel centers are whole numbers: the first square's center is (factor − 1)/2 from its first pixel.
    let first = SIMD2(
      Float(columns.lowerBound) + Float(factor - 1) / 2, Float(rows.lowerBound) + lines.center)
    self.crop = FaceCrop(
      center: (crop.center - first) / Float(factor), sidePixels: crop.sidePixels / Float(factor),
      rotationRadians: crop.rotationRadians)
  }
}

/// Which lines of a square of pixels are read.
///
/// All up to 5, then about four: a square's mean hardly changes by the others, and reading them takes longer
/// than all other work on large photos.
struct LineChoice {
  let start: Int
  let step: Int
  let count: Int

  init(_ side: Int) {
    step = max(1, side / 3)
    count = (side + step - 1) / step
    start = (side - 1 - (count - 1) * step) / 2
  }

  /// The mean of the lines that are read.
  var center: Float { Float(start) + Float((count - 1) * step) / 2 }
}
