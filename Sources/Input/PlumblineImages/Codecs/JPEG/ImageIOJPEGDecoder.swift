#if !canImport(CTurboJPEG) && canImport(ImageIO)
  import CoreGraphics
  import Foundation
  import ImageIO
  package import PlumblineIO
  package import PlumblineModel

  /// Decodes JPEG with the system's ImageIO; not yet tested on a device.
  ///
  /// ImageIO reports no damage if the image is complete; the checks of the header and the scans run
  /// before. The pixels are those of the decoder in the file's own color space. The inverse transform
  /// of JPEG may be rounded in several ways, so a code can differ by 1 from libjpeg-turbo's.
  package struct ImageIOJPEGDecoder: JPEGDecoding {
    /// Creates a decoder; it keeps no state between images.
    package init() {}

    /// Decodes luma only; an image with color is refused, since its luma would be computed.
    package func luma(
      of image: JPEGImage, size: RasterSize
    ) throws(CaptureReadingError) -> Raster<UInt8> {
      try Self.decoded(image, size: size).gray(path: ["JPEG"])
    }

    /// Decodes color; a reduced image has the means of the pixels.
    package func color(
      of image: JPEGImage, size: RasterSize, scale: JPEGScale
    ) throws(CaptureReadingError) -> DecodedColorJPEG {
      let raster = try Self.decoded(image, size: size).color(path: ["JPEG"])
      let scaled = scale.applied(to: size)
      return DecodedColorJPEG(
        raster: scale == .full ? raster : raster.averaged(to: scaled), notes: [])
    }

    private static func decoded(
      _ image: JPEGImage, size: RasterSize
    ) throws(CaptureReadingError) -> DecodedImageMemory {
      let error = CaptureReadingError(
        .malformed, path: ["JPEG"], offset: image.range.lowerBound,
        expected: "a JPEG image of \(size) that ImageIO can decode", found: "none")
      guard
        let source = CGImageSourceCreateWithData(Data(image.bytes) as CFData, nil),
        CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete,
        let decoded = CGImageSourceCreateImageAtIndex(source, 0, nil),
        decoded.width == size.width, decoded.height == size.height,
        let bytes = decoded.dataProvider?.data
      else { throw error }
      let fourthByte: DecodedImageMemory.FourthByte =
        switch decoded.alphaInfo {
        case .noneSkipFirst, .first, .premultipliedFirst: .first
        case .noneSkipLast, .last, .premultipliedLast: .last
        default: .none
        }
      let layout = DecodedImageMemory.Layout(
        bitsPerComponent: decoded.bitsPerComponent, bitsPerPixel: decoded.bitsPerPixel,
        fourthByte: fourthByte, isReversed: decoded.byteOrderInfo == .order32Little)
      return DecodedImageMemory(
        size: size, layout: layout, bytesPerRow: decoded.bytesPerRow, bytes: [UInt8](bytes as Data))
    }
  }
#endif
