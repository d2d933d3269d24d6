import PlumblineIO
import PlumblineModel

/// A stretch of a video for a decoder: it starts with a sync image.
struct VideoStretch: Sendable {
  let codec: VideoCodec
  /// The size of the images that are wanted; the decoder scales to it.
  let size: RasterSize
  /// Whether that is smaller than the video's own.
  let isReduced: Bool
}

/// Starts decoders of videos; tests put their own in the place of ffmpeg.
protocol VideoDecoding: Sendable {
  /// Starts to decode.
  ///
  /// - Throws: ``ProgramFailure`` when no decoder is there.
  func decoder(for stretch: VideoStretch) throws(ProgramFailure) -> any VideoDecoder
}

/// A decoder at work on one stretch, in the order of presentation; used by one thread at a time.
protocol VideoDecoder: AnyObject {
  /// The next image.
  ///
  /// - Parameter feed: Gives the coded images one after another, in Annex B; `nil` at the end.
  /// - Returns: `nil` after the last one.
  /// - Throws: ``RunningProgram/Interruption``.
  func next(
    feed: () throws(CaptureReadingError) -> [UInt8]?
  ) throws(RunningProgram.Interruption) -> Raster<RGB8>?
}
