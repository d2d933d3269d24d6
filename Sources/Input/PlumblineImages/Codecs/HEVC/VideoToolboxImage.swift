#if canImport(VideoToolbox)
  import CoreVideo
  import PlumblineIO
  import PlumblineModel
  import Synchronization

  /// The image that VideoToolbox gives, perhaps on a thread of its own; not tested.
  final class VideoToolboxImage: Sendable {
    private let outcome = Mutex<Result<[UInt8], HEVCDecoderFailure>?>(nil)

    /// Copies the codes of an image, which is not used after the call.
    func take(
      _ image: CVImageBuffer?, _ status: OSStatus, _ parameters: SequenceParameterSet,
      _ path: [String]
    ) {
      let result: Result<[UInt8], HEVCDecoderFailure> =
        if status != 0 {
          .failure(.status(status, step: "decoding"))
        } else if let image {
          Self.bytes(of: image, parameters, path)
        } else {
          .failure(.noImage)
        }
      outcome.withLock { $0 = result }
    }

    /// The codes in the layout of ``PackedPlanes``.
    ///
    /// - Throws: Why there are none.
    func bytes() throws(HEVCDecoderFailure) -> [UInt8] {
      guard let result = outcome.withLock({ $0 }) else { throw .noImage }
      return try result.get()
    }

    private static func bytes(
      of image: CVPixelBuffer, _ parameters: SequenceParameterSet, _ path: [String]
    ) -> Result<[UInt8], HEVCDecoderFailure> {
      let locked = CVPixelBufferLockBaseAddress(image, .readOnly)
      guard locked == 0 else { return .failure(.status(locked, step: "opening the image")) }
      defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
      let size = RasterSize(
        width: CVPixelBufferGetWidth(image), height: CVPixelBufferGetHeight(image))
      var planes: [HEVCPixelBuffer.Plane] = []
      // A format without planes counts none.
      let count = CVPixelBufferGetPlaneCount(image)
      if count == 0 {
        planes.append(
          plane(
            CVPixelBufferGetBaseAddress(image), CVPixelBufferGetBytesPerRow(image), size))
      }
      for index in 0..<count {
        planes.append(
          plane(
            CVPixelBufferGetBaseAddressOfPlane(image, index),
            CVPixelBufferGetBytesPerRowOfPlane(image, index),
            RasterSize(
              width: CVPixelBufferGetWidthOfPlane(image, index),
              height: CVPixelBufferGetHeightOfPlane(image, index))))
      }
      let buffer = HEVCPixelBuffer(
        formatCode: CVPixelBufferGetPixelFormatType(image), size: size, planes: planes)
      do throws(CaptureReadingError) {
        return .success(try buffer.packed(as: parameters, path: path))
      } catch {
        return .failure(.unfit(error))
      }
    }

    /// A plane; without memory it has no bytes, which no size fits.
    private static func plane(
      _ start: UnsafeMutableRawPointer?, _ bytesPerRow: Int, _ size: RasterSize
    ) -> HEVCPixelBuffer.Plane {
      let bytes = UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : bytesPerRow * size.height)
      return HEVCPixelBuffer.Plane(bytes: bytes, bytesPerRow: bytesPerRow, size: size)
    }
  }
#endif
