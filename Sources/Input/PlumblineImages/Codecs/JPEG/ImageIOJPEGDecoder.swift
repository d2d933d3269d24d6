import PlumblineIO

#if !canImport(CTurboJPEG) && canImport(ImageIO)
  import CoreGraphics
  import ImageIO
  public import PlumblineModel

  #if !canImport(FoundationEssentials)
    import Foundation
  #endif

  /// Decodes JPEG with ImageIO on Apple platforms; not tested on a device.
  package struct ImageIOJPEGDecoder: JPEGDecoding {
    /// Creates a decoder; it keeps no state between images.
    package init() {}

    /// Decodes luma only.
    package func luma(
      of image: JPEGImage, size: RasterSize
    ) throws(CaptureReadingError) -> Raster<UInt8> {
      let samples = try Self.drawn(
        image, size: size, type: UInt8.self, space: CGColorSpaceCreateDeviceGray(),
        bytesPerPixel: 1)
      return Raster(size: size, samples: samples)
    }

    /// Decodes color; a reduced image is drawn at the reduced size.
    package func color(
      of image: JPEGImage, size: RasterSize, scale: JPEGScale
    ) throws(CaptureReadingError) -> DecodedColorJPEG {
      let scaled = scale.applied(to: size)
      // Core Graphics does not draw 24-bit pixels, so a fourth byte is dropped afterwards.
      let words = try Self.drawn(
        image, size: scaled, type: UInt32.self, space: CGColorSpaceCreateDeviceRGB(),
        bytesPerPixel: 4)
      let raster = Raster(size: scaled, samples: words).map { word in
        RGB8(
          red: UInt8(truncatingIfNeeded: word), green: UInt8(truncatingIfNeeded: word >> 8),
          blue: UInt8(truncatingIfNeeded: word >> 16))
      }
      return DecodedColorJPEG(raster: raster, notes: [])
    }

    private static func drawn<Sample: BitwiseCopyable & FixedWidthInteger>(
      _ image: JPEGImage, size: RasterSize, type: Sample.Type, space: CGColorSpace,
      bytesPerPixel: Int
    ) throws(CaptureReadingError) -> [Sample] {
      let error = CaptureReadingError(
        .malformed, path: ["JPEG"], offset: image.range.lowerBound,
        expected: "a JPEG image that ImageIO can decode", found: "none")
      guard
        let source = CGImageSourceCreateWithData(Data(image.bytes) as CFData, nil),
        CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete,
        let decoded = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { throw error }
      var samples = [Sample](repeating: 0, count: size.pixelCount)
      let info =
        bytesPerPixel == 1
        ? CGImageAlphaInfo.none.rawValue : CGImageAlphaInfo.noneSkipLast.rawValue
      let isDrawn = samples.withUnsafeMutableBytes { buffer in
        let context = CGContext(
          data: buffer.baseAddress, width: size.width, height: size.height, bitsPerComponent: 8,
          bytesPerRow: size.width * bytesPerPixel, space: space, bitmapInfo: info)
        context?.draw(decoded, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
        return context != nil
      }
      guard isDrawn else { throw error }
      return samples
    }
  }
#endif
