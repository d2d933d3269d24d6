package import Plumbline
import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension BatchLoop {
  /// Waits until a worker says something, a time is over or the loop is woken, and takes what came.
  func wait() throws {
    var places = [pollfd(fd: stop.wake.descriptor, events: CShort(POLLIN), revents: 0)]
    for slot in slots {
      guard let process = slot.process else { continue }
      places.append(pollfd(fd: process.output, events: CShort(POLLIN), revents: 0))
      if process.hasMessages {
        places.append(pollfd(fd: process.errors, events: CShort(POLLIN), revents: 0))
      }
      if process.hasUnsent {
        places.append(pollfd(fd: process.input, events: CShort(POLLOUT), revents: 0))
      }
    }
    _ = poll(&places, nfds_t(places.count), CInt(patience))
    if places[0].revents != 0 { stop.wake.clear() }
    let ready = Set(places.filter { $0.revents != 0 }.map(\.fd))
    for slot in slots {
      guard let process = slot.process else { continue }
      if ready.contains(process.input) { process.sendMore() }
      if ready.contains(process.errors) { process.readMessages() }
      if ready.contains(process.output) { try read(slot) }
      try watch(slot)
    }
  }

  private func read(_ slot: WorkerSlot) throws {
    guard let process = slot.process else { return }
    switch process.read(atMost: plan.workers.answerBytes) {
    case .messages(let messages):
      for message in messages {
        guard take(message, from: slot) else {
          return try end(slot, .answer("what is no answer"))
        }
      }
      retire(slot)
    case .tooLong:
      try end(slot, .answer("more than \(plan.workers.answerBytes) bytes"))
    case .end:
      let how = process.waitForEnd() ?? WorkerEnd(status: 0, message: [])
      try lost(slot, slot.failure ?? .ended(how))
    }
  }

  /// Takes one message; `false` for what is no answer to the capture that the worker has.
  private func take(_ message: ArraySlice<UInt8>, from slot: WorkerSlot) -> Bool {
    guard slot.isReady else {
      let greeting = try? JSONValue(parsing: message)
      slot.isReady = greeting?["worker"]?.string == "plumbline.batch-worker/1"
      if slot.isReady { failedStarts = 0 }
      return slot.isReady
    }
    guard let answer = try? WorkerAnswer(message: message), slot.jobs.first?.id == answer.id,
      let job = slot.answer(now: SystemPipe.milliseconds())
    else { return false }
    keep(answer, of: job)
    return true
  }

  private func keep(_ answer: WorkerAnswer, of job: BatchJob) {
    if unrecordedSince == nil { unrecordedSince = SystemPipe.milliseconds() }
    let path = job.capture.path
    switch answer.result {
    case .unchanged:
      if let identity = job.capture.identity { renewed.append((path, identity)) }
      progress.done += 1
      progress.skipped += 1
    case .document(let document):
      let packed = PackedResult(
        document, code: answer.code, path: path, bytes: answer.bytes, sha256: answer.sha256)
      keep(packed, answer, of: job)
    case .packed(let packed): keep(packed, answer, of: job)
    }
  }

  private func keep(_ packed: PackedResult, _ answer: WorkerAnswer, of job: BatchJob) {
    let path = job.capture.path
    records.append(
      JournalRecord(
        path: path, identity: job.capture.identity, sha256: answer.sha256,
        state: packed.isFailed ? .failed : .done, code: answer.code, attempt: job.attempt + 1,
        seconds: answer.seconds, processorSeconds: answer.processorSeconds,
        peakBytes: answer.peakBytes, result: packed))
    if packed.isFailed { progress.failed += 1 } else { progress.done += 1 }
    if answer.seconds > progress.slowest?.seconds ?? 0 { progress.slowest = (path, answer.seconds) }
  }

  /// Lets a worker end that has done its share of captures.
  private func retire(_ slot: WorkerSlot) {
    guard slot.jobs.isEmpty, slot.answered >= plan.workers.captures else { return }
    slot.process?.closeInput()
    _ = slot.process?.waitForEnd()
    _ = slot.clear()
  }

  /// Ends a worker that takes too long or too much memory.
  private func watch(_ slot: WorkerSlot) throws {
    guard let process = slot.process, slot.failure == nil else { return }
    let now = SystemPipe.milliseconds()
    if !slot.jobs.isEmpty, now - slot.began > Int(plan.workers.seconds * 1_000) {
      return try end(slot, .late(seconds: plan.workers.seconds))
    }
    guard now - slot.looked >= 100 else { return }
    slot.looked = now
    guard let bytes = ProcessUse.memory(of: process.number) else { return }
    if bytes > plan.workers.memoryBytes {
      try end(slot, .memory(bytes: plan.workers.memoryBytes))
    }
  }

  /// Ends a worker for a reason.
  private func end(_ slot: WorkerSlot, _ failure: WorkerFailure) throws {
    _ = slot.process?.end()
    try lost(slot, failure)
  }

  /// Deals with the captures of a worker that has ended: the first is its own fault, the others go back.
  private func lost(_ slot: WorkerSlot, _ failure: WorkerFailure) throws {
    let wasReady = slot.isReady
    hasLostWorkers = true
    var jobs = slot.clear()
    if !wasReady {
      failedStarts += 1
      // A worker that never gets ready says nothing about a capture.
      if failedStarts >= 5 { throw BatchError.workersDoNotStart(failure.found) }
      again += jobs.reversed()
      return
    }
    guard !jobs.isEmpty else { return }
    var first = jobs.removeFirst()
    again += jobs.reversed()
    first.attempt += 1
    if unrecordedSince == nil { unrecordedSince = SystemPipe.milliseconds() }
    let path = first.capture.path
    // A worker that is ended from outside says nothing about the capture, unless it happens again and again.
    let most = failure.isFromOutside ? max(plan.attempts, 5) : plan.attempts
    guard first.attempt >= most else {
      records.append(
        JournalRecord(
          path: path, identity: first.capture.identity, state: .todo, attempt: first.attempt))
      again.append(first)
      return
    }
    let bytes = first.capture.identity?.bytes
    // A capture of any size is digested, so that the row does not depend on who did it.
    let digest = CaptureIdentity.digest(path: path)
    let document = failure.document(path: path)
    records.append(
      JournalRecord(
        path: path, identity: first.capture.identity, sha256: digest, state: .failed,
        code: document.code, attempt: first.attempt,
        result: PackedResult(
          document.json, code: document.code, path: path, bytes: bytes, sha256: digest)))
    progress.failed += 1
  }
}

/// Why a run cannot go on.
package enum BatchError: CategorizedError, Sendable, Hashable, CustomStringConvertible {
  /// Workers end before they can take a capture.
  case workersDoNotStart(String)

  package var category: FailureCategory { .programFault }

  package var description: String {
    switch self {
    case .workersDoNotStart(let how): "workers end before they take a capture: \(how)"
    }
  }
}
