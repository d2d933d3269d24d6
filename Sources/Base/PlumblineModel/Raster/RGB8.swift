import CKernels

/// One color pixel of 8 bits a channel, non-linear (as stored), without alpha.
///
/// Three bytes without padding, so that a `Raster<RGB8>` lies in memory as codecs write it.
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
  /// Of stored, non-linear values, as decoders and OpenCV's `COLOR_RGB2GRAY` have it. The weights
  /// are taken in units of 1/65536, which rounds otherwise than exact ones only at halves.
  /// - Source: ITU-R BT.601-7, 2.5.1, whose luma JPEG and HEIC files use too.
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
