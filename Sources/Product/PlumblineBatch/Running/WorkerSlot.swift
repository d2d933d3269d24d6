import PlumblineIO

/// A capture that a worker was or will be given.
struct BatchJob: Sendable, Hashable {
  let capture: FoundCapture
  /// How often a worker has ended over it before.
  var attempt = 0
  /// The digest of a file that need not be done again.
  var unless: String?
  var id = 0
}

/// The place of one worker: its process, and the captures that it was given.
final class WorkerSlot {
  /// `nil` before the first capture, and after a process has ended.
  var process: WorkerProcess?
  /// What it was given and has not answered, in that order.
  private(set) var jobs: [BatchJob] = []
  /// When it began with the first of them, in milliseconds of the monotonic clock.
  private(set) var began = 0
  /// How many captures the process has answered.
  private(set) var answered = 0
  /// Whether the process has said that it is ready.
  var isReady = false
  /// Why this process ended it; `nil` where it was not.
  var failure: WorkerFailure?
  /// When its memory was examined last, in milliseconds.
  var looked = 0

  /// A worker has the next capture while it answers, so that it never waits for this process.
  static let depth = 2

  /// Whether it takes another capture.
  func takes(_ settings: WorkerSettings) -> Bool {
    if failure != nil { return false }
    guard process != nil else { return true }
    return jobs.count < Self.depth && answered + jobs.count < settings.captures
  }

  /// Gives it a capture.
  func give(_ job: BatchJob, _ line: [UInt8], now: Int) {
    if jobs.isEmpty { began = now }
    jobs.append(job)
    process?.send(line)
  }

  /// Takes the capture that was answered.
  func answer(now: Int) -> BatchJob? {
    guard !jobs.isEmpty else { return nil }
    answered += 1
    began = now
    return jobs.removeFirst()
  }

  /// Takes back all captures after the process has ended.
  func clear() -> [BatchJob] {
    defer { (process, jobs, answered, isReady, failure) = (nil, [], 0, false, nil) }
    return jobs
  }
}
