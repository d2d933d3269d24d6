import CKernels

/// One color pixel with 8 bits per channel, non-linear (as stored), without alpha.
///
/// Three bytes without padding, so a `Raster<RGB8>` has the memory layout that codecs write.
public struct RGB8: BitwiseCopyable, Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// Creates a pixel from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

extension Raster where Sample == RGB8 {
  /// The gray level of each pixel, 0.299·R + 0.587·G + 0.114·B, rounded; O(*n*).
  ///
  /// It uses the stored, non-linear values, as decoders and OpenCV's `COLOR_RGB2GRAY` do. The
  /// weights are in units of 1/65536; this rounds differently from exact weights only at halves.
  /// - Source: ITU-R BT.601-7, 2.5.1; JPEG and HEIC files use the same luma.
  public var luma: Raster<UInt8> {
    let gray = [UInt8](unsafeUninitializedCapacity: size.pixelCount) { result, count in
      samples.withUnsafeBytes { bytes in
        guard let source = bytes.bindMemory(to: UInt8.self).baseAddress,
          let target = result.baseAddress
        else { return }
        for y in 0..<height {
          plb_luma(source + 3 * y * rowStride, width, target + y * width)
        }
      }
      count = size.pixelCount
    }
    return Raster<UInt8>(size: size, samples: gray)
  }
}
