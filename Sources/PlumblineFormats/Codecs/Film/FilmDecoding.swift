import PlumblineModel

/// A stretch of a film for a decoder: it starts with a sync picture.
struct FilmStretch: Sendable {
  let codec: FilmCodec
  /// The size of the pictures that are wanted; the decoder scales to it.
  let size: RasterSize
  /// Whether that is smaller than the film's own.
  let isReduced: Bool
}

/// Starts decoders of films; tests put their own in the place of ffmpeg.
protocol FilmDecoding: Sendable {
  /// Starts to decode.
  ///
  /// - Throws: ``ProgramFailure`` when no decoder is there.
  func decoder(for stretch: FilmStretch) throws(ProgramFailure) -> any FilmDecoder
}

/// A decoder at work on one stretch, in the order of presentation; used by one thread at a time.
protocol FilmDecoder: AnyObject {
  /// The next picture.
  ///
  /// - Parameter feed: Gives the coded pictures one after another, in Annex B; `nil` at the end.
  /// - Returns: `nil` after the last one.
  /// - Throws: ``RunningProgram/Interruption``.
  func next(
    feed: () throws(CaptureReadingError) -> [UInt8]?
  ) throws(RunningProgram.Interruption) -> Raster<RGB8>?
}
