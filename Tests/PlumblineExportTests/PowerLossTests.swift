import PlumblineTestSupport
import Testing

@testable import PlumblineExport
@testable import PlumblineIO

/// What outputs promise holds after a kill at any call and after the power fails at any moment.
@Suite struct PowerLossTests {
  static let old: [String: [UInt8]] = [
    "d/depth": [1, 1, 1, 1, 1, 1, 1], "d/sigma": [2, 2], "d/note": [3],
  ]
  static let new: [String: [UInt8]] = [
    "d/depth": [4, 4, 4, 4, 4, 4, 4, 4, 4], "d/report": [5, 5, 5, 5, 5, 5],
  ]

  /// Writes `depth` and `report`; `sigma` belongs to the set and goes, `note` is the user's.
  private func replaceSet(_ operations: FileOperations) throws(OutputError) {
    var output = OutputTransaction(existing: .replace, operations: operations)
    try output.createDirectory(at: "d")
    for name in Self.new.keys.sorted() { try output.stage(Self.new[name] ?? [], at: name) }
    try output.removeStale(in: "d") { $0 == "sigma" }
    _ = try output.publish()
  }

  private func disk(_ files: [String: [UInt8]] = old) -> CrashDisk {
    let disk = CrashDisk()
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) { disk.put(bytes, at: path) }
    return disk
  }

  /// The files that a user sees once an interrupted set was completed.
  private func files(of disk: CrashDisk) throws -> [String: [UInt8]] {
    _ = try UnfinishedSet.complete(in: "d", disk.operations)
    let shown = disk.paths.filter { $0.hasPrefix("d/") && !$0.hasPrefix("d/.") }
    return Dictionary(uniqueKeysWithValues: shown.map { ($0, disk.bytes($0) ?? []) })
  }

  private var whole: [String: [UInt8]] {
    Self.new.merging(["d/note": Self.old["d/note"] ?? []]) { first, _ in first }
  }

  @Test("After a kill at each call the set is the old one or the new one")
  func killedAtEachCall() throws {
    let counter = disk()
    try replaceSet(counter.operations)
    #expect(try files(of: counter) == whole)
    #expect(!counter.paths.contains { $0.contains("/.") }, "\(counter.paths)")
    var seen = (old: 0, new: 0)
    for calls in 0..<counter.calls {
      let disk = disk()
      disk.stop(after: calls)
      // What fails behind the last name only cleans up.
      let isDone = (try? replaceSet(disk.operations)) != nil
      disk.stop(after: .max)
      // A process that was killed has nothing open any more.
      let left = try files(of: disk)
      #expect(!isDone && left == Self.old || left == whole, "call \(calls): \(left.keys.sorted())")
      if left == whole { seen.new += 1 } else { seen.old += 1 }
    }
    #expect(seen.old > 10 && seen.new > 3, "\(seen)")
  }

  @Test("After 1,000 losses of power the set is the old one or the new one")
  func powerLost() throws {
    let counter = disk()
    try replaceSet(counter.operations)
    var seen = (old: 0, new: 0)
    for seed in UInt64(0)..<1000 {
      var generator = SeededGenerator(seed: seed)
      let disk = disk()
      disk.stop(after: Int(generator.next() % UInt64(counter.calls)))
      // What fails behind the last name only cleans up.
      let isDone = (try? replaceSet(disk.operations)) != nil
      disk.crash(seed: seed)
      let left = try files(of: disk)
      #expect(!isDone && left == Self.old || left == whole, "seed \(seed): \(left)")
      if left == whole { seen.new += 1 } else { seen.old += 1 }
    }
    #expect(seen.old > 100 && seen.new > 30, "\(seen)")
  }

  @Test("What was published is there after the power fails", arguments: UInt64(0)..<100)
  func promised(seed: UInt64) throws {
    let existing = disk()
    try replaceSet(existing.operations)
    existing.crash(seed: seed)
    #expect(try files(of: existing) == whole)
    let fresh = CrashDisk()
    var output = OutputTransaction(existing: .keep, operations: fresh.operations)
    try output.createDirectory(at: "d/set")
    try output.createDirectory(at: "d/set/truth")
    try output.stage([1, 2, 3, 4, 5, 6], at: "d/set/a")
    try output.stage([7], at: "d/set/truth/b")
    _ = try output.publish()
    fresh.crash(seed: seed)
    #expect(fresh.bytes("d/set/a") == [1, 2, 3, 4, 5, 6] && fresh.bytes("d/set/truth/b") == [7])
  }

  @Test("A new folder appears whole or not at all", arguments: UInt64(0)..<300)
  func newFolder(seed: UInt64) throws {
    func write(_ disk: CrashDisk) throws(OutputError) {
      var output = OutputTransaction(existing: .keep, operations: disk.operations)
      try output.createDirectory(at: "d/set")
      try output.stage([1, 2, 3, 4, 5, 6], at: "d/set/a")
      try output.stage([7], at: "d/set/b")
      _ = try output.publish()
    }
    let counter = CrashDisk()
    try write(counter)
    var generator = SeededGenerator(seed: seed)
    let disk = CrashDisk()
    disk.stop(after: Int(generator.next() % UInt64(counter.calls)))
    try? write(disk)
    disk.crash(seed: seed)
    let (a, b) = (disk.bytes("d/set/a"), disk.bytes("d/set/b"))
    #expect((a == nil && b == nil) || (a == [1, 2, 3, 4, 5, 6] && b == [7]), "\(disk.paths)")
  }

  @Test("What a recorder has synchronized is there after the power fails")
  func appended() throws {
    for seed in UInt64(0)..<300 {
      let disk = CrashDisk()
      let file = try AppendedFile(path: "d/a", ballastBytes: 0, operations: disk.operations)
      var (promised, written) = (0, [UInt8]())
      var generator = SeededGenerator(seed: seed)
      disk.stop(after: disk.calls + Int(generator.next() % 40))
      for step in 0..<12 {
        let piece = [UInt8](repeating: UInt8(step), count: 3 + step)
        guard (try? file.append(piece[...])) != nil else { break }
        written += piece
        if step % 3 == 2 {
          guard (try? file.synchronize()) != nil else { break }
          promised = written.count
        }
      }
      disk.crash(seed: seed)
      let left = disk.bytes("d/a.partial") ?? []
      #expect(
        left.count >= promised && left.prefix(promised) == written.prefix(promised)[...],
        "seed \(seed): \(left.count) of \(promised) bytes")
    }
  }
}
