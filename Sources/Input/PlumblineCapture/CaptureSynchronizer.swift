/// Joins what several outputs deliver by its time, as `AVCaptureDataOutputSynchronizer` does.
///
/// The first output is the master. Its datum is held until every other output has delivered one of
/// the same or a later time, lost one, or is known to have none; then all of that time come together.
/// What others have for times without the master comes in collections of its own. All collections come
/// in the order of time, so they do not depend on which output was faster.
///
/// Queues are bounded: where an output is silent for too long, the oldest time is sent without it, and
/// what it delivers for that time afterwards is reported as lost, late.
/// - Source: Apple, *AVCaptureDataOutputSynchronizer init(dataOutputs:)*; the bound and the order
///   among collections without the master are this project's.
package struct CaptureSynchronizer<Datum: Sendable>: Sendable {
  /// The moments that a call completed, in the order of time.
  package typealias Collections = [SynchronizedData<Datum>]
  private typealias Entry = SynchronizedData<Datum>.Entry

  private struct Output {
    /// The data that wait for their partners, times ascending.
    var waiting: [(seconds: Double, entry: Entry)] = []
    /// Up to here it is known what the output has.
    var knownUntil = -Double.infinity
  }

  /// The most data of one output that wait.
  package let capacity: Int
  private var outputs: [Output]
  private var sentUntil = -Double.infinity

  /// Starts with nothing.
  ///
  /// - Parameters:
  ///   - outputCount: The number of outputs; output 0 is the master.
  ///   - capacity: The most data of one output that wait for the others.
  /// - Precondition: Both are at least 1.
  package init(outputCount: Int, capacity: Int = 8) {
    precondition(outputCount >= 1 && capacity >= 1, "a synchronizer needs outputs and room")
    self.capacity = capacity
    outputs = Array(repeating: Output(), count: outputCount)
  }

  /// Takes a datum of an output.
  ///
  /// - Parameters:
  ///   - datum: The datum.
  ///   - seconds: Its presentation time, later than the output's last one; otherwise it is reported
  ///     as lost by a discontinuity.
  ///   - output: The index of the output.
  /// - Returns: What is complete now.
  package mutating func deliver(
    _ datum: Datum, at seconds: Double, from output: Int
  ) -> Collections { take(.delivered(datum), at: seconds, from: output) }

  /// Takes the news that an output lost a datum.
  package mutating func drop(
    _ reason: DroppedFrame.Reason, at seconds: Double, from output: Int
  ) -> Collections { take(.dropped(reason), at: seconds, from: output) }

  /// Takes the news that an output has nothing up to a time, itself included, but what it delivered.
  package mutating func pass(_ output: Int, until seconds: Double) -> Collections {
    guard seconds > outputs[output].knownUntil else { return [] }
    outputs[output].knownUntil = seconds
    return completed()
  }

  /// Takes the news that no output will deliver anything more.
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

  /// Sends every time of which all outputs are known.
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

/// The data of several outputs for one moment; `AVCaptureSynchronizedDataCollection`.
package struct SynchronizedData<Datum: Sendable>: Sendable {
  /// The entry of one output for the moment.
  package enum Entry: Sendable {
    /// A datum.
    case delivered(Datum)
    /// A datum existed and was lost.
    case dropped(DroppedFrame.Reason)
  }

  /// The presentation time, in seconds.
  package let timestampSeconds: Double
  /// The entries by output, the master's first; `nil` where an output has nothing for the moment,
  /// which is not the same as a loss.
  package let entries: [Entry?]

  /// Whether the master output has something for the moment.
  package var isMaster: Bool { entries.first.flatMap { $0 } != nil }

  /// The datum of an output; `nil` where it has none or lost it.
  package func datum(of output: Int) -> Datum? {
    if case .delivered(let datum) = entries[output] { datum } else { nil }
  }

  /// The reason why an output lost its datum; `nil` where it lost none.
  package func droppedReason(of output: Int) -> DroppedFrame.Reason? {
    if case .dropped(let reason) = entries[output] { reason } else { nil }
  }
}

/// Refuses frames that waited too long for their turn, where the system itself would pile them up.
///
/// ARKit calls its delegate for every frame and has only a few of them: one that is turned into a
/// capture too slowly must let later ones go at once. `AVCaptureVideoDataOutput` has
/// `alwaysDiscardsLateVideoFrames` for that.
package struct FrameDeadline: Hashable, Sendable {
  /// The longest wait in seconds; three frames at 30 a second, this project's choice.
  package var seconds: Double

  /// Creates a deadline.
  package init(seconds: Double = 0.1) { self.seconds = seconds }

  /// Holds a frame against the deadline.
  ///
  /// - Parameters:
  ///   - timestampSeconds: The frame's time.
  ///   - nowSeconds: The same clock's now, for ARKit the time since the device started.
  /// - Returns: The loss to report; `nil` for a frame in time.
  package func loss(of timestampSeconds: Double, at nowSeconds: Double) -> DroppedFrame? {
    guard nowSeconds - timestampSeconds > seconds else { return nil }
    return DroppedFrame(timestampSeconds: timestampSeconds, reason: .lateData)
  }
}
