import PlumblineIO
import PlumblineStreams
/// The frames that have a number and that the server has not acknowledged; they are sent again after a
/// break, and never thrown away for want of room: where there is none, nothing new is taken.
struct ResendWindow: Sendable {
  struct Entry: Sendable {
    var sequence: Int
    var bytes: [UInt8]
    /// The losses of the camera before this frame, reported before it each time.
    var losses: [DroppedFrame.Reason: Int]
    /// The time when it was taken, in seconds of the publisher's own clock.
    var takenAt: Double
    var wasSent = false
  }

  /// The most frames.
  let frameLimit: Int
  /// No frame is taken once there are as many bytes.
  let byteLimit: Int
  private(set) var entries: [Entry] = []
  private(set) var byteCount = 0
  /// The number of the next frame.
  private(set) var nextSequence = 0

  init(frameLimit: Int, byteLimit: Int) {
    self.frameLimit = frameLimit
    self.byteLimit = byteLimit
  }

  /// Whether another frame may be taken; one always may, however large.
  var hasRoom: Bool {
    entries.isEmpty || entries.count < frameLimit && byteCount < byteLimit
  }

  /// The first number that is not acknowledged.
  var firstSequence: Int { entries.first?.sequence ?? nextSequence }

  /// Takes a frame whose message has the next number.
  mutating func append(_ bytes: [UInt8], losses: [DroppedFrame.Reason: Int], takenAt: Double) {
    entries.append(
      Entry(sequence: nextSequence, bytes: bytes, losses: losses, takenAt: takenAt))
    byteCount += bytes.count
    nextSequence += 1
  }

  /// The frame of a number; `nil` where there is none.
  func entry(_ sequence: Int) -> Entry? {
    index(of: sequence).map { entries[$0] }
  }

  /// Notes that a frame was handed to the system.
  ///
  /// - Returns: Whether it was for the first time; `nil` where it is acknowledged already.
  mutating func markSent(_ sequence: Int) -> Bool? {
    guard let index = index(of: sequence) else { return nil }
    defer { entries[index].wasSent = true }
    return !entries[index].wasSent
  }

  /// Lets go of the frames below a number.
  ///
  /// - Returns: Those frames.
  mutating func release(below sequence: Int) -> ArraySlice<Entry> {
    let count = entries.prefix { $0.sequence < sequence }.count
    let released = entries.prefix(count)
    entries.removeFirst(count)
    byteCount -= released.reduce(0) { $0 + $1.bytes.count }
    return released
  }

  /// Lets go of one frame that the server refuses; its number stays unused.
  ///
  /// - Returns: Whether it was there.
  mutating func remove(_ sequence: Int) -> Bool {
    guard let index = index(of: sequence) else { return false }
    byteCount -= entries.remove(at: index).bytes.count
    return true
  }

  /// Numbers all frames from another number on.
  ///
  /// - Throws: ``CaptureReadingError`` for a frame that is no message; nothing has changed then.
  mutating func renumber(from sequence: Int) throws(CaptureReadingError) {
    var renumbered = entries
    for index in renumbered.indices {
      renumbered[index].bytes = try StreamFrame.renumbered(
        renumbered[index].bytes, to: sequence + index)
      renumbered[index].sequence = sequence + index
    }
    entries = renumbered
    byteCount = entries.reduce(0) { $0 + $1.bytes.count }
    nextSequence = sequence + entries.count
  }

  /// Numbers rise, with gaps where frames were refused.
  private func index(of sequence: Int) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].sequence == sequence ? low : nil
  }
}
