import Foundation
import PlumblineTestSupport
import Testing

/// `mesh`: the surface of one capture.
@Suite struct MeshCommandTests {
  /// A folder with a small photo, a slanted plane.
  private static func prepared() throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "a.jpg")
    return (folder, folder.file("a.jpg"))
  }

  @Test(
    "Each format is written whole, with what it names beside it",
    arguments: [
      ("glb", ["m.glb"]), ("usdz", ["m.usdz"]), ("obj", ["m.jpg", "m.mtl", "m.obj"]),
      ("ply", ["m.jpg", "m.ply"]), ("stl", ["m.stl"]), ("pcd", ["m.pcd"]), ("xyz", ["m.xyz"]),
    ])
  func formats(ending: String, names: [String]) throws {
    let (folder, photo) = try Self.prepared()
    let path = folder.file("m.\(ending)")
    let run = try CommandRun(["mesh", photo, "-o", path, "--json"])
    #expect(run.status == 0, "\(run.message)")
    #expect(try folder.names() == ["a.jpg"] + names)
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.mesh/1")
    #expect(document["unit"] as? String == "m")
    let triangles = try #require(document["triangles"] as? Int)
    let vertices = try #require(document["vertices"] as? Int)
    // Euler: an open surface of few pieces has nearly two triangles for each vertex.
    #expect(triangles > vertices && triangles < 2 * vertices)
    let area = try #require(document["areaSquareMeters"] as? Double)
    let sigma = try #require(document["areaSigma"] as? Double)
    #expect(area > 0 && sigma > 0 && sigma < area)
    #expect(document["outputs"] as? [String] != nil)
  }

  @Test("A smaller step cuts more")
  func edges() throws {
    let folder = try TemporaryFolder()
    func triangles(_ edge: String) throws -> Int {
      let run = try CommandRun([
        "mesh", SampleCapture.healthy, "-o", folder.file("m.glb"), "--force", "--edge", edge,
        "--json",
      ])
      #expect(run.status == 0, "\(run.message)")
      return try #require(try run.document()["triangles"] as? Int)
    }
    #expect(try triangles("5") < triangles("100"))
  }

  @Test("The same bytes again, and for any number of threads")
  func repeats() throws {
    let (folder, photo) = try Self.prepared()
    var bytes: [[UInt8]?] = []
    for threads in ["1", "3"] {
      let run = try CommandRun([
        "mesh", photo, "-o", folder.file("m.glb"), "--threads", threads, "--quiet", "--force",
      ])
      #expect(run.status == 0, "\(run.message)")
      bytes.append(folder.bytes("m.glb"))
    }
    let isSame = bytes[0] != nil && bytes[0] == bytes[1]
    #expect(isSame)
  }

  @Test("A relative map is refused with what would give it a size")
  func relative() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "a.jpg")
    let refused = try CommandRun(["mesh", folder.file("a.jpg"), "-o", folder.file("m.glb")])
    #expect(refused.status == 65)
    #expect(refused.message.contains("a distance that you measured gives it"))
    let known = try CommandRun([
      "mesh", folder.file("a.jpg"), "-o", folder.file("m.glb"), "--known-distance", "32,24=0.5",
    ])
    #expect(known.status == 0, "\(known.message)")
    #expect(try folder.names() == ["a.jpg", "m.glb"])
  }

  @Test("Usage: an ending without a format, an edge below 0, a file that is there")
  func usage() throws {
    let (folder, photo) = try Self.prepared()
    let wrong = try CommandRun(["mesh", photo, "-o", folder.file("m.fbx")])
    #expect(wrong.status == 64 && wrong.message.contains(".glb, .obj, .ply, .usdz"))
    let edge = try CommandRun([
      "mesh", photo, "-o", folder.file("m.glb"), "--edge=-1",
    ])
    #expect(edge.status == 64)
    try folder.put([1], at: "m.mtl")
    let taken = try CommandRun(["mesh", photo, "-o", folder.file("m.obj")])
    #expect(taken.status == 73, "\(taken.message)")
    #expect(try folder.names() == ["a.jpg", "m.mtl"])
  }
}
