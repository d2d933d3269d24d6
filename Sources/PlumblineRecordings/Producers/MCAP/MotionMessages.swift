import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// The motion samples of a topic.
enum MotionMessages {
  /// Samples by ascending time; messages that are damaged are left out.
  ///
  /// - Throws: `.missing` where the disk gives no bytes, `.limitExceeded`.
  static func samples(
    of file: MCAPFile, at places: [MCAPMessagePlace]
  ) throws(CaptureReadingError) -> [MotionSample] {
    var samples: [MotionSample] = []
    for place in places {
      let topic = file.channels[place.channelID]?.topic ?? ""
      do throws(CaptureReadingError) {
        samples.append(try ImuMessage(file.message(at: place).data, topic: topic).sample)
      } catch {
        // A disk that fails says nothing about the samples, and they must not vanish unsaid.
        if error.reason == .missing || error.reason == .limitExceeded { throw error }
      }
    }
    // The order of equal times is that of the file.
    return samples.sortedByTime(\.timestampSeconds)
  }
}
