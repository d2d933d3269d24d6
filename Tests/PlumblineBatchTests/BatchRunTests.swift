import Foundation
import PlumblineIO
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

/// A run does every capture once, whatever captures do to their workers.
@Suite struct BatchRunTests {
  @Test(arguments: [
    ("abort", 70, "signal 6 (SIGABRT)"), ("exit", 70, "exit code 7"), ("trap", 70, "signal"),
    ("hang", 65, "within 2 s"), ("spin", 65, "within 2 s"), ("memory", 65, "256 MiB"),
    ("long", 65, "more than 1048576 bytes"), ("garbage", 65, "no answer"),
    ("other", 65, "no answer"),
  ])
  func aCaptureThatMisbehavesCostsItselfAlone(
    fault: String, code: Int, words: String
  ) throws {
    var batch = try FakeBatch()
    try batch.addMany(20, seed: 1)
    try batch.add("bad.jpg", "plumbline-fault:\(fault);")
    try batch.addMany(20, seed: 2)
    let summary = try BatchRun(batch.plan()).run()
    #expect(summary.progress.done == 40)
    #expect(summary.progress.failed == 1)
    #expect(summary.failureCode == code)
    let results = try batch.resultsByName()
    #expect(results.count == 41)
    let bad = try #require(results["bad.jpg"])
    #expect(bad["schema"]?.string == "plumbline.error/1")
    #expect(bad["code"]?.integer == code)
    #expect(bad["message"]?.string?.contains(words) == true, "\(bad)")
    #expect(bad["sha256"]?.string?.count == 64)
    let journal = try Journal(folder: batch.folder.file("results"), settings: batch.plan().settings)
    #expect(try journal.known(batch.folder.file("bad.jpg"))?.attempt == 2)
  }

  @Test func whatAVerbPrintsIsNoAnswer() throws {
    var batch = try FakeBatch()
    try batch.add("talking.jpg", "plumbline-fault:print;")
    let summary = try BatchRun(batch.plan()).run()
    #expect(summary.progress.done == 1)
  }

  @Test func resultsAreInTheOrderOfThePathsAndTheSameForAnyNumberOfWorkers() throws {
    var batch = try FakeBatch()
    try batch.addMany(60, seed: 3, microseconds: 2_000)
    try batch.add("é.jpg", "a")
    try batch.add("z\nline.jpg", "b")
    var texts: [[UInt8]] = []
    for (workers, name) in [(1, "one"), (2, "two"), (5, "five")] {
      var plan = try batch.plan(name)
      // A path with a line feed needs the other kind of list.
      try batch.folder.put(Array(batch.paths.joined(separator: "\0").utf8), at: "list.txt")
      plan.workerCount = workers
      plan.workers.captures = 7
      #expect(try BatchRun(plan).run().progress.done == 62)
      texts.append(try #require(batch.folder.bytes("\(name)/results.jsonl")))
    }
    #expect(texts[0] == texts[1] && texts[1] == texts[2])
    let paths = try batch.results("one").compactMap { $0["path"]?.string }
    #expect(paths == batch.paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func outputsAreWholeUnderNamesThatThePathGives() throws {
    var batch = try FakeBatch()
    try batch.addMany(10, seed: 4)
    _ = try BatchRun(batch.plan()).run()
    for path in batch.paths {
      let name = CaptureName(path: path).name
      #expect(
        batch.folder.bytes("results/captures/\(name)/copy")
          == batch.folder.bytes(lastPathPart(path)))
    }
    let lines = try batch.results()
    #expect(lines.allSatisfy { $0["outputs"]?.string?.hasPrefix("captures/") == true })
    let names = try FileManager.default.contentsOfDirectory(
      atPath: batch.folder.file("results/captures"))
    #expect(names.count == 10)
  }

  @Test func theSameRunAgainDoesNothingAndChangedFilesAreDoneAgain() throws {
    var batch = try FakeBatch()
    try batch.addMany(10, seed: 5)
    try batch.add("missing.jpg", "")
    try FileManager.default.removeItem(atPath: batch.folder.file("missing.jpg"))
    #expect(try BatchRun(batch.plan()).run().progress.skipped == 0)
    let before = batch.folder.bytes("results/results.jsonl")
    let again = try BatchRun(batch.plan()).run().progress
    #expect(again.skipped == 11 && again.done == 10 && again.failed == 1)
    #expect(batch.folder.bytes("results/results.jsonl") == before)
    // Another time alone: the bytes are compared, and the result stays.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: batch.paths[0])
    #expect(try BatchRun(batch.plan()).run().progress.finished == 0)
    // Other bytes of the same size.
    let bytes = try #require(batch.folder.bytes(lastPathPart(batch.paths[1])))
    try batch.folder.put(bytes.dropLast() + [UInt8(ascii: "x")], at: lastPathPart(batch.paths[1]))
    #expect(try BatchRun(batch.plan()).run().progress.finished == 1)
    #expect(batch.folder.bytes("results/results.jsonl") != before)
    // A file that was not there.
    try batch.folder.put([1], at: "missing.jpg")
    let last = try BatchRun(batch.plan()).run().progress
    #expect(last.finished == 1 && last.done == 11 && last.failed == 0)
  }

  @Test func failedOnesAreDoneAgainWhenAskedFor() throws {
    var batch = try FakeBatch()
    try batch.add("bad.jpg", "plumbline-fault:abort;")
    try batch.add("good.jpg", "good")
    _ = try BatchRun(batch.plan()).run()
    var plan = try batch.plan()
    #expect(try BatchRun(plan).run().progress.finished == 0)
    plan.retriesFailed = true
    let progress = try BatchRun(plan).run().progress
    #expect(progress.finished == 1 && progress.failed == 1)
  }

  @Test func aStopFinishesWhatRunsAndTheNextRunGoesOn() throws {
    var batch = try FakeBatch()
    try batch.addMany(200, seed: 6, microseconds: 4_000)
    let stop = BatchStop()
    let first = try BatchRun(batch.plan(), stop: stop).run { progress in
      if progress.finished >= 50 { stop.request() }
    }
    #expect(first.isInterrupted)
    #expect(first.progress.finished >= 50 && first.progress.finished < 200)
    #expect(try batch.results().count == first.progress.finished)
    let second = try BatchRun(batch.plan()).run()
    #expect(!second.isInterrupted)
    #expect(second.progress.skipped == first.progress.finished)
    #expect(second.progress.done == 200)
    #expect(try batch.results().count == 200)
  }

  @Test func aPathThatIsGivenTwiceIsDoneOnce() throws {
    var batch = try FakeBatch()
    try batch.addMany(30, seed: 7)
    let progress = try BatchRun(batch.plan(paths: batch.paths + batch.paths)).run().progress
    #expect(progress.finished == 30 && progress.done == 30 && progress.skipped == 0)
    #expect(try batch.results().count == 30)
  }

  @Test func workersThatDoNotStartEndTheRun() throws {
    var batch = try FakeBatch()
    try batch.addMany(3, seed: 8)
    var plan = try batch.plan()
    plan.workers.program = ["/bin/false"]
    #expect(throws: BatchError.self) { try BatchRun(plan).run() }
    plan.workers.program = ["/nowhere/worker"]
    #expect(throws: ProgramFailure.self) { try BatchRun(plan).run() }
    plan.workers.program = [FakeBatch.program, "worker"]
    #expect(try BatchRun(plan).run().progress.done == 3)
  }
}
