import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("What scans share")
struct PosedFrameTests {
  @Test("Finds the nearest time as a search through all does", arguments: [1, 2] as [UInt64])
  func nearestTime(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let times = (0..<60).map { _ in Double(random.next() % 40) / 10 }
    let lookup = NearestTime(times)
    for step in -5..<50 {
      let time = Double(step) / 10 + 0.03
      let distances = times.map { abs($0 - time) }
      // Several have the same distance; the time that was found counts, not its position.
      let best = distances.min().flatMap { $0 <= 0.2 ? $0 : nil }
      let found = lookup.index(near: time, within: 0.2)
      #expect(found.map { distances[$0] } == best)
      if let found { #expect(times.firstIndex(of: times[found]) == found) }
    }
    #expect(NearestTime([]).index(near: 1, within: 9) == nil)
    #expect(lookup.index(near: .nan, within: 1) == nil)
  }

  @Test("Cuts texts at line feeds, with and without carriage returns")
  func lines() {
    var lines = TextLines(Array("# c\r\n\r\n1 2\t3\r\n  x  \n4".utf8)[...])
    #expect(lines.nextFields().flatMap { TextLines.numbers($0) } == [1, 2, 3])
    #expect(lines.number == 3)
    #expect(lines.nextFields().flatMap { TextLines.numbers($0) } == nil)
    #expect(lines.nextFields(atMost: 1)?.count == 1)
    #expect(lines.nextFields() == nil)
    #expect(TextLines.number(Array("nan".utf8)[...]) == nil)
    #expect(TextLines.number(Array("1e999".utf8)[...]) == nil)
    #expect(TextLines.fields(Array("a b  c d".utf8)[...], atMost: 3).count == 3)
  }

  @Test("Paths stay in their folder")
  func paths() {
    #expect(RelativePath.normalized("./a//b/./c.png") == "a/b/c.png")
    for path in ["/a", "a/..", "..", "", ".", "\\a", "c:\\a", "file:///a"] {
      #expect(RelativePath.normalized(path) == nil, "\(path)")
    }
  }

  @Test("Finds the outermost folder with a sign, and shows it as one of its own")
  func subfolders() throws {
    let folder = MemoryFolder(texts: ["x/y/k/a": "1", "x/k/a": "2", "z": "3"])
    let path = folder.pathOfFolder(withFileAtDepth: 1) { $0 == "k/a" }
    #expect(path == "x/")
    #expect(folder.pathOfFolder(withFileAtDepth: 0) { $0 == "z" } == "")
    #expect(folder.pathOfFolder(withFileAtDepth: 4) { _ in true } == nil)
    let inner = Subfolder(folder, path: "x/")
    #expect(inner.fileNames == ["k/a", "y/k/a"])
    #expect(try inner.bytes(of: "k/a") == Array("2".utf8))
    #expect(try inner.source(of: "k/a").byteCount == 1)
  }

  @Test("Millimeters are written and read without loss, and what they cannot hold is refused")
  func millimeters() throws {
    let codes = Raster<UInt16>(size: RasterSize(width: 256, height: 256)) { x, y in
      UInt16(256 * y + x)
    }
    let map = DepthMap(millimeters: codes)
    #expect(DepthCodes(map, codesPerMeter: 1000).codes == codes)
    let record = try MillimeterDepth.record(
      png: PNGEncoder().encoded(codes), limits: ReadingLimits())
    guard case .depth(let read) = record.values else {
      Issue.record("no depth")
      return
    }
    #expect(read.meters.samples.map(\.bitPattern) == map.meters.samples.map(\.bitPattern))
    for meters in [0.0004, 65.536] as [Float] {
      let far = DepthMap(meters: Raster(size: RasterSize(width: 1, height: 1), repeating: meters))
      let lost = DepthCodes(far, codesPerMeter: 1000)
      #expect(lost.tooFarCount + lost.tooNearCount == 1)
    }
  }

  @Test("Frames of several folders get names without slashes, all different")
  func names() {
    #expect(Recording.frameNames(ofPaths: ["a/1.png", "b/2.png"]) == ["1", "2"])
    #expect(Recording.frameNames(ofPaths: ["a/1.png", "b/1.png"]) == ["a_1", "b_1"])
    #expect(Recording.frameNames(ofPaths: ["a/1.png", "a/1.png"]) == ["frame1", "frame2"])
    // A name is another frame's with an ending more, or one that folders have for themselves.
    for (paths, names) in [
      (["a.1", "a.2", "a.1.3"], ["a.1", "a.2", "a.1-2"]),
      (["a/..", "b", "c/."], ["frame", "b", "frame-2"]),
    ] {
      let frames = Recording.frames(named: Recording.frameNames(ofPaths: paths))
      #expect(Recording.distinctlyNamed(frames).map(\.name) == names)
    }
  }
}
