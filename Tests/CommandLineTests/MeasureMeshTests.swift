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
