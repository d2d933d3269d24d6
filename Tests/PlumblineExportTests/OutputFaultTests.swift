import Foundation
import PlumblineTestSupport
import Testing

@testable import PlumblineExport
@testable import PlumblineIO

@Suite struct OutputFaultTests {
  /// Writes two files into a new folder through calls that are counted.
  private func writeTwo(
    into folder: TemporaryFolder, existing: OutputTransaction.ExistingFiles,
    _ injector: FaultInjector
  ) throws(OutputError) {
    var output = OutputTransaction(existing: existing, operations: injector.operations)
    try output.createDirectory(at: folder.file("d"))
    try output.stage([1, 2, 3, 4, 5, 6, 7], at: folder.file("d/a"))
    try output.stage([8, 9], at: folder.file("d/b"))
    _ = try output.publish()
  }

  /// How writing ends when one call fails; `nil` when it succeeds.
  private func failure(
    _ folder: TemporaryFolder, _ existing: OutputTransaction.ExistingFiles, _ call: Int
  ) -> OutputError? {
    do throws(OutputError) {
      try writeTwo(into: folder, existing: existing, FaultInjector(failingCall: call))
      return nil
    } catch { return error }
  }

  @Test func whateverCallFailsNothingIsLeft() throws {
    let folder = try TemporaryFolder()
    let counter = FaultInjector(failingCall: nil)
    try writeTwo(into: folder, existing: .keep, counter)
    #expect(folder.bytes("d/a") == [1, 2, 3, 4, 5, 6, 7])
    var failures = 0
    for call in 1...counter.calls {
      let folder = try TemporaryFolder()
      let error = failure(folder, .keep, call)
      guard let error else {
        // Some calls are tried again, or only clean up.
        #expect(folder.bytes("d/b") == [8, 9], "call \(call)")
        #expect(try folder.names() == ["d"], "call \(call)")
        continue
      }
      failures += 1
      #expect(error.detail == SystemFailure.noSpace.text)
      #expect(try folder.names() == [], "call \(call)")
    }
    // A hidden folder; for each file: kind, create, writes of three bytes, fsync, close; a rename.
    #expect(failures >= 2 + (4 + 3) + (4 + 1) + 1)
  }

  @Test func whateverCallFailsOldFilesAreWhole() throws {
    let old: [UInt8] = [0]
    func prepared() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("d"), withIntermediateDirectories: false)
      try folder.put(old, at: "d/a")
      try folder.put(old, at: "d/b")
      return folder
    }
    let counter = FaultInjector(failingCall: nil)
    try writeTwo(into: try prepared(), existing: .replace, counter)
    for call in 1...counter.calls {
      let folder = try prepared()
      if let error = failure(folder, .replace, call) {
        // What was replaced before the failure is taken back.
        #expect(error.replaced == [])
        #expect(folder.bytes("d/a") == old && folder.bytes("d/b") == old, "call \(call)")
      } else {
        #expect(folder.bytes("d/a") == [1, 2, 3, 4, 5, 6, 7], "call \(call)")
        #expect(folder.bytes("d/b") == [8, 9], "call \(call)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("d"))
      #expect(names.sorted() == ["a", "b"], "call \(call)")
    }
  }

  @Test func aCallThatWritesNothingIsAFault() throws {
    let folder = try TemporaryFolder()
    var operations = FileOperations.system
    operations.write = { _, _ in 0 }
    var output = OutputTransaction(existing: .keep, operations: operations)
    let failure = #expect(throws: OutputError.self) {
      try output.stage([1], at: folder.file("a"))
    }
    #expect(failure?.reason == .inputOutput)
    #expect(try output.publish() == [])
    #expect(try folder.names() == [])
  }

  /// Set `PLUMBLINE_SMALL_DISK` to a folder on a disk with less than 1 MiB free, for example
  /// `mount -t tmpfs -o size=64k tmpfs DIR`.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["PLUMBLINE_SMALL_DISK"] != nil,
      "PLUMBLINE_SMALL_DISK names no folder on a nearly full disk"))
  func aFullDiskLeavesNothing() throws {
    let disk = try #require(ProcessInfo.processInfo.environment["PLUMBLINE_SMALL_DISK"])
    let before = try FileManager.default.contentsOfDirectory(atPath: disk)
    do {
      var output = OutputTransaction(existing: .keep)
      let failure = #expect(throws: OutputError.self) {
        try output.stage([UInt8](repeating: 7, count: 1 << 20), at: disk + "/a")
      }
      #expect(failure?.reason == .inputOutput)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == before)
  }
}
