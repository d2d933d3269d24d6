import Foundation
import PlumblineIO
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

/// Captures are found as they are given, and parts of them are together all of them.
@Suite struct CaptureSearchTests {
  private func paths(_ search: CaptureSearch) throws -> [String] {
    var paths: [String] = []
    try search.run {
      paths.append($0)
      return true
    }
    return paths
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func partsAreDisjointAndTogetherEverything(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: seed)
    let all = (0..<2_000).map { "/a/\(String(generator.next(), radix: 36))-\($0).heic" }
    try folder.put(Array(all.joined(separator: "\n").utf8), at: "list")
    for count in [1, 2, 3, 7, 16] {
      var found: [String] = []
      for number in 1...count {
        let shard = try #require(Shard(number: number, count: count))
        let part = try paths(CaptureSearch([.list(folder.file("list"))], shard: shard))
        // A part is about its share: the binomial distribution gives six of its deviations.
        let share = 2_000.0 / Double(count)
        #expect(abs(Double(part.count) - share) <= 6 * share.squareRoot())
        found += part
      }
      #expect(found.count == all.count && Set(found) == Set(all))
    }
  }

  /// Other machines and later versions divide the same way.
  @Test func aPartNeverChanges() {
    let name = CaptureName(path: "photos/IMG_0001.HEIC")
    #expect(name.hash == 0x209f0ce08bfdcbf9)
    #expect(name.name == "IMG_0001-209f0ce08bfdcbf9")
  }

  @Test func namesAreSafeShortAndDistinct() {
    var names: Set<String> = []
    let hostile = [
      "a/b.jpg", "b/b.jpg", "../..", "/", ".hidden", "a\u{202E}gpj.exe", "\n", "-o",
      String(repeating: "é", count: 500) + ".heic", "con:", "a?b*c.jpg",
    ]
    for path in hostile {
      let name = CaptureName(path: path).name
      #expect(names.insert(name).inserted)
      #expect(name.utf8.count <= 97 && !name.contains("/") && !name.hasPrefix("."))
      #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
  }

  @Test func listsAreReadWithLineFeedsOrZeroBytes() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("/a b\r\n\n/ü\n/last".utf8), at: "lines")
    #expect(try paths(CaptureSearch([.list(folder.file("lines"))])) == ["/a b", "/ü", "/last"])
    try folder.put(Array("/a\nb\0/c\0".utf8), at: "zeros")
    #expect(try paths(CaptureSearch([.list(folder.file("zeros"))])) == ["/a\nb", "/c"])
    try folder.put([], at: "empty")
    #expect(try paths(CaptureSearch([.list(folder.file("empty"))])) == [])
    #expect(throws: (any Error).self) {
      try paths(CaptureSearch([.list(folder.file("absent"))]))
    }
  }

  /// A list of many pieces gives each line once, wherever the pieces end.
  @Test func aLongListIsWhole() throws {
    let folder = try TemporaryFolder()
    let all = (0..<20_000).map { "/folder/capture number \($0).heic" }
    try folder.put(Array((all.joined(separator: "\n") + "\n").utf8), at: "list")
    #expect(try paths(CaptureSearch([.list(folder.file("list"))])) == all)
  }

  @Test func foldersAreSearchedAndHiddenOnesAreNot() throws {
    let folder = try TemporaryFolder()
    for name in ["in", "in/deep", "in/.hidden", "sessions", "sessions/one", "sessions/two"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    for name in [
      "in/10.jpg", "in/9.jpg", "in/a.txt", "in/deep/b.heic", "in/.hidden/c.jpg",
      "sessions/one/1.jpg", "sessions/two/1.jpg", "sessions/two/2.jpg",
    ] { try folder.put([1], at: name) }
    #expect(
      try paths(CaptureSearch([.path(folder.file("in"))]))
        == ["in/9.jpg", "in/10.jpg", "in/deep/b.heic"].map { folder.file($0) })
    #expect(
      try paths(CaptureSearch([.path(folder.file("sessions"))], takesFolders: true))
        == ["sessions/one", "sessions/two"].map { folder.file($0) })
    #expect(try paths(CaptureSearch([.path("/nowhere")])) == ["/nowhere"])
    #expect(CaptureSource(argument: "@a") == .list("a"))
    #expect(CaptureSource(argument: "-") == .standardInput)
    #expect(CaptureSource(argument: "./-") == .path("./-"))
  }
}
