/// The process in which third-party codecs (libjpeg-turbo, libde265) run.
package enum CodecIsolation: Sendable, Hashable {
  /// This process, which a crash of a codec ends.
  case none
  #if os(Linux)
    /// Separate processes without access to files and network: a crash of a codec loses only the
    /// image.
    case workers(DecoderWorkers)
  #endif

  /// Workers that run this program itself; on platforms without workers (Apple's) the codecs run in
  /// this process.
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
