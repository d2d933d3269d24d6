import Plumbline

/// A recording that is being written.
struct RunningRecording {
  let name: String
  let relay: DepthCameraRelay
  let stop: RecordingStop
  var statistics = RecordingStatistics()

  init(name: String, relay: DepthCameraRelay, stop: RecordingStop) {
    self.name = name
    self.relay = relay
    self.stop = stop
  }

  /// Bytes a second so far; `nil` at the beginning.
  var bytesPerSecond: Double? {
    statistics.seconds >= 1 ? Double(statistics.byteCount) / statistics.seconds : nil
  }

  /// Frames and losses in words.
  var text: String {
    "\(statistics.writtenFrames) frames, \(Int(statistics.seconds)) s, "
      + CaptureStatus.lossText(statistics.drops, motionSamples: statistics.lostMotionSamples)
  }
}
