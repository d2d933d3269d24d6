import Foundation
import PlumblineTestSupport
import Testing

/// `measure` of PLY meshes, floor plans and `compare-surface`.
@Suite struct MeasureMeshTests {
  private static let statements = [
    "unit meter", "frame world: y up",
    "plumbline shared length-share=0.002 normal-m=0.001 place-m=0.002 near-m=0.5",
  ]

  /// A room with y up, and a box, as files.
  private func files() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let room = TrialSurface.room(
      [[0, 0], [4, 0], [4, 3], [0, 3]], height: 2.4, spacing: 0.2
    ).placed { [$0.x, $0.z, -$0.y] }
    try folder.put(room.ply(comments: Self.statements, sigma: 0.003), at: "room.ply")
    let box = TrialSurface.box([0.4, 0.3, 0.2], spacing: 0.05).joined()
    try folder.put(box.ply(comments: Self.statements, sigma: 0.003), at: "box.ply")
    let moved = box.placed { $0 + [0.004, 0.002, -0.003] }
    try folder.put(moved.ply(comments: Self.statements, sigma: 0.003), at: "moved.ply")
    return folder
  }

  @Test func aBoxHasItsNumbers() throws {
    let folder = try files()
    let run = try CommandRun(
      "measure", folder.file("box.ply"), "--volume", "all", "--area", "all", "--section", "y=0.1",
      "--json")
    #expect(run.status == 0, "\(run.message)")
    let found = try #require(try run.document()["measurements"] as? [[String: Any]])
    #expect(found.map { $0["unit"] as? String } == ["m3", "m2", "m", "m2"])
    #expect(abs((found[0]["value"] as? Double ?? 0) - 0.024) < 1e-6)
    #expect(abs((found[3]["value"] as? Double ?? 0) - 0.08) < 1e-6)
    #expect(found.allSatisfy { $0["believable"] as? Bool == true && $0["sigma"] is Double })
    let text = try CommandRun("measure", folder.file("box.ply"), "--volume", "all")
    #expect(text.text.contains("volume all  24.0"), "\(text.text)")
  }

  @Test func aRoomHasAPlanInBothFormats() throws {
    let folder = try files()
    for name in ["plan.svg", "plan.dxf"] {
      let run = try CommandRun(
        "measure", folder.file("room.ply"), "--floor-plan", "-o", folder.file(name), "--json")
      #expect(run.status == 0, "\(run.message)")
      let document = try run.document()
      #expect((document["outputs"] as? [String: Any])?["plan"] as? String == folder.file(name))
      #expect((document["measurements"] as? [[String: Any]])?.count == 7)
      #expect(FileManager.default.fileExists(atPath: folder.file(name)))
    }
    let box = try CommandRun(
      "measure", folder.file("box.ply"), "--floor-plan", "-o", folder.file("none.svg"))
    #expect(box.status == 1 && box.text.contains("NOT MEASURED"), "\(box.text)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("none.svg")))
  }

  @Test(arguments: [
    ["--section", "w=1"], ["--section", "1,2,3:0,0,0"], ["--area", "1,2,3x4"],
    ["--floor-plan", "-o", "plan.png"], ["--volume", "all", "-o", "plan.svg"],
    ["--floor-plan", "--section-height", "50"], ["--volume", "all", "--section-height", "1"],
  ])
  func wrongUsageIs64(arguments: [String]) throws {
    let folder = try files()
    let run = try CommandRun(["measure", folder.file("box.ply")] + arguments)
    #expect(run.status == 64, "\(arguments): \(run.status) \(run.message)")
  }

  @Test("A scan is measured and compared in each format as in PLY, with the ± that GLB has too")
  func formatsOfAScan() throws {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "3", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    func area(_ name: String) throws -> [String: Any] {
      let fuse = try CommandRun([
        "fuse", folder.file("a.mcap"), "-o", folder.file(name), "--voxel", "0.03", "--texture-size",
        "128", "--quiet",
      ])
      #expect(fuse.status == 0, "\(name): \(fuse.message)")
      let run = try CommandRun(["measure", folder.file(name), "--area", "all", "--json"])
      let found = try #require(
        try run.document()["measurements"] as? [[String: Any]], "\(run.message)")
      return found[0]
    }
    let ply = try area("s.ply")
    let value = try #require(ply["value"] as? Double)
    for name in ["s.glb", "s.obj", "s.stl"] {
      let found = try area(name)
      // Where vertices have no ±, what their errors add to the area stays in it: here below a thousandth.
      let most = name == "s.glb" ? 1e-5 : 1e-3
      #expect(abs((found["value"] as? Double ?? 0) / value - 1) < most, "\(name): \(found)")
      // Only PLY and GLB say what vertices are wrong by, and which were invented.
      let isSame = found["believable"] as? Bool == ply["believable"] as? Bool
      #expect(name != "s.glb" || isSame, "\(found)")
      if name == "s.glb" {
        let sigmas = [found, ply].compactMap { $0["sigma"] as? Double }
        #expect(sigmas.count == 2 && abs(sigmas[0] / sigmas[1] - 1) < 1e-3, "\(sigmas)")
      } else {
        #expect(found["believable"] as? Bool == false, "\(name)")
      }
    }
    let compared = try CommandRun([
      "compare-surface", folder.file("s.ply"), folder.file("s.stl"), "--places", "1000", "--json",
    ])
    let there = try #require(try compared.document()["firstToSecond"] as? [String: Any])
    #expect(try #require((there["percentiles"] as? [String: Double])?["max"]) < 1e-6)
    // The same as a CAD program writes it: millimeters, and no word of it.
    let text = String(decoding: try #require(folder.bytes("s.obj")), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("v ") || $0.hasPrefix("f ") }.map
    {
      line -> String in
      let words = line.split(separator: " ").map(String.init)
      guard words[0] == "v" else { return String(line) }
      return (["v"] + words[1...3].map { "\(1000 * (Double($0) ?? 0))" }).joined(separator: " ")
    }
    try folder.put(Array(lines.joined(separator: "\n").utf8), at: "part.obj")
    let part = try CommandRun([
      "compare-surface", folder.file("s.glb"), folder.file("part.obj"), "--depth-unit", "mm",
      "--places", "1000", "--json",
    ])
    let back = try #require(
      try part.document()["secondToFirst"] as? [String: Any], "\(part.message)")
    #expect(try #require((back["percentiles"] as? [String: Double])?["max"]) < 1e-5)
  }

  @Test func surfacesAreComparedAndAligned() throws {
    let folder = try files()
    let paths = [folder.file("box.ply"), folder.file("moved.ply")]
    let apart = try CommandRun(["compare-surface"] + paths + ["--tolerance", "0.002", "--json"])
    #expect(apart.status == 0, "\(apart.message)")
    let document = try apart.document()
    #expect(document["schema"] as? String == "plumbline.compare-surface/1")
    let back = try #require(document["secondToFirst"] as? [String: Any])
    let largest = (back["percentiles"] as? [String: Double])?["max"] ?? 0
    // At most √(4² + 2² + 3²) mm.
    #expect(largest > 0.003 && largest < 0.0055)
    #expect((back["within"] as? [[String: Double]])?.first?["tolerance"] == 0.002)
    let output = folder.file("out.ply")
    let run = try CommandRun(["compare-surface"] + paths + ["--align", "-o", output])
    #expect(run.status == 0 && run.text.contains("aligned in"), "\(run.message)")
    #expect(try CommandRun("measure", output, "--volume", "all", "--json").status == 1)
    #expect(try CommandRun("compare-surface", paths[0], folder.file("absent.ply")).status == 66)
    try folder.put(Array("ply\nformat".utf8), at: "broken.ply")
    #expect(try CommandRun("compare-surface", folder.file("broken.ply"), paths[0]).status == 65)
    #expect(
      try CommandRun(["compare-surface"] + paths + ["-o", folder.file("out.png")]).status == 64)
  }
}
