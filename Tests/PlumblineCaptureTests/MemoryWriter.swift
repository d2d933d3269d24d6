import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

/// A writer that keeps all in memory, and fails where a test requires it.
struct MemoryWriter: RecordingWriter {
  final class Log {
    var times: [Double?] = []
    var names: [String] = []
    var motion = 0
    /// The number of frames at each flush.
    var flushes: [Int] = []
    var isFinished = false
  }

  let log: Log
  var fullAfter = Int.max
  var refused: Set<Int> = []
  var isDurable = true
  private var seen = 0

  init(_ log: Log, fullAfter: Int = .max, refused: Set<Int> = [], isDurable: Bool = true) {
    self.log = log
    self.fullAfter = fullAfter
    self.refused = refused
    self.isDurable = isDurable
  }

  mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    defer { seen += 1 }
    if refused.contains(seen) {
      throw .unrepresentable(format: "memory", frame: name, expected: "a frame", found: "another")
    }
    if log.times.count >= fullAfter {
      throw .output(path: "memory", detail: "No space left on device", reason: .inputOutput)
    }
    log.times.append(capture.timestampSeconds)
    log.names.append(name)
  }

  mutating func append(motion samples: [MotionSample]) throws(RecordingWritingError) {
    log.motion += samples.count
  }

  mutating func flush() throws(RecordingWritingError) -> Int {
    log.flushes.append(log.times.count)
    return isDurable ? log.times.count : 0
  }

  mutating func finish() throws(RecordingWritingError) { log.isFinished = true }
}
