import Foundation
import PlumblineTestSupport
import Testing

/// `fuse`: a recording becomes one surface.
@Suite struct FuseCommandTests {
  /// A recording of a few frames with poses, in a folder.
  private static func prepared(frames: Int = 3) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "\(frames)", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    return (folder, folder.file("a.mcap"))
  }

  @Test("Frames become one surface, said with residual, path, voxels and the ± of its vertices")
  func fuses() throws {
    let (folder, recording) = try Self.prepared()
    let run = try CommandRun([
      "fuse", recording, "-o", folder.file("s.ply"), "--voxel", "0.02", "--json",
    ])
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.fuse/1")
    let tracking = try #require(document["tracking"] as? [String: Any])
    #expect(tracking["fused"] as? Int == 3 && tracking["lost"] as? Int == 0)
    let surfaces = try #require(document["surfaces"] as? [[String: Any]])
    #expect(surfaces.count == 1)
    #expect(try #require(surfaces[0]["triangles"] as? Int) > 100)
    #expect(try #require(surfaces[0]["medianSigmaMeters"] as? Double) > 0)
    let closure = try #require(document["closure"] as? [String: Any])
    #expect(closure["loops"] as? Int == 0 && closure["isApplied"] as? Bool == false)
    // Frames within 0.1 s have no pairs that could be compared.
    #expect(document["consistency"] is NSNull)
    let frames = try #require(document["frames"] as? [[String: Any]])
    #expect(frames.map { $0["state"] as? String } == ["started", "tracked", "tracked"])
    #expect(frames.allSatisfy { ($0["worldFromCamera"] as? [Double])?.count == 12 })
    #expect(try folder.names() == ["a.mcap", "s.ply"])
    let header = String(decoding: try #require(folder.bytes("s.ply")).prefix(600), as: UTF8.self)
    #expect(header.contains("unit meter") && header.contains("frame world"))
  }

  @Test("The same bytes for any number of threads")
  func threads() throws {
    let (folder, recording) = try Self.prepared()
    var bytes: [[UInt8]?] = []
    for threads in ["1", "3"] {
      let run = try CommandRun([
        "fuse", recording, "-o", folder.file("s.ply"), "--voxel", "0.03", "--force", "--quiet",
        "--threads", threads,
      ])
      #expect(run.status == 0, "\(run.message)")
      bytes.append(folder.bytes("s.ply"))
    }
    let isSame = bytes[0] != nil && bytes[0] == bytes[1]
    #expect(isSame)
  }

  @Test("One frame is a scan; its photo alone is none, and says why")
  func few() throws {
    let (folder, recording) = try Self.prepared(frames: 1)
    let one = try CommandRun([
      "fuse", recording, "-o", folder.file("s.ply"), "--voxel", "0.03", "--recorded-poses",
      "--no-loops",
    ])
    #expect(one.status == 0, "\(one.message)")
    #expect(one.text.contains("1 of 1 fused"))
    #expect(one.message.contains("voxels of 30.0 mm will take about"), "\(one.message)")
    try folder.put(SampleCapture.small(isRelative: true), at: "p.jpg")
    let photo = try CommandRun(["fuse", folder.file("p.jpg"), "-o", folder.file("p.ply")])
    #expect(photo.status != 0 && !photo.message.isEmpty)
    #expect(folder.bytes("p.ply") == nil)
  }

  @Test("What measure says of a scan's own surface has a ±, of it and of its likeness")
  func measures() throws {
    let (folder, recording) = try Self.prepared()
    for (name, voxel) in [("a", "0.02"), ("b", "0.025")] {
      let run = try CommandRun([
        "fuse", recording, "-o", folder.file("\(name).ply"), "--voxel", voxel, "--quiet",
      ])
      #expect(run.status == 0, "\(run.message)")
    }
    let header = String(decoding: try #require(folder.bytes("a.ply")).prefix(1200), as: UTF8.self)
    #expect(header.contains("comment plumbline shared length-share="), "\(header)")
    let measured = try CommandRun([
      "measure", folder.file("a.ply"), "--area", "all", "--json",
    ])
    #expect(measured.status == 0, "\(measured.message) \(measured.text)")
    let found = try #require(try measured.document()["measurements"] as? [[String: Any]])
    #expect(found.allSatisfy { $0["believable"] as? Bool == true && $0["sigma"] is Double })
    let compared = try CommandRun([
      "compare-surface", folder.file("a.ply"), folder.file("b.ply"), "--places", "2000", "--json",
    ])
    let back = try #require(try compared.document()["secondToFirst"] as? [String: Any])
    let explained = try #require(back["explained"] as? [String: Any])
    #expect(try #require(explained["sigma"] as? Double) > 0)
  }

  @Test("Parts, holes, triangles and texture are what was asked for, and said")
  func finishes() throws {
    let (folder, recording) = try Self.prepared()
    func changes(_ arguments: [String], name: String) throws -> [String: Any] {
      let run = try CommandRun(
        ["fuse", recording, "-o", folder.file(name), "--voxel", "0.03", "--json"] + arguments)
      #expect(run.status == 0, "\(run.message)")
      let surfaces = try #require(try run.document()["surfaces"] as? [[String: Any]])
      var changes = try #require(surfaces[0]["changes"] as? [String: Any])
      changes["triangles"] = surfaces[0]["triangles"]
      return changes
    }
    let simple = try changes(["--triangles", "100", "--close-holes", "1"], name: "s.stl")
    #expect(try #require(simple["triangles"] as? Int) <= 100)
    #expect(try #require(simple["unsimplifiedTriangles"] as? Int) > 100)
    let textured = try changes(["--texture-size", "256"], name: "t.glb")
    let texture = try #require(textured["texture"] as? [String: Any])
    #expect([64, 128, 256].contains(try #require(texture["side"] as? Int)))
    #expect(try #require(texture["shownShare"] as? Double) > 0.8)
    let plain = try changes(["--vertex-colors"], name: "v.glb")
    #expect(plain["texture"] is NSNull)
    let text = try CommandRun([
      "fuse", recording, "-o", folder.file("s.obj"), "--voxel", "0.03", "--texture-size", "128",
    ])
    #expect(text.text.contains("texture of "), "\(text.text)")
    #expect(
      try folder.names() == ["a.mcap", "s.jpg", "s.mtl", "s.obj", "s.stl", "t.glb", "v.glb"])
  }

  @Test("Too little memory is said with what would need less; usage is refused")
  func refusals() throws {
    let (folder, recording) = try Self.prepared(frames: 1)
    let output = folder.file("s.glb")
    for arguments in [
      ["--voxel", "0"], ["--every", "0"], ["--max-depth", "0"], ["--depth-bend", "0.2"],
      ["--frame", "0"], ["--triangles", "3"], ["--simplify", "2"], ["--close-holes", "-1"],
      ["--smallest-part", "-1"], ["--texture-size", "10"],
    ] {
      let run = try CommandRun(["fuse", recording, "-o", output] + arguments)
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
    let ending = try CommandRun(["fuse", recording, "-o", folder.file("s.fbx")])
    #expect(ending.status == 64 && ending.message.contains(".glb, .obj, .ply, .usdz"))
    #expect(try folder.names() == ["a.mcap"])
  }
}
