import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// The motion samples of a recording's topics.
enum MotionMessages {
  /// Reads samples in ascending order of time; damaged messages are counted.
  ///
  /// - Throws: `.missing` when the disk cannot be read, `.limitExceeded`.
  static func motion(
    of file: any ROSMessageFile, at places: [ROSMessagePlace]
  ) throws(CaptureReadingError) -> RecordedMotion {
    let topics = Dictionary(
      file.messageChannels.map { ($0.id, $0.topic) }, uniquingKeysWith: { first, _ in first })
    let streams = topics.mapValues { RealSenseStream(topic: $0) }
    var motion = RecordedMotion()
    motion.samples.reserveCapacity(places.count)
    for place in places {
      do throws(CaptureReadingError) {
        let topic = topics[place.channelID] ?? ""
        var sample = try ImuMessage(file.payload(at: place), topic: topic).sample
        if let stream = streams[place.channelID] ?? nil { keep(stream, of: &sample) }
        motion.samples.append(sample)
      } catch {
        // A disk error is not a damaged sample, so it must be reported.
        if error.reason == .missing || error.reason == .limitExceeded { throw error }
        motion.addUnreadable("\(error)")
      }
    }
    // Samples with equal times keep the order of the file.
    motion.samples = motion.samples.sortedByTime(\.timestampSeconds)
    return motion
  }

  /// Drops what a stream does not measure: RealSense's SDK leaves these fields at 0.
  ///
  /// - Source: librealsense, `ros_writer.cpp`, `write_motion_frame`.
  private static func keep(_ stream: RealSenseStream, of sample: inout MotionSample) {
    sample.worldFromSensor = nil
    if stream.kind != "Gyro" { sample.rotationRate = nil }
    if stream.kind != "Accel" { sample.specificForce = nil }
  }
}
