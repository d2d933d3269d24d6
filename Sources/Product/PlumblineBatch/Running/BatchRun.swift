import Dispatch
import Plumbline
import PlumblineIO
import Synchronization

/// Runs a plan.
package struct BatchRun {
  private let plan: BatchPlan
  private let stop: BatchStop

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - plan: What is done with which captures.
  ///   - stop: Ends it early, with what runs done.
  package init(_ plan: BatchPlan, stop: BatchStop = BatchStop()) {
    self.plan = plan
    self.stop = stop
  }

  /// Does every capture that is not done, and writes the results of all.
  ///
  /// - Parameters:
  ///   - counts: Whether the captures are counted beside, so that the progress has a total.
  ///   - report: Is called some times a second with how far the work is.
  /// - Returns: What it has come to.
  /// - Throws: ``JournalError``, ``BatchError``, `ProgramFailure` for workers that cannot be started,
  ///   `InputError` for a list that cannot be read; what was recorded stays, and the same plan goes on.
  package func run(
    counts: Bool = false, _ report: (BatchProgress) -> Void = { _ in }
  ) throws -> BatchSummary {
    let journal = try Journal(folder: plan.folder, settings: plan.settings, replaces: plan.replaces)
    removeUnfinished()
    let counter = counts ? CaptureCounter(plan.search) : nil
    defer { counter?.stop() }
    let loop = BatchLoop(plan, journal: journal, stop: stop)
    do {
      try loop.run { progress in
        progress.total = counter?.total
        report(progress)
      }
    } catch {
      // What has come is kept, whatever has failed.
      try? loop.commit(isLast: true)
      throw error
    }
    // Of workers that were ended, and have been replaced.
    if loop.hasLostWorkers { removeUnfinished() }
    let code = try JournalResults(
      folder: plan.folder, journal: journal, verb: plan.settings.verb
    ).write()
    // The captures of the results, however often one was given.
    var progress = loop.progress
    let finished = progress.finished
    (progress.done, progress.failed) = try journal.counts()
    progress.skipped = progress.done + progress.failed - finished
    return BatchSummary(
      progress: progress, isInterrupted: stop.isRequested && !loop.isComplete, failureCode: code)
  }

  /// Removes what killed workers were writing.
  private func removeUnfinished() {
    for folder in [plan.folder + "/captures", plan.folder + "/thumbnails"] {
      for name in (try? FileOperations.system.entries(folder)) ?? []
      where name.hasSuffix(CaptureOutput.partialEnding) {
        let path = "\(folder)/\(name)"
        FileOperations.system.removeTree(path)
        try? FileOperations.system.remove(path)
      }
    }
  }
}

/// Counts the captures of a search on a thread of its own.
private final class CaptureCounter: Sendable {
  private let found = Mutex<Int?>(nil)
  private let isStopped = Atomic(false)

  init(_ search: CaptureSearch) {
    // Standard input can be read once.
    guard !search.sources.contains(.standardInput) else { return }
    DispatchQueue(label: "count").async { [self] in
      var count = 0
      do throws(InputError) {
        try search.run { _ in
          count += 1
          return !isStopped.load(ordering: .relaxed)
        }
      } catch { return }
      found.withLock { $0 = count }
    }
  }

  /// How many there are; `nil` until all are counted.
  var total: Int? { found.withLock { $0 } }

  func stop() { isStopped.store(true, ordering: .relaxed) }
}
