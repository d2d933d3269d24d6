#if canImport(CoreML)
  package import CoreVideo
  package import PlumblineModel

  extension CVBuffer {
    /// A pixel buffer of 32 bits a pixel, blue first.
    ///
    /// - Parameters:
    ///   - size: The columns and rows.
    ///   - write: Fills the rows, whose starts lie the given number of bytes apart.
    /// - Returns: The buffer; `nil` where there is no memory for it or `write` refuses.
    package static func image(
      size: RasterSize,
      _ write: (_ memory: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) -> Bool
    ) -> CVPixelBuffer? {
      var made: CVPixelBuffer?
      guard
        CVPixelBufferCreate(
          nil, size.width, size.height, kCVPixelFormatType_32BGRA, nil, &made) == kCVReturnSuccess,
        let buffer = made, CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess
      else { return nil }
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
      guard let start = CVPixelBufferGetBaseAddress(buffer) else { return nil }
      let memory = UnsafeMutableRawBufferPointer(
        start: start, count: bytesPerRow * CVPixelBufferGetHeight(buffer))
      return write(memory, bytesPerRow) ? buffer : nil
    }

    /// An image as a pixel buffer; `nil` without memory.
    package static func image(_ image: Raster<RGB8>) -> CVPixelBuffer? {
      self.image(size: image.size) { memory, bytesPerRow in
        BGRABytes.write(image, to: memory, bytesPerRow: bytesPerRow)
      }
    }

    /// The numbers of an image of one channel; `nil` for other pixels.
    var grayTensor: Tensor? {
      guard let type = GrayPixelType(rawValue: CVPixelBufferGetPixelFormatType(self)),
        CVPixelBufferLockBaseAddress(self, .readOnly) == kCVReturnSuccess
      else { return nil }
      defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
      let bytesPerRow = CVPixelBufferGetBytesPerRow(self)
      let size = RasterSize(
        width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self))
      guard let start = CVPixelBufferGetBaseAddress(self) else { return nil }
      return type.tensor(
        UnsafeRawBufferPointer(start: start, count: bytesPerRow * size.height),
        bytesPerRow: bytesPerRow, size: size)
    }
  }
#endif
