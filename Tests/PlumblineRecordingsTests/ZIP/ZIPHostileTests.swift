import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Hostile ZIP archives")
struct ZIPHostileTests {
  private func failure(_ builder: ZIPBuilder, _ limits: ReadingLimits = ReadingLimits())
    -> CaptureReadingError?
  {
    do throws(CaptureReadingError) {
      _ = try ZIPArchive(MemoryBytes(builder.bytes()), limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "Refuses names that leave the folder",
    arguments: [
      ("/etc/passwd", "absolute"), ("a/../b", "“..”"), ("..", "“..”"), ("a\\b", "backslash"),
      ("C:evil", "drive"), ("c:/evil", "drive"), ("a\0b", "zero byte"), ("", "no name"),
      ("a//b", "empty part"),
    ])
  func names(name: String, word: String) {
    let error = failure(ZIPBuilder(files: [.init(name: "fine"), .init(name: name)]))
    #expect(
      error?.reason == .malformed && error?.found.contains(word) == true,
      "\(String(describing: error))")
    #expect(error?.path.first == "ZIP")
  }

  @Test("Takes names that only look dangerous")
  func harmlessNames() {
    for name in ["a..b", "...", "a/..b", "ab:c", "ä/ö"] {
      #expect(failure(ZIPBuilder(files: [.init(name: name)])) == nil, "\(name)")
    }
  }

  @Test("Refuses links, special files, repeated names, shared bytes and too many entries")
  func entries() throws {
    let link = ZIPBuilder.File(name: "link", mode: 0o120777)
    #expect(failure(ZIPBuilder(files: [link]))?.found == "a symbolic link")
    let device = ZIPBuilder.File(name: "disk", mode: 0o060644)
    #expect(failure(ZIPBuilder(files: [device]))?.found.contains("special file") == true)
    for pair in [["a", "a"], ["a/B", "A/b"], ["\u{E9}", "e\u{301}"]] {
      let error = failure(ZIPBuilder(files: pair.map { .init(name: $0) }))
      #expect(error?.expected == "names that differ", "\(pair)")
    }
    var second = ZIPBuilder.File(name: "b")
    second.offsetChange = -20
    #expect(
      failure(ZIPBuilder(files: [.init(name: "a"), second]))?.expected.contains("of its own")
        == true)
    var limits = ReadingLimits()
    limits.archiveEntries = 1
    let many = ZIPBuilder(files: [.init(name: "a"), .init(name: "b")])
    #expect(failure(many, limits)?.reason == .limitExceeded)
    // A directory too short for its count, and one that ends before its last entry.
    #expect(failure(ZIPBuilder(files: [.init(name: "a")], countChange: 1000))?.reason == .malformed)
    #expect(failure(ZIPBuilder(files: [.init(name: "a")], countChange: 1))?.reason == .malformed)
  }

  @Test("Refuses what grows without bound, before anything is inflated")
  func bombs() throws {
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("bomb"))
    try writer.add("zeros", Array(repeating: 0, count: 1 << 20), method: .deflated(level: 9))
    try writer.add("more", Array(repeating: 0, count: 1 << 20), method: .deflated(level: 9))
    try writer.finish()
    let source = MemoryBytes(try output.folder.bytes(of: "bomb"))
    // A megabyte of zeros packs 1000:1 and is harmless by itself.
    #expect(try ZIPArchive(source).bytes(of: "zeros").count == 1 << 20)
    func reason(_ change: (inout ReadingLimits) -> Void) -> CaptureReadingError.Reason? {
      var limits = ReadingLimits()
      change(&limits)
      do throws(CaptureReadingError) {
        _ = try ZIPArchive(source, limits: limits).bytes(of: "zeros")
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason { $0.archiveRatioBytes = 1 << 19 } == .limitExceeded)
    #expect(reason { $0.archiveBytes = 3 << 19 } == .limitExceeded)
    #expect(reason { $0.archiveInflatedBytes = 1 << 19 } == .limitExceeded)
    #expect(reason { $0.fileBytes = 1 << 19 } == .limitExceeded)
  }

  @Test("Refuses a file whose own header, size or checksum contradicts the directory")
  func contradictions() throws {
    func reading(_ change: (inout ZIPBuilder.File) -> Void) -> CaptureReadingError? {
      var file = ZIPBuilder.File(name: "b")
      change(&file)
      do throws(CaptureReadingError) {
        _ = try ZIPArchive(MemoryBytes(ZIPBuilder(files: [.init(name: "a"), file]).bytes()))
          .bytes(of: "b")
        return nil
      } catch {
        return error
      }
    }
    #expect(reading { _ in } == nil)
    #expect(reading { $0.localName = "c" }?.expected.contains("name b") == true)
    #expect(reading { $0.checksumChange = 1 }?.expected.contains("checksum") == true)
    #expect(reading { $0.sizeChange = 1 }?.reason == .malformed)
    #expect(reading { $0.flags = 1 }?.found == "an encrypted one")
    #expect(reading { $0.method = 99 }?.reason == .unsupported)
    #expect(reading { $0.offsetChange = 1 }?.reason == .malformed)
  }

  @Test(
    "Refuses the crafted archives of the corpus",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func crafted() throws {
    for (name, word) in [
      ("zip_traversal", "“..”"), ("zip_symlink", "a symbolic link"), ("zip_dup", "there twice"),
      ("zip_bomb", " from "),
    ] {
      let bytes = try RealData.bytes("bad/crafted/\(name).zip")
      let error = #expect(throws: CaptureReadingError.self) {
        try ZIPArchive(MemoryBytes(bytes))
      }
      #expect(error?.found.contains(word) == true, "\(name): \(String(describing: error))")
      // The same by way of the door for all recordings.
      #expect(throws: CaptureReadingError.self) { try Recording(source: MemoryBytes(bytes)) }
    }
  }
}
