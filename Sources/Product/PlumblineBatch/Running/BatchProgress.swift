package import PlumblineIO

/// How far a run is.
package struct BatchProgress: Sendable, Hashable {
  /// The captures that were found in all; `nil` while they are counted, and for lists from a pipe.
  package var total: Int?
  /// Captures with a result, those of earlier runs included.
  package var done = 0
  /// Captures without a result, those of earlier runs included.
  package var failed = 0
  /// Of both, those that an earlier run did.
  package var skipped = 0
  /// Seconds since the run began.
  package var seconds = 0.0
  /// Captures of this run in a second; `nil` before the first one.
  package var perSecond: Double?
  /// How long the rest takes at this rate, in seconds; `nil` where it is not known.
  package var secondsLeft: Double?
  /// The capture of this run that took longest, and its seconds; `nil` before the first one.
  package var slowest: (path: String, seconds: Double)? {
    get { slowestPath.map { ($0, slowestSeconds) } }
    set { (slowestPath, slowestSeconds) = (newValue?.path, newValue?.seconds ?? 0) }
  }

  private var slowestPath: String?
  private var slowestSeconds = 0.0

  /// Creates the progress of a run that has begun.
  package init() {}

  /// The captures that this run has done, with or without a result.
  package var finished: Int { done + failed - skipped }

  /// One line for programs: `plumbline.batch-progress/1`.
  package var json: JSONValue {
    [
      "schema": "plumbline.batch-progress/1", "total": .integer(total), "done": .integer(done),
      "failed": .integer(failed), "skipped": .integer(skipped), "seconds": .number(seconds),
      "perSecond": .number(perSecond), "secondsLeft": .number(secondsLeft),
      "slowest": slowest.map { ["path": .string($0.path), "seconds": .number($0.seconds)] } ?? nil,
    ]
  }

  /// Sets the rate and the rest for a time since the run began.
  mutating func set(seconds: Double) {
    self.seconds = seconds
    perSecond = finished > 0 && seconds > 0 ? Double(finished) / seconds : nil
    secondsLeft = nil
    if let total, let perSecond { secondsLeft = Double(max(0, total - done - failed)) / perSecond }
  }
}
