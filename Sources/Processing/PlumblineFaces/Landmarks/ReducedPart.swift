internal import CKernels
package import PlumblineModel

/// A part of an image with squares of pixels averaged.
package struct ReducedPart: Sendable {
  package let image: Raster<RGB8>
  private let factor: Int
  private let columns: Range<Int>
  private let rows: Range<Int>
  private let size: RasterSize
  /// The center of the first square, in pixels of the whole image.
  private let first: SIMD2<Float>

  /// Sums of larger squares would not fit the kernel's 16 bits.
  static let maximumFactor = 256
  /// Reading fewer pixels takes less time than waking a thread for them.
  static let leastPixelsOfThread = 1 << 18
  /// How much longer than a crop a part is that another crop may need: the second look at a face needs up to 1.2
  /// times the side of the first.
  static let roomForNext: Float = 1.2

  /// Averages squares of `factor` × `factor` pixels.
  ///
  /// The part is the upright box around the crop, its sides made `room` times as long, and ends where the image
  /// ends; up to `factor` − 1 columns and rows there that fill no square are left out.
  ///
  /// - Returns: `nil` where the crop and the image share no square.
  /// - Precondition: `factor` is 2…256.
  init?(
    of crop: FaceCrop, in image: Raster<RGB8>, by factor: Int, room: Float = 1, threads: Int
  ) {
    precondition((2...Self.maximumFactor).contains(factor), "squares of \(factor) pixels")
    var crop = crop
    crop.sidePixels *= room
    guard let (columns, rows) = Self.area(of: crop, in: image.size, by: factor) else {
      return nil
    }
    let size = RasterSize(width: columns.count / factor, height: rows.count / factor)
    let lines = LineChoice(factor)
    let parts = max(
      1, min(threads, size.height * LineChoice.count * columns.count / Self.leastPixelsOfThread))
    let samples = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { result, filled in
      image.samples.withUnsafeBytes { bytes in
        let start = 3 * (rows.lowerBound * image.rowStride + columns.lowerBound)
        UnsafeMutableRawBufferPointer(result).withMemoryRebound(to: UInt8.self) { target in
          let source = bytes.bindMemory(to: UInt8.self).baseAddress.map { $0 + start }
          forEachConcurrently(parts, threads: parts) { part in
            let first = size.height * part / parts
            let count = size.height * (part + 1) / parts - first
            var sums = [UInt16](repeating: 0, count: 3 * columns.count + 5)
            var totals = [Float](repeating: 0, count: 3 * size.width + 1)
            plb_face_reduce(
              source.map { $0 + 3 * first * factor * image.rowStride }, image.rowStride,
              Int32(factor), Int32(lines.start), Int32(lines.step),
              Int32(size.width), Int32(count), &sums, &totals,
              target.baseAddress.map { $0 + 3 * first * size.width })
          }
        }
      }
      filled = size.pixelCount
    }
    self.image = Raster(size: size, samples: samples)
    self.factor = factor
    self.columns = columns
    self.rows = rows
    self.size = image.size
    // Pixel centers are whole numbers: the first square's center is (factor − 1)/2 from its first pixel.
    first = SIMD2(
      Float(columns.lowerBound) + Float(factor - 1) / 2, Float(rows.lowerBound) + lines.center)
  }

  /// The crop on the part.
  func crop(_ crop: FaceCrop) -> FaceCrop {
    FaceCrop(
      center: (crop.center - first) / Float(factor), sidePixels: crop.sidePixels / Float(factor),
      rotationRadians: crop.rotationRadians)
  }

  /// Whether the part has all of a crop, in squares about as large as requested.
  func shows(_ crop: FaceCrop, by factor: Int) -> Bool {
    guard 4 * self.factor >= 3 * factor, 4 * self.factor <= 5 * factor,
      let (columns, rows) = Self.area(of: crop, in: size, by: self.factor)
    else { return false }
    return Self.has(self.columns, columns, self.factor) && Self.has(self.rows, rows, self.factor)
  }

  /// Ranges are cut to whole squares from their own start: up to one may be missing at the end.
  private static func has(_ range: Range<Int>, _ part: Range<Int>, _ factor: Int) -> Bool {
    range.lowerBound <= part.lowerBound && part.upperBound < range.upperBound + factor
  }

  /// The columns and rows of whole squares around a crop, with two squares more for the interpolation.
  private static func area(
    of crop: FaceCrop, in size: RasterSize, by factor: Int
  ) -> (columns: Range<Int>, rows: Range<Int>)? {
    let reach = crop.sidePixels / 2 * (abs(crop.right.x) + abs(crop.right.y)) + Float(2 * factor)
    func bounds(_ center: Float, _ length: Int) -> Range<Int>? {
      let low = max(0, min(Float(length), center - reach))
      let high = max(0, min(Float(length), center + reach))
      guard low.isFinite, high.isFinite else { return nil }
      let start = Int(low)
      let count = (Int(high.rounded(.up)) - start) / factor
      return count > 0 ? start..<(start + count * factor) : nil
    }
    guard let columns = bounds(crop.center.x, size.width),
      let rows = bounds(crop.center.y, size.height)
    else { return nil }
    return (columns, rows)
  }
}

/// Which lines of a square of pixels are read.
///
/// Two: with all columns that is more than the networks were trained with, whose inputs were interpolated without
/// any mean, and reading more takes longer than all other work on large photos.
struct LineChoice {
  static let count = 2
  let start: Int
  let step: Int

  /// - Precondition: The side is 2 or more.
  init(_ side: Int) {
    step = (side + 1) / 2
    start = (side - 1 - step) / 2
  }

  /// The mean of the lines that are read.
  var center: Float { Float(start) + Float(step) / 2 }
}
