public import PlumblineModel

extension DepthRecord.Values {
  /// A depth or disparity map from the memory of a pixel buffer, without row padding.
  ///
  /// It is `nil` if the memory is too small, which happens with no camera. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The buffer's memory, in the host's byte order.
  ///   - bytesPerRow: The row stride in bytes.
  ///   - size: The number of columns and rows.
  ///   - type: The pixel type.
  package init?(
    bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: RasterSize, type: DepthPixelType
  ) {
    switch type {
    case .depth32:
      guard let raster = Raster<Float>(bytes: bytes, bytesPerRow: bytesPerRow, size: size) else {
        return nil
      }
      self = .depth(DepthMap(meters: raster))
    case .disparity32:
      guard let raster = Raster<Float>(bytes: bytes, bytesPerRow: bytesPerRow, size: size) else {
        return nil
      }
      self = .disparity(DisparityMap(inverseMeters: raster))
    case .depth16:
      guard let raster = Raster<UInt16>(bytes: bytes, bytesPerRow: bytesPerRow, size: size) else {
        return nil
      }
      self = .depth(DepthMap(halfPrecisionMeters: raster))
    case .disparity16:
      guard let raster = Raster<UInt16>(bytes: bytes, bytesPerRow: bytesPerRow, size: size) else {
        return nil
      }
      self = .disparity(DisparityMap(halfPrecisionInverseMeters: raster))
    }
  }
}

extension Raster {
  /// Samples from the memory of a pixel buffer, without row padding.
  ///
  /// It is `nil` if the memory is too small. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The memory, which need not be aligned.
  ///   - bytesPerRow: The row stride in bytes.
  ///   - size: The number of columns and rows.
  public init?(bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: RasterSize) {
    let rowBytes = size.width * MemoryLayout<Sample>.stride
    guard size.pixelCount > 0, bytesPerRow >= rowBytes,
      bytes.count >= bytesPerRow * (size.height - 1) + rowBytes
    else { return nil }
    let samples = [Sample](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      let target = UnsafeMutableRawBufferPointer(buffer)
      for y in 0..<size.height {
        let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)...].prefix(rowBytes))
        UnsafeMutableRawBufferPointer(rebasing: target[(y * rowBytes)...].prefix(rowBytes))
          .copyMemory(from: row)
      }
      count = size.pixelCount
    }
    self.init(size: size, samples: samples)
  }
}

/// A camera image with two planes, luma and half-resolution chroma (Cb before Cr), in the layout of
/// `kCVPixelFormatType_420YpCbCr8BiPlanar…`.
package struct BiplanarImage: Sendable {
  /// The range of luma: 0 to 255, or 16 to 235 as in video.
  package enum LumaRange: Sendable {
    /// 0 to 255; ARKit's `capturedImage`.
    case full
    /// 16 to 235, chroma 16 to 240.
    case video
  }

  /// Luma of every pixel.
  package var luma: Raster<UInt8>
  /// Pairs of chroma samples with Cb in the low byte; one for four pixels.
  package var chroma: Raster<UInt16>
  /// The range of the numbers.
  package var range: LumaRange

  /// Combines two planes.
  ///
  /// It is `nil` unless the chroma plane has half of luma's columns and rows, rounded up.
  package init?(luma: Raster<UInt8>, chroma: Raster<UInt16>, range: LumaRange) {
    guard chroma.width == (luma.width + 1) / 2, chroma.height == (luma.height + 1) / 2 else {
      return nil
    }
    self.luma = luma
    self.chroma = chroma
    self.range = range
  }

  /// The image in RGB.
  ///
  /// - Source: ITU-R BT.601-7: R = Y + 1.402·Cr, G = Y − 0.344136·Cb − 0.714136·Cr, B = Y +
  ///   1.772·Cb; Apple's sample code for ARKit uses the same matrix. O(*n*).
  package var rgb: Raster<RGB8> {
    let lumaScale: Float = range == .full ? 1 : 255 / 219
    let chromaScale: Float = range == .full ? 1 : 255 / 224
    let lumaStart: Float = range == .full ? 0 : 16
    func code(_ value: Float) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
    return Raster(size: luma.size) { x, y in
      let pair = chroma[x / 2, y / 2]
      let luma = (Float(luma[x, y]) - lumaStart) * lumaScale
      let blue = (Float(pair & 0xFF) - 128) * chromaScale
      let red = (Float(pair >> 8) - 128) * chromaScale
      return RGB8(
        red: code(luma + 1.402 * red), green: code(luma - 0.344136 * blue - 0.714136 * red),
        blue: code(luma + 1.772 * blue))
    }
  }
}

extension Raster<UInt32> {
  /// The color of `kCVPixelFormatType_32BGRA` pixels, with blue in the lowest byte; O(*n*).
  package var rgbFromBGRA: Raster<RGB8> {
    map { pixel in
      RGB8(
        red: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
        blue: UInt8(truncatingIfNeeded: pixel))
    }
  }
}
