import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `filter`, from the command line to the files.
@Suite(.serialized) struct FilterCommandTests {
  private static let names = [
    "depth.npy", "depth.tiff", "depth.png", "sigma.npy", "invented.png", "calibration.json",
    "filter.json",
  ]

  @Test func metrologyWritesEveryFileAndSaysWhatItDid() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let run = try CommandRun(
      "filter", folder.file("small.jpg"), "-o", folder.file("out"), "--depth-range", "0.1:0.6",
      "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.filter/1")
    let filters = try #require(document["filters"] as? [[String: Any]])
    #expect(
      filters.map { $0["filter"] as? String } == [
        "range-limited", "confidence-limited", "flying-removed", "speckles-removed",
      ])
    #expect(document["invented"] as? Int == 0)
    let outputs = try #require(document["outputs"] as? [String])
    #expect(Set(outputs.map { $0.split(separator: "/").last.map(String.init) }) == Set(Self.names))
    for name in Self.names {
      #expect(FileManager.default.fileExists(atPath: folder.file("out/" + name)))
    }
    // The same input gives the same bytes, and an output that exists stays.
    let again = try CommandRun(
      "filter", folder.file("small.jpg"), "-o", folder.file("again"), "--depth-range", "0.1:0.6",
      "--threads", "1", "--quiet")
    #expect(again.status == 0)
    for name in Self.names {
      #expect(folder.bytes("out/" + name) == folder.bytes("again/" + name), "\(name)")
    }
    #expect(
      try CommandRun("filter", folder.file("small.jpg"), "-o", folder.file("out")).status == 73)
  }

  @Test func sizesFollowDecimationAndColor() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let run = try CommandRun("filter", folder.file("small.jpg"), "--decimate", "2", "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["width"] as? Int == 32 && document["height"] as? Int == 24)
    #expect((document["outputs"] as? [String])?.isEmpty == true)
  }

  @Test func wrongUseIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let file = folder.file("small.jpg")
    for wrong in [
      ["--depth-range", "3"], ["--depth-range", "2:1"], ["--decimate", "9"], ["--preset", "best"],
      ["--fill", "always"], ["--confidence", "-1"],
    ] {
      #expect(try CommandRun(["filter", file] + wrong).status == 64, "\(wrong)")
    }
  }

  @Test("A frame that cannot be read is named and left out; where none can, the first says why")
  func damagedFrames() throws {
    var files = RecordedFiles.dump([1000, 2000]).files
    files["depth_2000.png"] = [1, 2, 3]
    let folder = try TemporaryFolder()
    for (name, bytes) in files { try folder.put(bytes, at: name) }
    let out = try TemporaryFolder()
    let some = try CommandRun("filter", folder.path, "-o", out.file("out.mcap"), "--json")
    #expect(some.status == 65)
    #expect(some.message.contains("frame 2000 is left out"), "\(some.message)")
    let document = try some.document()
    #expect((document["frames"] as? [Any])?.count == 1)
    let unreadable = document["unreadable"] as? [[String: String]]
    #expect(unreadable?.map { $0["name"] } == ["2000"])
    let info = try CommandRun("info", "--json", out.file("out.mcap")).document()
    #expect(info["frames"] as? Int == 1)
    try folder.put([1, 2, 3], at: "depth_1000.png")
    let none = try CommandRun("filter", folder.path, "-o", out.file("none.mcap"))
    #expect(none.status == 65 && none.message.contains("depth_1000.png"), "\(none.message)")
    #expect(!none.message.contains("left out"))
    #expect(try out.names() == ["out.mcap"])
  }

  @Test("A recording becomes a recording, millimeters of unknown accuracy included")
  func recording() throws {
    let folder = try TemporaryFolder()
    let map = PNGEncoder().encoded(
      Raster<UInt16>(size: RasterSize(width: 40, height: 30)) { x, y in UInt16(900 + x + y) })
    try folder.put(map, at: "a_depth.png")
    try folder.put(map, at: "b_depth.png")
    for name in ["a", "b"] {
      let color = Raster(size: RasterSize(width: 40, height: 30)) { x, y in
        RGB8(red: UInt8(x), green: UInt8(y), blue: 0)
      }
      try folder.put(PNGEncoder().encoded(color), at: "\(name).png")
    }
    let out = try TemporaryFolder()
    let run = try CommandRun("filter", folder.path, "-o", out.file("out.mcap"), "--json")
    #expect(run.status == 0, "\(run.message)")
    #expect((try run.document()["frames"] as? [Any])?.count == 2)
    let check = try CommandRun("check", out.file("out.mcap"), "--json").document()
    // Filters do not make an accuracy known.
    #expect(check["verdict"] as? String == "relative")
    #expect((check["depth"] as? [String: Any])?["accuracy"] is NSNull)
  }
}
