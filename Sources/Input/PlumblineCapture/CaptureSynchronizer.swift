/// Combines the data of several outputs by time, as `AVCaptureDataOutputSynchronizer` does.
///
/// The first output is the master. Its datum is held until every other output has delivered or lost
/// one of the same or a later time, or is known to have none; then all data of that time are
/// returned together. Data of other outputs for times without the master are returned in separate
/// collections. All collections are in time order, so they do not depend on which output was
/// faster.
///
/// Queues are bounded: if an output is silent for too long, the oldest time is returned without it.
/// Data that it delivers later for that time are reported as lost (late).
/// - Source: Apple, *AVCaptureDataOutputSynchronizer init(dataOutputs:)*; the bound and the order
///   among collections without the master are this project's.
package struct CaptureSynchronizer<Datum: Sendable>: Sendable {
  /// The collections that a call completed, in time order.
  package typealias Collections = [SynchronizedData<Datum>]
  private typealias Entry = SynchronizedData<Datum>.Entry

  private struct Output {
    /// The data waiting for the other outputs, in ascending order of time.
    var waiting: [(seconds: Double, entry: Entry)] = []
    /// The time up to which all data of the output are known.
    var knownUntil = -Double.infinity
  }

  /// The maximum number of waiting data per output.
  package let capacity: Int
  private var outputs: [Output]
  private var sentUntil = -Double.infinity

  /// Creates a synchronizer without data.
  ///
  /// - Parameters:
  ///   - outputCount: The number of outputs; output 0 is the master.
  ///   - capacity: The maximum number of data of one output that wait for the others.
  /// - Precondition: Both are at least 1.
  package init(outputCount: Int, capacity: Int = 8) {
    precondition(outputCount >= 1 && capacity >= 1, "a synchronizer needs outputs and room")
    self.capacity = capacity
    outputs = Array(repeating: Output(), count: outputCount)
  }

  /// Adds a datum of an output.
  ///
  /// - Parameters:
  ///   - datum: The datum.
  ///   - seconds: Its presentation time, which must be later than the output's last one; otherwise
  ///     the datum is reported as lost by a discontinuity.
  ///   - output: The index of the output.
  /// - Returns: The collections that are now complete.
  package mutating func deliver(
    _ datum: Datum, at seconds: Double, from output: Int
  ) -> Collections { take(.delivered(datum), at: seconds, from: output) }

  /// Notes that an output lost a datum.
  package mutating func drop(
    _ reason: DroppedFrame.Reason, at seconds: Double, from output: Int
  ) -> Collections { take(.dropped(reason), at: seconds, from: output) }

  /// Notes that an output has no further data up to and including a time.
  package mutating func pass(_ output: Int, until seconds: Double) -> Collections {
    guard seconds > outputs[output].knownUntil else { return [] }
    outputs[output].knownUntil = seconds
    return completed()
  }

  /// Notes that no output will deliver more data.
  package mutating func finish() -> Collections {
    for output in outputs.indices { outputs[output].knownUntil = .infinity }
    return completed()
  }

  private mutating func take(
    _ entry: Entry, at seconds: Double, from output: Int
  ) -> Collections {
    guard seconds.isFinite, seconds > outputs[output].knownUntil else {
      return [single(.dropped(.discontinuity), at: seconds, from: output)]
    }
    outputs[output].knownUntil = seconds
    guard seconds > sentUntil else {
      return [single(.dropped(.lateData), at: seconds, from: output)] + completed()
    }
    outputs[output].waiting.append((seconds, entry))
    var collections = completed()
    if outputs[output].waiting.count > capacity, let oldest = oldestTime {
      collections.append(send(oldest))
      collections += completed()
    }
    return collections
  }

  private var oldestTime: Double? { outputs.compactMap { $0.waiting.first?.seconds }.min() }

  /// Returns every time for which all outputs are known.
  private mutating func completed() -> Collections {
    var collections: Collections = []
    let knownUntil = outputs.map(\.knownUntil).min() ?? -.infinity
    while let oldest = oldestTime, oldest <= knownUntil { collections.append(send(oldest)) }
    return collections
  }

  private mutating func send(_ seconds: Double) -> SynchronizedData<Datum> {
    sentUntil = seconds
    let entries = outputs.indices.map { index -> Entry? in
      guard outputs[index].waiting.first?.seconds == seconds else { return nil }
      return outputs[index].waiting.removeFirst().entry
    }
    return SynchronizedData(timestampSeconds: seconds, entries: entries)
  }

  private func single(
    _ entry: Entry, at seconds: Double, from output: Int
  ) -> SynchronizedData<Datum> {
    SynchronizedData(
      timestampSeconds: seconds,
      entries: outputs.indices.map { $0 == output ? entry : nil })
  }
}

/// The data of several outputs for one time; `AVCaptureSynchronizedDataCollection`.
package struct SynchronizedData<Datum: Sendable>: Sendable {
  /// The entry of one output for the time.
  package enum Entry: Sendable {
    /// A datum.
    case delivered(Datum)
    /// A datum existed and was lost.
    case dropped(DroppedFrame.Reason)
  }

  /// The presentation time, in seconds.
  package let timestampSeconds: Double
  /// The entries by output, the master's first; `nil` if an output has no datum for this time,
  /// which is not a loss.
  package let entries: [Entry?]

  /// Whether the master output has an entry for this time.
  package var isMaster: Bool { entries.first.flatMap { $0 } != nil }

  /// The datum of an output; `nil` if it has none or lost it.
  package func datum(of output: Int) -> Datum? {
    if case .delivered(let datum) = entries[output] { datum } else { nil }
  }

  /// The reason why an output lost its datum; `nil` if it lost none.
  package func droppedReason(of output: Int) -> DroppedFrame.Reason? {
    if case .dropped(let reason) = entries[output] { reason } else { nil }
  }
}

/// Drops frames that waited too long, if the system would queue them up.
///
/// ARKit calls its delegate for every frame and has only a few frames: if converting one to a
/// capture takes too long, later ones must be released at once. `AVCaptureVideoDataOutput` has
/// `alwaysDiscardsLateVideoFrames` for that.
package struct FrameDeadline: Hashable, Sendable {
  /// The maximum wait in seconds; three frames at 30 per second, chosen by this project.
  package var seconds: Double

  /// Creates a deadline.
  package init(seconds: Double = 0.1) { self.seconds = seconds }

  /// Compares a frame with the deadline.
  ///
  /// - Parameters:
  ///   - timestampSeconds: The frame's time.
  ///   - nowSeconds: The current time on the same clock; for ARKit, the time since the device
  ///     started.
  /// - Returns: The loss to report; `nil` for a frame in time.
  package func loss(of timestampSeconds: Double, at nowSeconds: Double) -> DroppedFrame? {
    guard nowSeconds - timestampSeconds > seconds else { return nil }
    return DroppedFrame(timestampSeconds: timestampSeconds, reason: .lateData)
  }
}
