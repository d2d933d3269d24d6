import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Folders as they lie on a disk, with all that is in them.
@Suite struct InputFolderTests {
  private static func make(_ folder: TemporaryFolder, _ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file(path), withIntermediateDirectories: true)
  }

  @Test("Files are listed in the order of their bytes, those of folders inside too")
  func names() throws {
    let folder = try TemporaryFolder()
    try Self.make(folder, "b")
    // Decomposed before composed: by characters they are the other way around.
    let names = ["B", "a", "a-", "a0", "b/x", "b0", "z\u{E9}", "ze\u{301}x", "\u{1F600}"]
    for name in names { try folder.put([1], at: name) }
    let input = try InputFolder(path: folder.path)
    let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(input.fileNames.map { Array($0.utf8) } == sorted)
    #expect(input.findings.isEmpty)
  }

  @Test("What cannot be read is told by kind, count and printable name, and nothing waits for it")
  func leftAside() throws {
    let folder = try TemporaryFolder()
    try folder.put([1], at: "a.jpg")
    try Self.make(folder, "1/2/3/4/5")
    for index in 1...4 { #expect(mkfifo(folder.file("p\(index)\u{202E}"), 0o600) == 0) }
    for (link, target) in [
      ("gone", "nothing"), ("loop", "loop"), ("up", ".."), ("tape", "/dev/null"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    // Latin 1, as old archives have it; file systems that refuse it need no finding.
    let isLatin = (Array(folder.file("caf").utf8) + [0xE9, 0]).withUnsafeBytes { bytes in
      let descriptor = bytes.baseAddress.map {
        open($0.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
      }
      return close(descriptor ?? -1) == 0
    }
    let input = try InputFolder(path: folder.path)
    #expect(input.fileNames == ["a.jpg"])
    let finding = try #require(input.findings.first)
    #expect(input.findings.count == 1 && finding.code == .sequenceUnreadEntries)
    #expect(finding.severity == .caution)
    #expect(
      finding.message
        == "\(isLatin ? 10 : 9) of the folder's entries cannot be read: "
        + (isLatin ? "1 name that is not UTF-8 (“caf\\xE9”), " : "")
        + "2 links that lead nowhere (“gone”, “loop”), 1 folder below the 4th level (“1/2/3/4/5”), "
        + "1 link to a folder (“up”), "
        + "4 pipes (“p1\\u{202e}”, “p2\\u{202e}”, “p3\\u{202e}”, …), 1 device (“tape”)")
  }

  @Test("Links that lead out of the folder are followed only where that is allowed, at every open")
  func outwardLinks() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try Self.make(folder, "in")
    try folder.put([1], at: "in/a")
    try other.put([2], at: "secret")
    // One whose name begins with that of the folder is another folder.
    let sibling = folder.path + "x"
    try FileManager.default.createDirectory(atPath: sibling, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: sibling) }
    try Data([3]).write(to: URL(filePath: sibling + "/b"))
    for (link, target) in [
      ("inner", "in/a"), ("outer", other.file("secret")), ("in/up", "../in/a"),
      ("beside", sibling + "/b"), ("whole", folder.file("in/a")),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    let all = try InputFolder(path: folder.path)
    #expect(all.fileNames == ["beside", "in/a", "in/up", "inner", "outer", "whole"])
    #expect(try all.bytes(of: "outer") == [2])
    // By a link to the folder too, which is followed itself.
    let alias = other.file("alias")
    try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: folder.path)
    for path in [folder.path, folder.path + "/", alias] {
      let inside = try InputFolder(path: path, links: .inside)
      #expect(inside.fileNames == ["in/a", "in/up", "inner", "whole"], "\(path)")
      #expect(try inside.bytes(of: "in/up") == [1] && inside.bytes(of: "whole") == [1])
      let finding = try #require(inside.findings.first)
      #expect(finding.severity == .caution)
      #expect(
        finding.message.contains("2 links that lead out of the folder (“beside”, “outer”)"),
        "\(finding.message)")
      // Asked for all the same, as after a file was replaced by a link.
      for name in ["outer", "beside"] {
        #expect(throws: CaptureReadingError.self) { try inside.bytes(of: name) }
        #expect(throws: CaptureReadingError.self) { try inside.firstBytes(of: name, count: 1) }
        #expect(throws: CaptureReadingError.self) { try inside.source(of: name) }
      }
    }
  }

  @Test("Pipes alone are a note, since no frame can be behind them")
  func pipes() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("p"), 0o600) == 0)
    #expect(try InputFolder(path: folder.path).findings.map(\.severity) == [.note])
  }

  @Test("More entries than the limit are refused, whatever they are, also spread over folders")
  func limit() throws {
    var limits = ReadingLimits()
    limits.folderFiles = 5
    for places in [["a", "b", "c", "d", "e"], ["x/a", "x/b", "y/c"]] {
      let folder = try TemporaryFolder()
      for inside in ["x", "y"] where places[0].hasPrefix("x") { try Self.make(folder, inside) }
      for name in places { #expect(mkfifo(folder.file(name), 0o600) == 0) }
      #expect(try InputFolder(path: folder.path, limits: limits).fileNames == [])
      #expect(mkfifo(folder.file("f"), 0o600) == 0)
      #expect(throws: InputError.tooManyFiles(path: folder.path, limit: 5)) {
        try InputFolder(path: folder.path, limits: limits)
      }
    }
  }

  @Test("A recording in a folder has the folder's findings before its own")
  func recording() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in RecordedFiles.dump([1]).files { try folder.put(bytes, at: name) }
    let clean = try Recording(folder: InputFolder(path: folder.path))
    #expect(mkfifo(folder.file("p"), 0o600) == 0)
    let recording = try Recording(folder: InputFolder(path: folder.path))
    #expect(
      recording.findings.map(\.code)
        == [.sequenceUnreadEntries] + clean.findings.map(\.code))
    #expect(
      try recording.capture(at: 0).depth?.storedSamples
        == clean.capture(at: 0).depth?.storedSamples)
  }
}
