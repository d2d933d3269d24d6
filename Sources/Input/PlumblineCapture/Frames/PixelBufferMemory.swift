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
