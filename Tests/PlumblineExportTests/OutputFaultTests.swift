import Foundation
import PlumblineTestSupport
import Testing

@testable import PlumblineExport

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

  @Test func whateverCallFailsNothingIsLeft() throws {
    let folder = try TemporaryFolder()
    let counter = FaultInjector(failingCall: nil)
    try writeTwo(into: folder, existing: .keep, counter)
    #expect(folder.bytes("d/a") == [1, 2, 3, 4, 5, 6, 7])
    // A folder; for each file: kind, create, writes of three bytes, fsync, close; two renames.
    #expect(counter.calls == 1 + (4 + 3) + (4 + 1) + 2)
    for call in 1...counter.calls {
      let folder = try TemporaryFolder()
      let failure = #expect(throws: OutputError.self) {
        try writeTwo(into: folder, existing: .keep, FaultInjector(failingCall: call))
      }
      #expect(failure?.detail == SystemFailure.noSpace.text)
      #expect(try folder.names() == [], "call \(call)")
    }
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
    for call in 2...counter.calls {
      let folder = try prepared()
      let failure = #expect(throws: OutputError.self) {
        try writeTwo(into: folder, existing: .replace, FaultInjector(failingCall: call))
      }
      // Only between the two renames is one file new and the other old; the error says which.
      let isReplaced = folder.bytes("d/a") != old
      #expect(failure?.replaced == (isReplaced ? [folder.file("d/a")] : []))
      #expect(folder.bytes("d/a") == (isReplaced ? [1, 2, 3, 4, 5, 6, 7] : old))
      #expect(folder.bytes("d/b") == old)
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
    #expect(try folder.names() == [])
    #expect(try output.publish() == [])
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
      #expect(failure?.exitStatus == 74)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == before)
  }
}
