import PlumblineIO
import PlumblineStreams
/// The numbered frames that the server has not acknowledged.
///
/// They are sent again after a disconnection and never discarded for lack of space: if the window
/// is full, no new frame is accepted.
struct ResendWindow: Sendable {
  struct Entry: Sendable {
    var sequence: Int
    var bytes: [UInt8]
    /// The camera's losses before this frame, which are reported each time before it is sent.
    var losses: [DroppedFrame.Reason: Int]
    /// The time when the frame was taken, in seconds of the publisher's own clock.
    var takenAt: Double
    var wasSent = false
  }

  /// The maximum number of frames.
  let frameLimit: Int
  /// The number of bytes from which on no further frame is accepted.
  let byteLimit: Int
  private(set) var entries: [Entry] = []
  private(set) var byteCount = 0
  /// The number of the next frame.
  private(set) var nextSequence = 0

  init(frameLimit: Int, byteLimit: Int) {
    self.frameLimit = frameLimit
    self.byteLimit = byteLimit
  }

  /// Whether another frame is accepted; an empty window accepts one of any size.
  var hasRoom: Bool {
    entries.isEmpty || entries.count < frameLimit && byteCount < byteLimit
  }

  /// The first number that is not acknowledged.
  var firstSequence: Int { entries.first?.sequence ?? nextSequence }

  /// Adds a frame whose message has the next number.
  mutating func append(_ bytes: [UInt8], losses: [DroppedFrame.Reason: Int], takenAt: Double) {
    entries.append(
      Entry(sequence: nextSequence, bytes: bytes, losses: losses, takenAt: takenAt))
    byteCount += bytes.count
    nextSequence += 1
  }

  /// The frame with a number; `nil` if there is none.
  func entry(_ sequence: Int) -> Entry? {
    index(of: sequence).map { entries[$0] }
  }

  /// Notes that a frame was passed to the system.
  ///
  /// - Returns: Whether this was the first time; `nil` if the frame is already acknowledged.
  mutating func markSent(_ sequence: Int) -> Bool? {
    guard let index = index(of: sequence) else { return nil }
    defer { entries[index].wasSent = true }
    return !entries[index].wasSent
  }

  /// Removes the frames below a number.
  ///
  /// - Returns: The removed frames.
  mutating func release(below sequence: Int) -> ArraySlice<Entry> {
    let count = entries.prefix { $0.sequence < sequence }.count
    let released = entries.prefix(count)
    entries.removeFirst(count)
    byteCount -= released.reduce(0) { $0 + $1.bytes.count }
    return released
  }

  /// Removes one frame that the server refuses; its number stays unused.
  ///
  /// - Returns: Whether the frame was in the window.
  mutating func remove(_ sequence: Int) -> Bool {
    guard let index = index(of: sequence) else { return false }
    byteCount -= entries.remove(at: index).bytes.count
    return true
  }

  /// Renumbers all frames, starting with another number.
  ///
  /// - Throws: ``CaptureReadingError`` for a frame that is not a message; nothing is changed then.
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

  /// Numbers ascend, with gaps where frames were refused.
  private func index(of sequence: Int) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].sequence == sequence ? low : nil
  }
}
