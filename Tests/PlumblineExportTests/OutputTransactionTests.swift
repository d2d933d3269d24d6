import Foundation
import PlumblineTestSupport
import Testing

@testable import PlumblineExport

@Suite struct OutputTransactionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reason(_ body: () throws(OutputError) -> Void) -> OutputError.Reason? {
    do throws(OutputError) { try body() } catch { return error.reason }
    return nil
  }

  @Test func aSetAppearsTogether() throws {
    var output = OutputTransaction(existing: .keep)
    try output.stage([1, 2], at: folder.file("a"))
    try output.stage(at: folder.file("b")) { file throws(OutputError) in
      try file.write([])
      try file.write([3])
      try file.write([4, 5])
    }
    #expect(folder.bytes("a") == nil && folder.bytes("b") == nil)
    #expect(try output.publish() == [folder.file("a"), folder.file("b")])
    #expect(folder.bytes("a") == [1, 2] && folder.bytes("b") == [3, 4, 5])
    #expect(try folder.names() == ["a", "b"])
  }

  @Test func nothingIsLeftWithoutPublishing() throws {
    do {
      var output = OutputTransaction(existing: .keep)
      try output.createDirectory(at: folder.file("new"))
      try output.stage([1], at: folder.file("new/a"))
      #expect(try folder.names() == ["new"])
    }
    #expect(try folder.names() == [])
  }

  @Test func anExistingFileIsKept() throws {
    try folder.put([9], at: "a")
    let failure = reason { () throws(OutputError) in
      var output = OutputTransaction(existing: .keep)
      try output.stage([1], at: folder.file("a"))
    }
    #expect(failure == .exists)
    #expect(folder.bytes("a") == [9])
    #expect(try folder.names() == ["a"])
  }

  @Test func aFileThatAppearsInTheMeantimeIsKeptAndTheSetTakenBack() throws {
    var output = OutputTransaction(existing: .keep)
    try output.createDirectory(at: folder.path)
    try output.stage([1], at: folder.file("a"))
    try output.stage([2], at: folder.file("b"))
    try output.stage([3], at: folder.file("c"))
    try folder.put([9], at: "b")
    let failure = #expect(throws: OutputError.self) { try output.publish() }
    #expect(failure?.reason == .exists && failure?.path == folder.file("b"))
    #expect(folder.bytes("b") == [9])
    #expect(try folder.names() == ["b"])
  }

  @Test func anExistingFileIsReplacedWhenAsked() throws {
    try folder.put([9, 9, 9], at: "a")
    var output = OutputTransaction(existing: .replace)
    try output.stage([1], at: folder.file("a"))
    #expect(folder.bytes("a") == [9, 9, 9])
    _ = try output.publish()
    #expect(folder.bytes("a") == [1])
    #expect(try folder.names() == ["a"])
  }

  @Test func placesWithoutAFileAreRefused() throws {
    try folder.put([], at: "file")
    let paths = [
      folder.path, folder.path + "/", "", folder.file("none/a"), folder.file("file/a"),
      "/dev/null", "/dev/full", folder.file("a\u{0}b"),
      folder.file(String(repeating: "n", count: 300)),
    ]
    for path in paths {
      let failure = reason { () throws(OutputError) in
        var output = OutputTransaction(existing: .replace)
        try output.stage([1], at: path)
        _ = try output.publish()
      }
      #expect(failure == .cannotCreate, "\(path)")
    }
    #expect(try folder.names() == ["file"])
    #expect(
      try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        == .typeCharacterSpecial)
  }

  @Test func oneNameTwiceIsRefused() throws {
    var output = OutputTransaction(existing: .replace)
    try output.stage([1], at: folder.file("a"))
    #expect(throws: OutputError.self) { try output.stage([2], at: folder.file("a")) }
  }

  @Test func onlyOneOfManyWritersWins() async throws {
    let folder = folder
    let winners = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<16 {
        group.addTask {
          var output = OutputTransaction(existing: .keep, durability: .buffered)
          do {
            try output.stage([UInt8](repeating: UInt8(number), count: 5000), at: folder.file("a"))
            _ = try output.publish()
            return true
          } catch { return false }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(winners == 1)
    let bytes = try #require(folder.bytes("a"))
    #expect(bytes.count == 5000 && Set(bytes).count == 1)
    #expect(try folder.names() == ["a"])
  }

  @Test func errorsAreSafeToPrint() {
    let error = OutputError(.exists, path: "a\u{1B}[2J\"é", detail: "it already exists")
    #expect(error.description == #"cannot write "a\u001b[2J\"é": it already exists"#)
    #expect(error.exitStatus == 73)
    #expect(OutputError(.inputOutput, path: "", detail: "").exitStatus == 74)
  }
}
