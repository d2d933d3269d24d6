import PlumblineIO
public import PlumblineModel

/// The motion samples of a recording, and how many of its rows could not be read.
public struct RecordedMotion: Sendable, Hashable {
  /// The samples in time order.
  public var samples: [MotionSample]
  /// The number of rows that cannot be read in full; `samples` has what could be read of them, and
  /// nothing of one without a time.
  public var unreadableCount: Int
  /// The first of these rows, cut to 60 characters and safe to print; empty if there is none.
  public var firstUnreadable: String

  /// Creates motion from its samples; without further arguments every row was read.
  public init(
    samples: [MotionSample] = [], unreadableCount: Int = 0, firstUnreadable: String = ""
  ) {
    self.samples = samples
    self.unreadableCount = unreadableCount
    self.firstUnreadable = firstUnreadable
  }

  /// The finding about rows that could not be read; empty if all could.
  public var findings: [Finding] {
    guard unreadableCount > 0 else { return [] }
    return [
      Finding(
        .sequenceMotionDamaged, .caution,
        "\(unreadableCount) motion samples cannot be read, or only in part",
        evidence: firstUnreadable)
    ]
  }

  /// Counts a row that cannot be read.
  mutating func addUnreadable(_ row: @autoclosure () -> String) {
    unreadableCount += 1
    if unreadableCount == 1 { firstUnreadable = printable(text: row().prefix(60)) }
  }
}
