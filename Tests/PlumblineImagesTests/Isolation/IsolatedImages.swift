#if os(Linux)
  import Foundation
  import PlumblineModel
  import PlumblineTestSupport
  @testable import PlumblineImages
  @testable import PlumblineIO
  @testable import PlumblineRecordings
  /// Images for decoder workers, sound ones and such as ask a worker of tests to misbehave.
  enum IsolatedImages {
    /// The worker of tests: beside the test bundle.
    static let program = (Bundle.main.executableURL ?? Bundle.main.bundleURL)
      .deletingLastPathComponent().appending(path: "DecoderFaults").path

    static func workers(count: Int = 1, answerSeconds: Double = 60) -> DecoderWorkers {
      DecoderWorkers(
        program: program, arguments: [], count: count, answerSeconds: answerSeconds)
    }

    /// The default limits with decoders in workers.
    static func limits(_ workers: DecoderWorkers) -> ReadingLimits {
      var limits = ReadingLimits()
      limits.codecs = .workers(workers)
      return limits
    }

    static let color = Raster<RGB8>(size: RasterSize(width: 101, height: 75)) { x, y in
      RGB8(red: UInt8(2 * x), green: UInt8(3 * y), blue: UInt8(x + y))
    }

    /// A color image; with a fault, in a comment behind its first marker.
    static func jpeg(fault: String? = nil) throws -> [UInt8] {
      let bytes = try JPEGEncoder(quality: 90).encoded(color)
      guard let fault else { return bytes }
      let comment = Array("plumbline-fault:\(fault);".utf8)
      return bytes[..<2] + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + bytes[2...]
    }

    /// Decodes such an image.
    static func decode(
      fault: String? = nil, by workers: DecoderWorkers
    ) throws -> DecodedColorJPEG {
      let limits = limits(workers)
      return try JPEGFile(jpeg(fault: fault)[...], limits: limits).primary.color(limits: limits)
    }

    /// What the decoder is said to have done; `nil` where the image was decoded.
    static func failure(
      of fault: String, by workers: DecoderWorkers
    ) throws -> CaptureReadingError? {
      do { _ = try decode(fault: fault, by: workers) } catch let error as CaptureReadingError {
        return error
      }
      return nil
    }
  }
#endif
