/// The data of several outputs for one moment; `AVCaptureSynchronizedDataCollection`.
public struct SynchronizedData<Datum: Sendable>: Sendable {
  /// The entry of one output for the moment.
  public enum Entry: Sendable {
    /// A datum.
    case delivered(Datum)
    /// A datum existed and was lost.
    case dropped(DroppedFrame.Reason)
  }

  /// The presentation time, in seconds.
  public let timestampSeconds: Double
  /// The entries by output, the master's first; `nil` where an output has nothing for the moment,
  /// which is not the same as a loss.
  public let entries: [Entry?]

  /// Whether the master output has something for the moment.
  public var isMaster: Bool { entries.first.flatMap { $0 } != nil }

  /// The datum of an output; `nil` where it has none or lost it.
  public func datum(of output: Int) -> Datum? {
    if case .delivered(let datum) = entries[output] { datum } else { nil }
  }

  /// The reason why an output lost its datum; `nil` where it lost none.
  public func droppedReason(of output: Int) -> DroppedFrame.Reason? {
    if case .dropped(let reason) = entries[output] { reason } else { nil }
  }
}
