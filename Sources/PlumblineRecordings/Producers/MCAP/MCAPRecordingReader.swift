import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// MCAP files with the profile `ros2`: recordings of ours, and any ROS 2 bag with depth images.
enum MCAPRecordingReader {
  /// Opens a file.
  ///
  /// - Throws: `.missing` for one without depth images; `.unsupported` for one without CDR messages;
  ///   what the container throws. Cost: the index for recordings of ours that were closed, else one
  ///   pass over the file.
  static func recording(
    from source: any ByteSource, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let file = try MCAPFile(source: source, limits: limits)
    if PlumblineStream.recognizes(file) {
      return try PlumblineStream(file, limits: limits).recording()
    }
    return try ROSBag(file, limits: limits).recording()
  }
}
