/// The process in which codecs of others (libjpeg-turbo, libde265) run.
package enum CodecIsolation: Sendable, Hashable {
  /// In this process: a fault of a codec ends it.
  case none
  #if os(Linux)
    /// In processes of their own that can reach no file and no network: a fault of a codec costs the
    /// image.
    case workers(DecoderWorkers)
  #endif

  /// Workers that are this program itself, started a second time; in this process where there are
  /// none (Apple platforms).
  ///
  /// - Precondition: `main` begins with `DecoderWorker.runIfAsked()`.
  package static func ownProgram() -> CodecIsolation {
    #if os(Linux)
      .workers(DecoderWorkers())
    #else
      .none
    #endif
  }
}

extension ReadingLimits {
  /// The codec of JPEG images.
  var jpegDecoder: any JPEGDecoding {
    #if os(Linux)
      if case .workers(let workers) = codecs { return IsolatedJPEGDecoder(workers: workers) }
    #endif
    return JPEGImage.platformDecoder
  }

  /// The codec of HEVC images.
  var hevcDecoder: any HEVCStillDecoding {
    #if os(Linux)
      if case .workers(let workers) = codecs { return IsolatedHEVCDecoder(workers: workers) }
    #endif
    return defaultHEVCDecoder
  }
}
