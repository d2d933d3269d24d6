#if os(iOS)
  internal import CoreVideo
  internal import PlumblineModel

  extension DepthRecord {
    /// A depth map from a pixel buffer; `nil` for pixels that are not depth.
    init?(_ buffer: CVPixelBuffer, accuracy: Accuracy) {
      guard let type = DepthPixelType(fourCharacterCode: CVPixelBufferGetPixelFormatType(buffer)),
        let values = buffer.withPlane(
          0,
          { bytes, bytesPerRow, size in
            Values(bytes: bytes, bytesPerRow: bytesPerRow, size: size, type: type)
          })
      else { return nil }
      self.init(values: values, storedType: type.rawValue, accuracy: accuracy)
      nativeType = type.rawValue
    }
  }

  extension CVBuffer {
    /// The image of a buffer with luma and chroma; `nil` for a format that was not requested.
    var biplanarImage: BiplanarImage? {
      switch CVPixelBufferGetPixelFormatType(self) {
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: biplanar(.full)
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: biplanar(.video)
      default: nil
      }
    }

    /// The weights of the colors that the buffer states; those of BT.601 if it states none.
    private var matrix: BiplanarImage.Matrix {
      let stated = CVBufferCopyAttachment(self, kCVImageBufferYCbCrMatrixKey, nil) as? String
      return stated.flatMap { BiplanarImage.Matrix(rawValue: $0) } ?? .bt601
    }

    /// Levels with one byte per pixel, such as ARKit's confidence.
    var levels: Raster<UInt8>? {
      withPlane(0) { bytes, bytesPerRow, size in
        Raster<UInt8>(bytes: bytes, bytesPerRow: bytesPerRow, size: size)
      }
    }

    private func biplanar(_ range: BiplanarImage.LumaRange) -> BiplanarImage? {
      guard
        let luma = withPlane(0, { Raster<UInt8>(bytes: $0, bytesPerRow: $1, size: $2) }),
        let chroma = withPlane(1, { Raster<UInt16>(bytes: $0, bytesPerRow: $1, size: $2) })
      else { return nil }
      return BiplanarImage(luma: luma, chroma: chroma, range: range, matrix: matrix)
    }

    /// Gives access to the memory of a plane; `nil` if the buffer cannot be locked.
    fileprivate func withPlane<Result>(
      _ plane: Int, _ body: (UnsafeRawBufferPointer, Int, RasterSize) -> Result?
    ) -> Result? {
      guard CVPixelBufferLockBaseAddress(self, .readOnly) == kCVReturnSuccess else { return nil }
      defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
      let hasPlanes = CVPixelBufferGetPlaneCount(self) > 0
      guard hasPlanes || plane == 0,
        let base = hasPlanes
          ? CVPixelBufferGetBaseAddressOfPlane(self, plane) : CVPixelBufferGetBaseAddress(self)
      else { return nil }
      let bytesPerRow =
        hasPlanes
        ? CVPixelBufferGetBytesPerRowOfPlane(self, plane) : CVPixelBufferGetBytesPerRow(self)
      let size = RasterSize(
        width: hasPlanes
          ? CVPixelBufferGetWidthOfPlane(self, plane) : CVPixelBufferGetWidth(self),
        height: hasPlanes
          ? CVPixelBufferGetHeightOfPlane(self, plane) : CVPixelBufferGetHeight(self))
      let bytes = UnsafeRawBufferPointer(start: base, count: bytesPerRow * size.height)
      return body(bytes, bytesPerRow, size)
    }
  }
#endif
