import Plumbline
import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A run on its way: hands captures to workers, takes their answers and records them.
///
/// One thread does all of it and waits for descriptors; a second one searches the folders.
final class BatchLoop {
  let plan: BatchPlan
  let journal: Journal
  let queue: CaptureQueue
  let stop: BatchStop
  let slots: [WorkerSlot]
  /// Captures that are given again, before new ones.
  var again: [BatchJob] = []
  /// The paths that are with workers or not recorded yet: what the journal cannot tell.
  var pending: Set<String> = []
  var records: [JournalRecord] = []
  var renewed: [(path: String, identity: CaptureIdentity)] = []
  /// When the oldest of what is not recorded came, in milliseconds.
  var unrecordedSince: Int?
  var progress = BatchProgress()
  /// Whether the search is over.
  var hasAll = false
  /// Whether every capture was done.
  var isComplete: Bool { hasAll && again.isEmpty && slots.allSatisfy(\.jobs.isEmpty) }
  private var lastID = 0
  /// Whether a worker has ended over a capture.
  var hasLostWorkers = false
  /// How many workers in a row have ended before they were ready.
  var failedStarts = 0

  /// What is recorded together, at most, and how long the first of it waits, in milliseconds.
  private static let commitCount = 512
  private static let commitMilliseconds = 500

  init(_ plan: BatchPlan, journal: Journal, stop: BatchStop) {
    self.plan = plan
    self.journal = journal
    self.stop = stop
    queue = CaptureQueue(plan.search, wake: stop.wake)
    slots = (0..<max(1, plan.workerCount)).map { _ in WorkerSlot() }
  }

  /// Runs until all is done, or until the stop is requested and what runs is done.
  ///
  /// - Parameter report: Is called some times a second with how far the work is.
  /// - Throws: As ``BatchRun/run(counts:_:)``.
  func run(_ report: (inout BatchProgress) -> Void) throws {
    defer { queue.stop() }
    let start = SystemPipe.milliseconds()
    while true {
      try fill()
      if slots.allSatisfy({ $0.jobs.isEmpty }), hasAll || stop.isRequested { break }
      try wait()
      try commit(isLast: false)
      progress.set(seconds: Double(SystemPipe.milliseconds() - start) / 1_000)
      report(&progress)
    }
    try commit(isLast: true)
    for slot in slots { slot.process?.closeInput() }
    for slot in slots { _ = slot.process?.waitForEnd() }
    progress.set(seconds: Double(SystemPipe.milliseconds() - start) / 1_000)
    report(&progress)
  }

  /// Gives captures to all workers that take some.
  private func fill() throws {
    guard !stop.isRequested else { return }
    // One each first, so that no worker has two while another has none.
    for depth in 1...WorkerSlot.depth {
      for slot in slots where slot.jobs.count < depth && slot.takes(plan.workers) {
        guard let job = try nextJob() else { return }
        try give(job, to: slot)
      }
    }
  }

  private func give(_ job: BatchJob, to slot: WorkerSlot) throws {
    if slot.process == nil {
      slot.process = try WorkerProcess(plan.workers.program)
    }
    lastID += 1
    var job = job
    job.id = lastID
    let request = plan.request(id: lastID, path: job.capture.path, unless: job.unless)
    slot.give(job, request.line, now: SystemPipe.milliseconds())
  }

  /// The next capture that is to be done; `nil` where there is none now.
  private func nextJob() throws -> BatchJob? {
    if let job = again.popLast() { return job }
    while !hasAll {
      switch try queue.next() {
      case .end: hasAll = true
      case .later: return nil
      case .capture(let capture):
        if let job = try job(for: capture) { return job }
      }
    }
    return nil
  }

  /// What is to be done about a capture that was found; `nil` for nothing.
  private func job(for capture: FoundCapture) throws -> BatchJob? {
    if let since = plan.since, let identity = capture.identity, identity.modified < since {
      return nil
    }
    guard !pending.contains(capture.path) else { return nil }
    var job = BatchJob(capture: capture)
    let known = try journal.known(capture.path)
    if let known, known.state == .todo { job.attempt = known.attempt }
    if let known, known.state != .todo {
      let isFailed = known.state == .failed
      let isSame = known.identity == capture.identity
      if isSame, !(isFailed && plan.retriesFailed) {
        progress.skipped += 1
        if isFailed { progress.failed += 1 } else { progress.done += 1 }
        return nil
      }
      // Another time alone changes nothing; the worker compares the bytes.
      if known.identity?.bytes == capture.identity?.bytes, !isFailed { job.unless = known.sha256 }
    }
    pending.insert(capture.path)
    return job
  }

  /// Records what has come, where it is much or has waited.
  func commit(isLast: Bool) throws {
    guard let since = unrecordedSince else { return }
    let waited = SystemPipe.milliseconds() - since
    guard isLast || records.count >= Self.commitCount || waited >= Self.commitMilliseconds else {
      return
    }
    try journal.record(records)
    try journal.renew(renewed)
    for record in records where record.state != .todo { pending.remove(record.path) }
    for (path, _) in renewed { pending.remove(path) }
    records.removeAll(keepingCapacity: true)
    renewed.removeAll(keepingCapacity: true)
    unrecordedSince = nil
  }

  /// How long the loop may wait for descriptors, in milliseconds.
  var patience: Int {
    let now = SystemPipe.milliseconds()
    var most = 250
    if let since = unrecordedSince {
      most = min(most, max(0, since + Self.commitMilliseconds - now))
    }
    for slot in slots where !slot.jobs.isEmpty {
      most = min(most, max(0, slot.began + Int(plan.workers.seconds * 1_000) - now + 1))
    }
    return most
  }
}
