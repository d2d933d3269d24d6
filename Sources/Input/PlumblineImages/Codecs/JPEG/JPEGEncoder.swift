package import PlumblineIO
package import PlumblineModel

#if canImport(CTurboJPEG)
  import CTurboJPEG
#elseif canImport(ImageIO)
  import CoreGraphics
  import Foundation
  import ImageIO
#endif

/// Writes baseline JPEG images (SOF0, 8 bits) without metadata.
///
/// One version of libjpeg-turbo gives the same bytes for the same pixels on every run.
package struct JPEGEncoder: Sendable {
  /// The subsampling of the two color differences against luma.
  package enum ChromaSampling: Sendable {
    /// One for each pixel (4:4:4).
    case full
    /// One for two by two pixels (4:2:0), as phones do.
    case quarter
  }

  /// The maximum side for this codec, in pixels.
  package static let maximumSide = 65_500

  /// The quality, 1 (worst) to 100 (best).
  package var quality: Int
  /// The subsampling of color differences.
  package var chromaSampling: ChromaSampling

  /// Creates an encoder.
  ///
  /// - Precondition: `quality` is from 1 to 100.
  package init(quality: Int, chromaSampling: ChromaSampling = .quarter) {
    precondition((1...100).contains(quality), "a JPEG quality of \(quality)")
    self.quality = quality
    self.chromaSampling = chromaSampling
  }

  /// One component, as Apple stores depth.
  ///
  /// - Precondition: Width and height are from 1 to 65,500. O(*n*).
  package func encoded(_ raster: Raster<UInt8>) throws(CaptureReadingError) -> [UInt8] {
    try compressed(raster, channels: 1)
  }

  /// Three components (Y, Cb, Cr in JFIF's full range).
  ///
  /// - Precondition: Width and height are from 1 to 65,500. O(*n*).
  package func encoded(_ raster: Raster<RGB8>) throws(CaptureReadingError) -> [UInt8] {
    try compressed(raster, channels: 3)
  }
}

#if canImport(CTurboJPEG)
  extension JPEGEncoder {
    private func compressed<Sample>(
      _ raster: Raster<Sample>, channels: Int
    ) throws(CaptureReadingError) -> [UInt8] {
      let sides = 1...Self.maximumSide
      precondition(
        sides.contains(raster.width) && sides.contains(raster.height),
        "JPEG cannot hold \(raster.size)")
      let isGray = channels == 1
      let format = isGray ? TJPF_GRAY : TJPF_RGB
      let sampling =
        isGray ? TJSAMP_GRAY : chromaSampling == .full ? TJSAMP_444 : TJSAMP_420
      // All fit: sides are at most 65,500 and a row of them at most 196,500 bytes.
      let width = Int32(raster.width)
      let height = Int32(raster.height)
      let capacity = tjBufSize(width, height, Int32(sampling.rawValue))
      guard let handle = tjInitCompress(), capacity > 0, capacity < 1 << 32 else {
        throw CaptureReadingError(
          .limitExceeded, path: ["JPEG"], expected: "memory for an encoder", found: "none")
      }
      defer { tjDestroy(handle) }
      var status: Int32 = -1
      let packed = raster.packed.samples
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
        var target = buffer.baseAddress
        var size = UInt(buffer.count)
        status = packed.withUnsafeBytes { source in
          tjCompress2(
            handle, source.bindMemory(to: UInt8.self).baseAddress, width,
            width * Int32(channels), height, Int32(format.rawValue), &target, &size,
            Int32(sampling.rawValue), Int32(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
        }
        count = status == 0 ? Int(size) : 0
      }
      guard status == 0 else {
        let message = tjGetErrorStr2(handle).map { String(cString: $0) }
        throw CaptureReadingError(
          .unsupported, path: ["JPEG"], expected: "an image that libjpeg-turbo can write",
          found: message ?? "an unknown error")
      }
      return bytes
    }
  }
#elseif canImport(ImageIO)
  // Not tested on a device. The subsampling of chroma is that of the system.
  extension JPEGEncoder {
    private func compressed<Sample>(
      _ raster: Raster<Sample>, channels: Int
    ) throws(CaptureReadingError) -> [UInt8] {
      let data = raster.packed.samples.withUnsafeBytes { Data($0) }
      let space = channels == 1 ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB()
      let output = NSMutableData()
      guard let provider = CGDataProvider(data: data as CFData),
        let image = CGImage(
          width: raster.width, height: raster.height, bitsPerComponent: 8,
          bitsPerPixel: 8 * channels, bytesPerRow: raster.width * channels, space: space,
          bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider,
          decode: nil, shouldInterpolate: false, intent: .defaultIntent),
        let destination = CGImageDestinationCreateWithData(
          output, "public.jpeg" as CFString, 1, nil)
      else { throw failure("\(raster.size)") }
      let share = NSNumber(value: Double(quality) / 100)
      let properties = [kCGImageDestinationLossyCompressionQuality: share] as CFDictionary
      CGImageDestinationAddImage(destination, image, properties)
      guard CGImageDestinationFinalize(destination) else { throw failure("an incomplete file") }
      return [UInt8](Data(referencing: output))
    }

    private func failure(_ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .unsupported, path: ["JPEG"], expected: "an image that ImageIO can write", found: found)
    }
  }
#endif
