import Foundation
import PlumblineTestSupport
import Synchronization
import Testing
@testable import PlumblineIO
@testable import PlumblineStreams

@testable import PlumblineExport

/// Recordings over a file layer that fails: what was said to be stored is there.
@Suite struct AppendedFileTests {
  /// Real calls that may be short or fail, decided by a seed.
  private final class SeededFaults: Sendable {
    private let state: Mutex<SeededGenerator>
    private let failure: SystemFailure
    /// One call of so many fails.
    private let interval: UInt64

    init(seed: UInt64, interval: UInt64, failure: SystemFailure) {
      state = Mutex(SeededGenerator(seed: seed))
      self.interval = interval
      self.failure = failure
    }

    private func draw(_ count: Int) throws(SystemFailure) -> Int {
      let (fails, part) = state.withLock { generator in
        (generator.next() % interval == 0, generator.next())
      }
      if fails { throw failure }
      return part % 3 == 0 ? max(1, Int(part / 3 % UInt64(max(count, 1)))) : count
    }

    var operations: FileOperations {
      let real = FileOperations.system
      var faulty = real
      faulty.write = { file, bytes throws(SystemFailure) in
        // A failing write may still have written a part.
        do throws(SystemFailure) {
          let count = try self.draw(bytes.count)
          return try real.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        } catch {
          _ = try real.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)))
          throw error
        }
      }
      faulty.synchronizeData = { file throws(SystemFailure) in
        _ = try self.draw(1)
        try real.synchronizeData(file)
      }
      faulty.synchronize = { file throws(SystemFailure) in
        _ = try self.draw(1)
        try real.synchronize(file)
      }
      faulty.close = { file throws(SystemFailure) in
        try real.close(file)
        _ = try self.draw(1)
      }
      faulty.rename = { path, new throws(SystemFailure) in
        _ = try self.draw(1)
        try real.rename(path, new)
      }
      return faulty
    }
  }

  private final class File: RecordingFile {
    let file: AppendedFile
    init(_ file: AppendedFile) { self.file = file }
    var byteCount: Int { file.byteCount }

    private func translated(
      _ work: () throws(OutputError) -> Void
    ) throws(RecordingWritingError) {
      do throws(OutputError) { try work() } catch {
        throw .output(path: error.path, detail: error.detail, reason: .inputOutput)
      }
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(RecordingWritingError) {
      try translated { () throws(OutputError) in try file.append(bytes) }
    }
    func synchronize() throws(RecordingWritingError) {
      try translated { () throws(OutputError) in try file.synchronize() }
    }
    func close() throws(RecordingWritingError) {
      try translated { () throws(OutputError) in try file.close() }
    }
  }

  /// Records until something fails, then tries to end the recording.
  ///
  /// - Returns: What was said to be stored, and whether the end was written.
  private func record(
    to file: AppendedFile, messages: UInt32 = 120, seed: UInt64 = 1
  ) -> (stored: Int, taken: Int, isFinished: Bool, failure: RecordingWritingError?) {
    var options = MCAPWritingOptions()
    options.chunkBytes = 64 << 10
    guard var writer = try? MCAPWriter(file: File(file), library: "t", options: options) else {
      return (0, 0, false, nil)
    }
    var failure: RecordingWritingError?
    do throws(RecordingWritingError) {
      let channel = try writer.addChannel(topic: "/a", messageEncoding: "", schemaID: 0)
      for number in 0..<messages {
        try writer.write(RecordedMessages.message(number, channel: channel, seed: seed))
        if number % 10 == 9 { try writer.flush() }
      }
    } catch { failure = error }
    let stored = writer.storedMessageCount
    do throws(RecordingWritingError) {
      try writer.finish()
      return (writer.storedMessageCount, writer.messageCount, true, failure)
    } catch {
      return (stored, writer.messageCount, false, failure ?? error)
    }
  }

  private func expectSound(
    _ bytes: [UInt8]?, stored: Int, seed: UInt64, _ name: Comment
  ) throws {
    guard let bytes, bytes.count >= 8 else {
      #expect(stored == 0, name)
      return
    }
    let file = try MCAPFile(source: MemoryBytes(bytes))
    var found: [MCAPMessage] = []
    #expect(try file.forEachMessage { found.append($0) } == [], name)
    #expect(found.count >= stored, name)
    let expected = (0..<UInt32(found.count)).map {
      RecordedMessages.message($0, channel: 1, seed: seed)
    }
    #expect(found == expected, name)
  }

  @Test func whateverFailsWhatWasStoredIsThere() throws {
    var finished = 0
    var failed = 0
    for seed in UInt64(0)..<120 {
      let folder = try TemporaryFolder()
      let faults = SeededFaults(
        seed: seed, interval: 4 + seed % 60, failure: seed % 2 == 0 ? .noSpace : .inputOutput)
      let file = try AppendedFile(
        path: folder.file("a.mcap"), ballastBytes: 1 << 16, operations: faults.operations)
      let outcome = record(to: file, messages: 40, seed: seed)
      finished += outcome.isFinished ? 1 : 0
      failed += outcome.failure == nil ? 0 : 1
      let bytes = folder.bytes("a.mcap") ?? folder.bytes("a.mcap.partial")
      #expect((folder.bytes("a.mcap") != nil) || !outcome.isFinished)
      try expectSound(bytes, stored: outcome.stored, seed: seed, "seed \(seed)")
    }
    #expect(finished > 10 && failed > 10, "\(finished) finished, \(failed) failed")
  }

  @Test func aFullDiskLeavesRoomForTheEnd() throws {
    let folder = try TemporaryFolder()
    let fill = Mutex(0)
    var operations = FileOperations.system
    // 200 kB of disk, of which 100 kB are kept until the file gives them free.
    let isKept = Mutex(false)
    operations.reserve = { _, bytes throws(SystemFailure) in
      isKept.withLock { $0 = true }
      return -7
    }
    operations.close = { file throws(SystemFailure) in
      if file == -7 {
        isKept.withLock { $0 = false }
      } else {
        try FileOperations.system.close(file)
      }
    }
    operations.write = { file, bytes throws(SystemFailure) in
      let room = (isKept.withLock { $0 } ? 200_000 : 300_000) - fill.withLock { $0 }
      guard room > 0 else { throw .noSpace }
      let count = try FileOperations.system.write(
        file, UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
      fill.withLock { $0 += count }
      return count
    }
    operations.truncate = { file, count throws(SystemFailure) in
      try FileOperations.system.truncate(file, count)
      fill.withLock { $0 = count }
    }
    let file = try AppendedFile(
      path: folder.file("a.mcap"), ballastBytes: 100_000, operations: operations)
    let outcome = record(to: file)
    #expect(file.isDiskFull && outcome.isFinished)
    #expect("\(try #require(outcome.failure))".contains(SystemFailure.noSpace.text))
    let opened = try MCAPFile(source: MemoryBytes(try #require(folder.bytes("a.mcap"))))
    #expect(opened.isIndexed)
    #expect(opened.statistics?.messageCount == UInt64(outcome.taken))
    try expectSound(folder.bytes("a.mcap"), stored: outcome.taken, seed: 1, "full disk")
  }

  /// `mount` needs the rights of the administrator.
  private static let canMount: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    defer { run("/bin/umount", folder.file("")) }
    return run("/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.file("")) == 0
  }()

  @discardableResult private static func run(_ program: String, _ arguments: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(.enabled(if: canMount, "mounting a small disk needs the administrator's rights"))
  func aRealDiskOfOneMegabyteRunsFull() throws {
    let folder = try TemporaryFolder()
    #expect(
      Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.file("")) == 0)
    defer { Self.run("/bin/umount", folder.file("")) }
    let file = try AppendedFile(path: folder.file("a.mcap"), ballastBytes: 200_000)
    let outcome = record(to: file)
    #expect(file.isDiskFull && outcome.isFinished && outcome.taken > 10)
    try expectSound(folder.bytes("a.mcap"), stored: outcome.taken, seed: 1, "tmpfs")
    #expect(try folder.names() == ["a.mcap"])
  }

  @Test func namesThatAreTakenAreRefused() throws {
    let folder = try TemporaryFolder()
    try folder.put([1], at: "a")
    #expect(throws: OutputError.self) { try AppendedFile(path: folder.file("a")) }
    try folder.put([1], at: "b.partial")
    #expect(throws: OutputError.self) { try AppendedFile(path: folder.file("b")) }
    let file = try AppendedFile(path: folder.file("a"), existing: .replace, ballastBytes: 0)
    try file.append([2, 3])
    #expect(folder.bytes("a") == [1])
    try file.close()
    #expect(folder.bytes("a") == [2, 3] && folder.bytes("a.partial") == nil)
  }
}
