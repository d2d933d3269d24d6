import Foundation
import PlumblineIO
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

/// What is recorded is there afterwards, and what is no journal is said to be none.
@Suite struct JournalTests {
  private let settings = BatchSettings(verb: "check", options: ["--json"])

  private func records(_ count: Int, seed: UInt64) -> [JournalRecord] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let path = "/a/\(String(generator.next(), radix: 36)) é\n\(index).heic"
      let isFailed = generator.next() % 4 == 0
      let document: JSONValue =
        isFailed
        ? ["schema": "plumbline.error/1", "code": 65, "message": "broken"]
        : [
          "schema": "plumbline.check/1", "verdict": "measurable",
          "uncertainty": ["zMillimeters": .number(Double(generator.next() % 1_000) / 100)],
          "findings": [["code": "depth.sparse"], ["code": "lens.none"]],
        ]
      let digest = SHA256Digest.hexadecimal(of: Array(path.utf8))
      let identity = CaptureIdentity(
        bytes: Int(generator.next() % 1_000_000), modified: Int(generator.next() >> 2),
        isFolder: generator.next() % 2 == 0)
      return JournalRecord(
        path: path, identity: identity, sha256: digest, state: isFailed ? .failed : .done,
        code: isFailed ? 65 : 0, attempt: Int(generator.next() % 3) + 1, seconds: 0.25,
        processorSeconds: 0.125, peakBytes: 1 << 26,
        result: PackedResult(
          document, code: isFailed ? 65 : 0, path: path, bytes: identity.bytes, sha256: digest))
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func recordsAreReadBackInTheOrderOfTheirPaths(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let records = records(300, seed: seed)
    do {
      let journal = try Journal(folder: folder.file("r"), settings: settings)
      try journal.record(Array(records[..<200]))
      try journal.record(Array(records[150...]))
    }
    let journal = try Journal(folder: folder.file("r"), settings: settings)
    var found: [JournalRecord] = []
    try journal.forEach { found.append($0) }
    #expect(
      found == records.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    for record in records.prefix(20) {
      let known = try #require(try journal.known(record.path))
      #expect(known.state == record.state && known.identity == record.identity)
      #expect(known.sha256 == record.sha256)
    }
    #expect(try journal.known("/elsewhere") == nil)
    let counts = try journal.counts()
    #expect(counts.done == records.count { $0.state == .done })
    #expect(counts.failed == records.count { $0.state == .failed })
  }

  @Test func aSecondRunInTheFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    let journal = try Journal(folder: folder.file("r"), settings: settings)
    let error = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("r"), settings: settings)
    }
    #expect(error?.reason == .locked)
    #expect(try journal.counts().done == 0)
  }

  @Test func otherSettingsAreRefusedUnlessResultsMayBeReplaced() throws {
    let folder = try TemporaryFolder()
    try Journal(folder: folder.file("r"), settings: settings).record(records(5, seed: 4))
    var other = settings
    other.options += ["--need", "1%"]
    let error = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("r"), settings: other)
    }
    #expect(error?.reason == .otherSettings)
    #expect(error?.description.contains("--need 1%") == true)
    // What the user measured of devices changes results as options do.
    var measured = settings
    measured.devices = String(repeating: "ab", count: 32)
    let unlike = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("r"), settings: measured)
    }
    #expect(unlike?.description.contains("own measurements of devices abababab") == true)
    let journal = try Journal(folder: folder.file("r"), settings: other, replaces: true)
    #expect(try journal.counts().done == 0)
    #expect(try journal.known(records(5, seed: 4)[0].path) == nil)
  }

  @Test func aJournalOfALaterVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    _ = try Journal(folder: folder.file("r"), settings: settings)
    try SQLiteConnection(path: folder.file("r/journal.sqlite"))
      .run(script: "PRAGMA user_version = 2")
    let error = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("r"), settings: settings)
    }
    #expect(error?.reason == .newerSchema)
    #expect(error?.found.contains("version 2") == true)
  }

  @Test func anotherDatabaseAndOtherBytesAreRefused() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("r"), withIntermediateDirectories: false)
    try SQLiteConnection(path: folder.file("r/journal.sqlite"))
      .run(script: "CREATE TABLE mine (a)")
    let error = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("r"), settings: settings)
    }
    #expect(error?.reason == .damaged)
    try FileManager.default.createDirectory(
      atPath: folder.file("s"), withIntermediateDirectories: false)
    try folder.put(Array(repeating: 0x41, count: 5_000), at: "s/journal.sqlite")
    let other = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("s"), settings: settings)
    }
    #expect(other?.reason == .damaged)
  }

  @Test func filesOfSomebodyElseAreNotReplaced() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("r"), withIntermediateDirectories: false)
    try folder.put([1], at: "r/results.csv")
    let error = #expect(throws: JournalError.self) {
      try Journal(folder: folder.file("r"), settings: settings)
    }
    #expect(error?.reason == .occupied)
    #expect(folder.bytes("r/results.csv") == [1])
  }

  /// Bytes of the file are changed at random; it is then either refused, or what is read is an error or
  /// records of which each was recorded.
  @Test func damageIsFoundOrHarmless() throws {
    let folder = try TemporaryFolder()
    let sound = records(200, seed: 5)
    try Journal(folder: folder.file("r"), settings: settings).record(sound)
    let bytes = try #require(folder.bytes("r/journal.sqlite"))
    let lines = Set(try sound.map { try #require($0.result).line() })
    var generator = SeededGenerator(seed: 6)
    var refused = 0
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<8 {
        damaged[Int(generator.next() % UInt64(bytes.count))] = UInt8(generator.next() & 0xFF)
      }
      for name in ["journal.sqlite-wal", "journal.sqlite-shm"] {
        try? FileManager.default.removeItem(atPath: folder.file("r/\(name)"))
      }
      try folder.put(damaged, at: "r/journal.sqlite")
      do {
        let journal = try Journal(folder: folder.file("r"), settings: settings)
        try journal.forEach { record in
          // zlib's checksum finds a change of the document.
          guard let line = try? record.result?.line() else { return }
          #expect(lines.contains(line))
        }
      } catch { refused += 1 }
    }
    #expect(refused > 0)
  }
}
