#if canImport(VideoToolbox)
  import CoreMedia
  import CoreVideo
  import Foundation
  import PlumblineIO
  import PlumblineModel
  import Synchronization
  import VideoToolbox

  /// Decodes HEVC with the system's decoder; **not tested**, since no Apple device was available.
  ///
  /// Tiles that share their parameter sets share one session; one tile is decoded at a time. The
  /// layout, range and depth that are asked for are those of the stream, so that codes stay as they
  /// are; HEVC defines every bit of the result, which must equal that of other decoders.
  final class VideoToolboxDecoder: HEVCStillDecoding {
    private let session = Mutex<VideoToolboxSession?>(nil)

    deinit {
      session.withLock { $0?.invalidate() }
    }

    func decode(
      _ image: HEVCStillImage, path: [String],
      _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
    ) throws(CaptureReadingError) {
      let sample = try HEVCStillSample(image, path: path)
      let bytes = try session.withLock { (open) throws(CaptureReadingError) in
        try Self.decoded(sample, image.parameters, &open, path)
      }
      let layout = PackedPlanes(image.parameters)
      try bytes.withUnsafeBufferPointer { (memory) throws(CaptureReadingError) in
        try body(layout.planes(in: UnsafeRawBufferPointer(memory)))
      }
    }

    /// Decodes with the open session if it fits, else with one for each format until one works.
    private static func decoded(
      _ sample: HEVCStillSample, _ parameters: SequenceParameterSet,
      _ open: inout VideoToolboxSession?, _ path: [String]
    ) throws(CaptureReadingError) -> [UInt8] {
      if let session = open, session.parameterSets == sample.parameterSets {
        do throws(HEVCDecoderFailure) {
          return try session.decode(sample.slices, parameters, path)
        } catch {
          // The system takes sessions away, such as from an app in the background.
          guard error.mayPassWithNewSession else { throw error.readingError(path) }
        }
      }
      open?.invalidate()
      open = nil
      var failure = HEVCDecoderFailure.status(0, step: "choosing a format")
      for format in try HEVCPixelFormat.choices(for: parameters, path: path) {
        do throws(HEVCDecoderFailure) {
          let session = try VideoToolboxSession(sample.parameterSets, format)
          do throws(HEVCDecoderFailure) {
            let bytes = try session.decode(sample.slices, parameters, path)
            open = session
            return bytes
          } catch {
            session.invalidate()
            throw error
          }
        } catch {
          failure = error
        }
      }
      throw failure.readingError(path)
    }
  }

  /// An open decoder of the system for images that share their parameter sets.
  private struct VideoToolboxSession {
    let parameterSets: [[UInt8]]
    private let description: CMVideoFormatDescription
    private let session: VTDecompressionSession

    /// Opens a decoder.
    ///
    /// - Throws: `.status` when the system refuses the parameter sets or the format.
    init(_ parameterSets: [[UInt8]], _ format: HEVCPixelFormat) throws(HEVCDecoderFailure) {
      self.parameterSets = parameterSets
      description = try Self.description(of: parameterSets)
      // A number under the system's key is all that the dictionary needs.
      let attributes =
        [kCVPixelBufferPixelFormatTypeKey: NSNumber(value: format.rawValue)] as CFDictionary
      var created: VTDecompressionSession?
      let status = VTDecompressionSessionCreate(
        allocator: nil, formatDescription: description, decoderSpecification: nil,
        imageBufferAttributes: attributes, outputCallback: nil, decompressionSessionOut: &created)
      guard status == 0, let created else { throw .status(status, step: "opening a session") }
      session = created
    }

    /// Ends the decoder; it must not be used afterwards.
    func invalidate() {
      VTDecompressionSessionInvalidate(session)
    }

    /// Decodes slices, each after its length, into the layout of ``PackedPlanes``.
    func decode(
      _ slices: [UInt8], _ parameters: SequenceParameterSet, _ path: [String]
    ) throws(HEVCDecoderFailure) -> [UInt8] {
      let sample = try Self.sample(slices, description)
      let output = VideoToolboxImage()
      let status = VTDecompressionSessionDecodeFrame(
        session, sampleBuffer: sample, flags: [], infoFlagsOut: nil
      ) { @Sendable status, _, image, _, _ in
        output.take(image, status, parameters, path)
      }
      guard status == 0 else { throw .status(status, step: "decoding") }
      // Without the flag for asynchronous work the image is there already.
      let waited = VTDecompressionSessionWaitForAsynchronousFrames(session)
      guard waited == 0 else { throw .status(waited, step: "waiting for the image") }
      return try output.bytes()
    }

    private static func description(
      of parameterSets: [[UInt8]]
    ) throws(HEVCDecoderFailure) -> CMVideoFormatDescription {
      var created: CMVideoFormatDescription?
      let sizes = parameterSets.map(\.count)
      let joined = parameterSets.flatMap { $0 }
      let status = joined.withUnsafeBufferPointer { bytes in
        var pointers: [UnsafePointer<UInt8>] = []
        var start = 0
        for size in sizes {
          if let base = bytes.baseAddress { pointers.append(base + start) }
          start += size
        }
        return CMVideoFormatDescriptionCreateFromHEVCParameterSets(
          allocator: nil, parameterSetCount: pointers.count, parameterSetPointers: pointers,
          parameterSetSizes: sizes, nalUnitHeaderLength: Int32(HEVCStillSample.lengthBytes),
          extensions: nil, formatDescriptionOut: &created)
      }
      guard status == 0, let created else {
        throw .status(status, step: "reading the parameter sets")
      }
      return created
    }

    private static func sample(
      _ slices: [UInt8], _ description: CMVideoFormatDescription
    ) throws(HEVCDecoderFailure) -> CMSampleBuffer {
      var block: CMBlockBuffer?
      var status = CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: nil, blockLength: slices.count, blockAllocator: nil,
        customBlockSource: nil, offsetToData: 0, dataLength: slices.count, flags: 0,
        blockBufferOut: &block)
      guard status == 0, let block else { throw .status(status, step: "making room for slices") }
      // Copied, so that the block does not depend on the life of the array.
      status = slices.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return CMBlockBufferReplaceDataBytes(
          with: start, blockBuffer: block, offsetIntoDestination: 0, dataLength: bytes.count)
      }
      guard status == 0 else { throw .status(status, step: "copying slices") }
      var sample: CMSampleBuffer?
      var size = slices.count
      status = CMSampleBufferCreateReady(
        allocator: nil, dataBuffer: block, formatDescription: description, sampleCount: 1,
        sampleTimingEntryCount: 0, sampleTimingArray: nil, sampleSizeEntryCount: 1,
        sampleSizeArray: &size, sampleBufferOut: &sample)
      guard status == 0, let sample else { throw .status(status, step: "wrapping slices") }
      return sample
    }
  }
#endif
