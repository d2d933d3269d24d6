#if os(iOS)
  internal import CoreMedia
  internal import CoreVideo
  internal import Foundation
  internal import PlumblineModel
  internal import Synchronization
  internal import VideoToolbox

  /// Sets the color of captures from pixel buffers, with the device's JPEG encoder where files are
  /// wanted; used by one thread at a time.
  final class ColorFiles {
    private let quality: Int
    private var maker: ColorFileMaker
    private var encoder: VTCompressionSession?
    private var encoderSize: RasterSize?

    init(_ color: LiveColor) {
      quality = color.quality
      maker = ColorFileMaker(quality: quality)
    }

    deinit { if let encoder { VTCompressionSessionInvalidate(encoder) } }

    /// Sets color from a buffer of luma and chroma; leaves it out for other pixels.
    func setColor(_ pixels: CVPixelBuffer, as color: LiveColor, of capture: inout Capture) {
      guard let image = pixels.biplanarImage else { return }
      capture.setColor(image, as: color, &maker) { self.encoded(pixels, image.size) }
    }

    /// The file of a buffer; `nil` if the encoder fails.
    private func encoded(_ pixels: CVPixelBuffer, _ size: RasterSize) -> [UInt8]? {
      if encoderSize != size { makeEncoder(size) }
      guard let encoder else { return nil }
      let result = Mutex<[UInt8]?>(nil)
      let status = VTCompressionSessionEncodeFrame(
        encoder, imageBuffer: pixels, presentationTimeStamp: .zero, duration: .invalid,
        frameProperties: nil, infoFlagsOut: nil
      ) { status, _, sample in
        guard status == 0, let sample else { return }
        let bytes = Self.bytes(of: sample)
        result.withLock { $0 = bytes }
      }
      // The handler runs before this call returns.
      guard status == 0,
        VTCompressionSessionCompleteFrames(encoder, untilPresentationTimeStamp: .invalid) == 0
      else { return nil }
      return result.withLock { $0 }
    }

    private func makeEncoder(_ size: RasterSize) {
      if let encoder { VTCompressionSessionInvalidate(encoder) }
      (encoder, encoderSize) = (nil, size)
      var session: VTCompressionSession?
      let status = VTCompressionSessionCreate(
        allocator: nil, width: Int32(clamping: size.width), height: Int32(clamping: size.height),
        codecType: kCMVideoCodecType_JPEG, encoderSpecification: nil, imageBufferAttributes: nil,
        compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
        compressionSessionOut: &session)
      guard status == 0, let session else { return }
      // Without the quality a file would not be what was asked for; the other one only saves time.
      guard
        VTSessionSetProperty(
          session, key: kVTCompressionPropertyKey_Quality,
          value: NSNumber(value: Double(quality) / 100)) == 0
      else { return VTCompressionSessionInvalidate(session) }
      VTSessionSetProperty(
        session, key: kVTCompressionPropertyKey_RealTime, value: NSNumber(value: true))
      encoder = session
    }

    private static func bytes(of sample: CMSampleBuffer) -> [UInt8]? {
      guard let block = CMSampleBufferGetDataBuffer(sample) else { return nil }
      let count = CMBlockBufferGetDataLength(block)
      var status: OSStatus = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        guard let base = buffer.baseAddress else { return }
        status = CMBlockBufferCopyDataBytes(
          block, atOffset: 0, dataLength: count, destination: base)
        initialized = status == 0 ? count : 0
      }
      return status == 0 && count > 0 ? bytes : nil
    }
  }
#endif
