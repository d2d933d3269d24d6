import PlumblineModel

/// The motion samples of a topic.
enum MotionMessages {
  /// Samples by ascending time; messages that are damaged are left out.
  static func samples(
    of file: MCAPFile, at places: [MCAPMessagePlace]
  ) throws(CaptureReadingError) -> [MotionSample] {
    var samples: [MotionSample] = []
    for place in places {
      let topic = file.channels[place.channelID]?.topic ?? ""
      guard let message = try? ImuMessage(file.message(at: place).data, topic: topic) else {
        continue
      }
      samples.append(message.sample)
    }
    // The order of equal times is that of the file.
    return samples.sortedByTime(\.timestampSeconds)
  }
}
