#if canImport(VideoToolbox)
  import CoreMedia
  import CoreVideo
  import PlumblineModel
  import Synchronization

  /// The output of VideoToolbox, which arrives on its own threads and in any order; not tested.
  final class VideoToolboxOutput: Sendable {
    /// The result of encoding one image.
    private enum Outcome: Sendable {
      /// Parameter sets, then slices.
      case units([[UInt8]])
      case failure(OSStatus)
      case unreadable
    }

    private let outcomes = Mutex<[Int: Outcome]>([:])

    /// Stores the result of one image.
    func take(_ sample: CMSampleBuffer?, _ status: OSStatus, at index: Int) {
      let outcome: Outcome =
        if status != 0 {
          .failure(status)
        } else if let units = sample.flatMap(Self.units) {
          .units(units)
        } else {
          .unreadable
        }
      outcomes.withLock { $0[index] = outcome }
    }

    /// The units of all images in their order.
    ///
    /// - Throws: `.encoder` for an image that failed or is missing.
    func units(of count: Int) throws(PhotoWritingError) -> [ArraySlice<UInt8>] {
      let outcomes = outcomes.withLock { $0 }
      var all: [ArraySlice<UInt8>] = []
      for index in 0..<count {
        switch outcomes[index] {
        case .units(let units): all += units.map { $0[...] }
        case .failure(let status):
          throw .encoder("VideoToolbox failed at image \(index) (status \(status))")
        case .unreadable: throw .encoder("VideoToolbox's image \(index) cannot be read")
        case nil: throw .encoder("VideoToolbox left image \(index) out")
        }
      }
      return all
    }

    private static func units(of sample: CMSampleBuffer) -> [[UInt8]]? {
      guard let description = CMSampleBufferGetFormatDescription(sample),
        let block = CMSampleBufferGetDataBuffer(sample)
      else { return nil }
      var count = 0
      var lengthBytes: Int32 = 0
      guard
        CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
          description, parameterSetIndex: 0, parameterSetPointerOut: nil,
          parameterSetSizeOut: nil, parameterSetCountOut: &count,
          nalUnitHeaderLengthOut: &lengthBytes) == 0
      else { return nil }
      var units: [[UInt8]] = []
      for index in 0..<count {
        var start: UnsafePointer<UInt8>?
        var size = 0
        let status = CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
          description, parameterSetIndex: index, parameterSetPointerOut: &start,
          parameterSetSizeOut: &size, parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        guard status == 0, let start else { return nil }
        units.append([UInt8](UnsafeBufferPointer(start: start, count: size)))
      }
      let length = CMBlockBufferGetDataLength(block)
      guard length > 0 else { return nil }
      let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, copied in
        guard let start = buffer.baseAddress else { return }
        let status = CMBlockBufferCopyDataBytes(
          block, atOffset: 0, dataLength: length, destination: start)
        copied = status == 0 ? length : 0
      }
      guard
        let slices = CodedHEVCImages.units(ofSample: bytes, lengthBytes: Int(lengthBytes)),
        !slices.isEmpty
      else { return nil }
      return units + slices.map { [UInt8]($0) }
    }
  }
#endif
