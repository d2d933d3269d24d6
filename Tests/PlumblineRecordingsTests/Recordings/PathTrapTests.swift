import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
/// A `/` before a combining mark ends a folder for the system and is one character with the mark for
/// `String`.
@Suite("Paths with combining marks")
struct PathTrapTests {
  private static let marks = ["\u{338}", "\u{301}", "\u{20DD}", "\u{200D}", "\u{FE0F}"]

  @Test("Parts, last part, folder, stem and ending", arguments: 0..<50 as Range<UInt64>)
  func parts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      (Self.marks.randomElement(using: &generator) ?? "")
        + (["a", "..", "depth", "x.png", "é"].randomElement(using: &generator) ?? "")
    }
    let path = parts.joined(separator: "/")
    #expect(pathParts(path).map { Array($0.utf8) } == parts.map { Array($0.utf8) })
    let last = parts.last ?? ""
    #expect(Array(lastPathPart(path + "/").utf8) == Array(last.utf8))
    let split = FolderPath(path)
    let folder = parts.dropLast().map { $0 + "/" }.joined()
    #expect(Array(split.folder.utf8) == Array(folder.utf8))
    #expect(!split.stem.utf8.contains(UInt8(ascii: "/")))
    #expect(RelativePath.normalized("/" + path) == nil)
    #expect(RelativePath.normalized("c:" + path) == nil)
    #expect(RelativePath.normalized("../" + path) == nil)
    #expect(lastPathPart("/") == "/" && lastPathPart("a//") == "a" && lastPathPart("") == "")
  }

  @Test("Folders inside are found and named as their bytes say", arguments: marks)
  func folders(mark: String) throws {
    let name = "k/\(mark)a/1.json"
    let folder = MemoryFolder(texts: [name: "1", "k/b": "2", "k\(mark)/c": "3"])
    #expect(folder.pathOfFolder(withFileAtDepth: 2) { _ in true } == "")
    #expect(
      folder.pathOfFolder(withFileAtDepth: 0) { $0.utf8.starts(with: "1".utf8) } == "k/\(mark)a/")
    let inner = Subfolder(folder, path: "k/")
    #expect(
      inner.fileNames.map { Array($0.utf8) } == ["b", "\(mark)a/1.json"].map { Array($0.utf8) })
    for name in inner.fileNames { #expect(throws: Never.self) { try inner.bytes(of: name) } }
    #expect(folder.topFileNames == [])
    #expect(ZIPRules.commonFolder(of: ["k/\(mark)a", "k/b"]) == "k/")
    #expect(ZIPRules.commonFolder(of: ["k/", "k/b"]) == "")
  }

  @Test("Names of frames hold no folder", arguments: marks)
  func frames(mark: String) {
    for paths in [["a/\(mark)b.jpg"], ["a/\(mark)b.jpg", "c/\(mark)b.jpg"]] {
      for name in Recording.frameNames(ofPaths: paths) {
        #expect(!name.utf8.contains(UInt8(ascii: "/")), "\(name)")
      }
    }
    #expect(Recording.uniqueNames(["a/\(mark)b"]) == ["000000"])
  }
}
