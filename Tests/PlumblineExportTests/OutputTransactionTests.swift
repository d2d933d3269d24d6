import Foundation
import PlumblineTestSupport
import Testing
@testable import PlumblineIO

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
      #expect(try folder.names().allSatisfy { $0.hasPrefix(".plumbline-") })
    }
    #expect(try folder.names() == [])
  }

  @Test func privateFilesAreOfThisUserAloneFromTheirMaking() throws {
    func mode(_ name: String) throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    try folder.put([9], at: "secret")
    var output = OutputTransaction(existing: .replace, operations: .systemPrivate)
    try output.stage([1, 2], at: folder.file("secret"))
    let hidden = try #require(try folder.names().first { $0.hasPrefix(".plumbline-") })
    #expect(try mode(hidden) == 0o700)
    #expect(try mode(hidden + "/0") == 0o600)
    _ = try output.publish()
    #expect(try mode("secret") == 0o600)
    #expect(folder.bytes("secret") == [1, 2])
    #expect(try folder.names() == ["secret"])
  }

  @Test func aNewFolderAppearsAtOnceWithItsFolders() throws {
    var output = OutputTransaction(existing: .keep)
    try output.createDirectory(at: folder.file("new/"))
    try output.createDirectory(at: folder.file("new/truth"))
    try output.stage([1], at: folder.file("new//a"))
    try output.stage([2], at: folder.file("new/truth/b"))
    let place = try output.reserve(at: folder.file("new/c"))
    try Data([3]).write(to: URL(filePath: place))
    #expect(folder.bytes("new/a") == nil)
    _ = try output.publish()
    #expect(folder.bytes("new/a") == [1] && folder.bytes("new/truth/b") == [2])
    #expect(folder.bytes("new/c") == [3])
    #expect(try folder.names() == ["new"])
  }

  @Test func theRestOfAnOlderSetGoes() throws {
    try folder.put([9], at: "sigma")
    try folder.put([8], at: "depth")
    try folder.put([7], at: "mine")
    func write(_ existing: OutputTransaction.ExistingFiles) throws(OutputError) {
      var output = OutputTransaction(existing: existing)
      try output.createDirectory(at: folder.path)
      try output.stage([1], at: folder.file("report"))
      try output.removeStale(in: folder.path) { $0 == "sigma" || $0 == "depth" }
      try output.stage([2], at: folder.file("depth"))
      _ = try output.publish()
    }
    #expect(reason { () throws(OutputError) in try write(.keep) } == .exists)
    #expect(try folder.names() == ["depth", "mine", "sigma"])
    try write(.replace)
    #expect(try folder.names() == ["depth", "mine", "report"])
    #expect(folder.bytes("depth") == [2] && folder.bytes("mine") == [7])
  }

  @Test func whatWasReadIsNotReplacedByAnyName() throws {
    try folder.put([9], at: "a")
    try FileManager.default.linkItem(atPath: folder.file("a"), toPath: folder.file("hard"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("soft"), withDestinationPath: "a")
    let read = FilesRead()
    let file = try FileHandle(forReadingFrom: URL(filePath: folder.file("a")))
    read.insert(descriptor: file.fileDescriptor)
    for name in ["a", "hard", "soft", "../\(URL(filePath: folder.path).lastPathComponent)/a"] {
      let failure = FilesRead.$current.withValue(read) {
        reason { () throws(OutputError) in
          var output = OutputTransaction(existing: .replace)
          try output.stage([1], at: folder.file(name))
          _ = try output.publish()
        }
      }
      #expect(failure == .isRead, "\(name)")
      let appended = FilesRead.$current.withValue(read) {
        reason { () throws(OutputError) in
          _ = try AppendedFile(path: folder.file(name), existing: .replace, ballastBytes: 0)
        }
      }
      #expect(appended == .isRead, "\(name)")
    }
    #expect(folder.bytes("a") == [9])
    #expect(try folder.names() == ["a", "hard", "soft"])
    // What is read after it was staged counts as well.
    try folder.put([5], at: "b")
    let late = try FileHandle(forReadingFrom: URL(filePath: folder.file("b")))
    let failure = FilesRead.$current.withValue(read) {
      reason { () throws(OutputError) in
        var output = OutputTransaction(existing: .replace)
        try output.stage([1], at: folder.file("b"))
        read.insert(descriptor: late.fileDescriptor)
        _ = try output.publish()
      }
    }
    #expect(failure == .isRead)
    #expect(folder.bytes("b") == [5])
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
  }
}
