import Foundation
import PlumblineTestSupport
import Testing

/// `fuse --write-poses` and `--report`, and `convert --poses`.
@Suite struct RefinedPosesCommandTests {
  @Test("Poses that fuse wrote replace the recorded ones in convert; what has none is said")
  func thereAndBack() throws {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "4", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    let fuse = try CommandRun([
      "fuse", folder.file("a.mcap"), "-o", folder.file("s.ply"), "--voxel", "0.03", "--every", "2",
      "--write-poses", folder.file("p.json"), "--report", folder.file("r.html"), "--json",
    ])
    #expect(fuse.status == 0, "\(fuse.message)")
    #expect(try folder.names() == ["a.mcap", "p.json", "r.html", "s.ply"])
    let document = try fuse.document()
    #expect((document["outputs"] as? [String])?.count == 3)
    let refined = try #require(document["frames"] as? [[String: Any]]).compactMap {
      $0["worldFromCamera"] as? [Double]
    }
    #expect(refined.count == 2)
    let page = String(decoding: try #require(folder.bytes("r.html")), as: UTF8.self)
    #expect(page.contains("Path of the camera") && page.contains("plumbline.fuse/1"))

    let convert = try CommandRun([
      "convert", folder.file("a.mcap"), "--poses", folder.file("p.json"), "-o",
      folder.file("b.mcap"),
    ])
    #expect(convert.status == 0, "\(convert.message)")
    #expect(convert.message.contains("2 of 4 frames have no pose"), "\(convert.message)")
    for (index, pose) in refined.enumerated() {
      let inspect = try CommandRun([
        "inspect", folder.file("b.mcap"), "--frame", "\(index)", "--json",
      ])
      let rows = try inspect.document()["worldFromCameraRows"] as? [Double] ?? []
      // By a quaternion of a message and back.
      #expect(rows.count == 12 && zip(rows, pose).allSatisfy { abs($0 - $1) < 1e-12 })
    }
    let kept = try CommandRun([
      "convert", folder.file("a.mcap"), "--poses", folder.file("p.json"), "--keep-unposed", "-o",
      folder.file("c.mcap"), "--json",
    ])
    #expect(try kept.document()["frames"] as? Int == 4, "\(kept.message)")
  }

  @Test("Poses of another recording, of no format or of none are refused, and nothing is written")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let source = try TemporaryFolder()
    for (name, bytes) in RecordedFiles.dump([1000, 1500]).files {
      try source.put(bytes, at: name)
    }
    try folder.put(Array("7 0 0 0 0 0 0 1\n".utf8), at: "other.txt")
    try folder.put(Array("x".utf8), at: "damaged.txt")
    for (poses, status) in [("other.txt", 65), ("damaged.txt", 65), ("absent.txt", 66)] {
      let run = try CommandRun([
        "convert", source.path, "--poses", folder.file(poses), "-o", folder.file("o.mcap"),
      ])
      #expect(run.status == Int32(status), "\(poses): \(run.message)")
      #expect(run.message.contains(poses), "\(run.message)")
      #expect(folder.bytes("o.mcap") == nil)
    }
    for arguments in [
      ["fuse", "x", "-o", "o.ply", "--write-poses", "p.csv"],
      ["fuse", "x", "-o", "o.ply", "--report", "r.pdf"],
      ["fuse", "x", "-o", "o.ply", "--square", "30", "--board", "chessboard:5x4:30mm"],
      ["fuse", "x", "-o", "o.ply", "--known-distance", "1,1=1"],
      ["fuse", "x", "-o", "o.ply", "--recorded-poses", "--ignore-poses"],
      ["convert", "x", "-o", "o.mcap", "--keep-unposed"],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
  }
}
