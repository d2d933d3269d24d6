package import PlumblineModel

/// A color image as luma and chroma of half the columns and rows (4:2:0), BT.601 at full range as
/// phones store photos.
package struct HalvedChroma: Sendable {
  /// Luma, padded to even columns and rows by repeating the last.
  package private(set) var luma: [UInt8]
  /// Blue less luma, 128 for none.
  package private(set) var blue: [UInt8]
  /// Red less luma, 128 for none.
  package private(set) var red: [UInt8]
  /// The columns and rows of luma, both even.
  package let size: RasterSize

  /// All three planes, one after the other.
  package var bytes: [UInt8] { luma + blue + red }

  /// Converts a window of an image; columns and rows beyond its edge repeat the last.
  ///
  /// Chroma is that of the mean color of four pixels. Rounded to the nearest code; O(*n*).
  ///
  /// - Source: ITU-R BT.601: Y = 0.299 R + 0.587 G + 0.114 B, Cb = (B − Y)/1.772 and
  ///   Cr = (R − Y)/1.402; at full range as in JFIF.
  /// - Precondition: The window has even sides and starts inside the image.
  package init(_ image: Raster<RGB8>, x: Int, y: Int, size: RasterSize) {
    precondition(size.width % 2 == 0 && size.height % 2 == 0, "chroma of half of \(size)")
    precondition(image.contains(x: x, y: y), "a window that starts outside")
    self.size = size
    luma = [UInt8](repeating: 0, count: size.pixelCount)
    blue = [UInt8](repeating: 0, count: size.pixelCount / 4)
    red = blue
    let (stride, width, height) = (image.rowStride, image.width, image.height)
    luma.withUnsafeMutableBufferPointer { luma in
      blue.withUnsafeMutableBufferPointer { blue in
        red.withUnsafeMutableBufferPointer { red in
          image.samples.withUnsafeBufferPointer { pixels in
            for row in Swift.stride(from: 0, to: size.height, by: 2) {
              let first = min(y + row, height - 1) * stride
              let second = min(y + row + 1, height - 1) * stride
              for column in Swift.stride(from: 0, to: size.width, by: 2) {
                let left = min(x &+ column, width - 1)
                let right = min(x &+ column &+ 1, width - 1)
                let four = (
                  pixels[first &+ left], pixels[first &+ right], pixels[second &+ left],
                  pixels[second &+ right]
                )
                let place = row &* size.width &+ column
                luma[place] = Self.luma(four.0)
                luma[place &+ 1] = Self.luma(four.1)
                luma[place &+ size.width] = Self.luma(four.2)
                luma[place &+ size.width &+ 1] = Self.luma(four.3)
                let r =
                  Int32(four.0.red) &+ Int32(four.1.red) &+ Int32(four.2.red)
                  &+ Int32(four.3.red)
                let g =
                  Int32(four.0.green) &+ Int32(four.1.green) &+ Int32(four.2.green)
                  &+ Int32(four.3.green)
                let b =
                  Int32(four.0.blue) &+ Int32(four.1.blue) &+ Int32(four.2.blue)
                  &+ Int32(four.3.blue)
                let half = (row >> 1) &* (size.width >> 1) &+ (column >> 1)
                blue[half] = Self.chroma(-11_058 &* r &- 21_710 &* g &+ 32_768 &* b)
                red[half] = Self.chroma(32_768 &* r &- 27_439 &* g &- 5_329 &* b)
              }
            }
          }
        }
      }
    }
  }

  /// Factors of 2⁻¹⁶ that add up to 1, so that gray stays what it is.
  @inline(__always)
  private static func luma(_ pixel: RGB8) -> UInt8 {
    let sum =
      19_595 &* Int32(pixel.red) &+ 38_470 &* Int32(pixel.green)
      &+ 7_471 &* Int32(pixel.blue)
    return UInt8(truncatingIfNeeded: (sum &+ 32_768) &>> 16)
  }

  /// From four times the code at factors of 2⁻¹⁶ that add up to 0; at most 127.5, hence the limit.
  @inline(__always)
  private static func chroma(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, (sum &+ (128 << 18) &+ (1 << 17)) &>> 18))
  }
}
