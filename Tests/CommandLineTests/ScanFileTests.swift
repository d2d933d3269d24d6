import Foundation
import PlumblineTestSupport
import Testing

/// The files of `fuse` read by other programs: geometry, axes, unit, colors and textures.
@Suite struct ScanFileTests {
  /// What a program read of a file; see `Tests/Oracles/scan_files.py`.
  private struct Found: Decodable {
    var vertices: Int
    var triangles: Int?
    var low: [Double]
    var high: [Double]
    var area: Double?
    var color: [Double]?
    var image: [Int]?
    var metersPerUnit: Double?
    var upAxis: String?
  }

  private static let formats = ["ply", "glb", "obj", "usdz", "stl", "pcd", "xyz"]

  /// A folder with one scan in all formats.
  private static func scanned() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun([
      "record", "--source", "simulated", "--size", "96x72", "--frames", "4", "--pace", "fast",
      "-o", folder.file("a.mcap"),
    ])
    try #require(recorded.status == 0, "\(recorded.message)")
    for format in formats {
      let run = try CommandRun([
        "fuse", folder.file("a.mcap"), "-o", folder.file("s.\(format)"), "--voxel", "0.04",
        "--texture-size", "512", "--quiet",
      ])
      try #require(run.status == 0, "\(format): \(run.message)")
    }
    return folder
  }

  private func read(_ folder: TemporaryFolder, _ pairs: [(String, String)]) throws -> [Found] {
    let answer = try PythonPeer.run(
      "scan_files.py", arguments: pairs.flatMap { [$0.0, folder.file("s.\($0.1)")] })
    return try JSONDecoder().decode([Found].self, from: Data(answer))
  }

  /// The box of the PLY file in axes with `y` up.
  private func upright(_ found: Found, _ folder: TemporaryFolder) throws -> (
    low: [Double], high: [Double]
  ) {
    let header = String(decoding: try #require(folder.bytes("s.ply")).prefix(900), as: UTF8.self)
    let (low, high) = (found.low, found.high)
    if header.contains("frame world: z up") {
      return ([low[0], low[2], -high[1]], [high[0], high[2], -low[1]])
    }
    if header.contains("frame camera") {
      return ([low[0], -high[1], -high[2]], [high[0], -low[1], -low[2]])
    }
    return (low, high)
  }

  private func expect(_ found: Found, box: (low: [Double], high: [Double]), _ name: String) {
    // Texts have the shortest decimals of single precision.
    let near = zip(found.low + found.high, box.low + box.high).allSatisfy { abs($0 - $1) < 1e-5 }
    #expect(near, "\(name): \(found.low) to \(found.high), not \(box)")
  }

  private func expect(_ found: Found, color: [Double], _ name: String) throws {
    // Readers count a vertex once for each chart that has it, and unseen texels have colors around them:
    // within 20 codes in the mean.
    let own = try #require(found.color, "\(name) without color")
    #expect(zip(own, color).allSatisfy { abs($0 - $1) < 20 }, "\(name): \(own), not \(color)")
  }

  @Test(
    "Open3D reads each format with the same box, area and colors",
    .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3d() throws {
    let folder = try Self.scanned()
    let found = try read(
      folder,
      [
        ("open3d_mesh", "ply"), ("open3d_mesh", "glb"), ("open3d_mesh", "obj"),
        ("open3d_mesh", "stl"), ("open3d_points", "pcd"), ("numpy_points", "xyz"),
      ])
    let (ply, glb, obj, stl) = (found[0], found[1], found[2], found[3])
    let box = try upright(ply, folder)
    let area = try #require(ply.area)
    let color = try #require(ply.color)
    expect(glb, box: box, "glb")
    expect(obj, box: box, "obj")
    for (name, mesh) in [("glb", glb), ("obj", obj), ("stl", stl)] {
      #expect(mesh.triangles == ply.triangles, "\(name)")
      #expect(abs((mesh.area ?? 0) / area - 1) < 1e-5, "\(name)")
    }
    // As small as its texels allow, at most as requested.
    let side = try #require(glb.image?.first)
    #expect(side >= 64 && side <= 512)
    #expect(glb.image == [side, side] && obj.image == [side, side] && ply.image == nil)
    expect(stl, box: (ply.low, ply.high), "stl")
    for (name, points) in [("pcd", found[4]), ("xyz", found[5])] {
      expect(points, box: (ply.low, ply.high), name)
      #expect(points.vertices == ply.vertices, "\(name)")
      try expect(points, color: color, name)
    }
  }

  @Test(
    "trimesh, pygltflib and OpenUSD read geometry, unit, axes and the texture where it belongs",
    .enabled(
      if: PythonPeer.has("trimesh", "pygltflib", "pxr", "PIL"),
      "\(PythonPeer.absence("trimesh, pygltflib and usd-core"))"))
  func others() throws {
    let folder = try Self.scanned()
    let found = try read(
      folder,
      [
        ("trimesh_mesh", "ply"), ("trimesh_mesh", "glb"), ("trimesh_mesh", "obj"),
        ("trimesh_mesh", "stl"), ("pygltf", "glb"), ("usd", "usdz"),
      ])
    let ply = found[0]
    let box = try upright(ply, folder)
    let color = try #require(ply.color)
    for (name, mesh) in [
      ("trimesh glb", found[1]), ("trimesh obj", found[2]), ("pygltflib glb", found[4]),
      ("usdz", found[5]),
    ] {
      expect(mesh, box: box, name)
      #expect(mesh.triangles == ply.triangles && mesh.image == found[1].image, "\(name)")
      #expect(mesh.image?.first ?? 0 >= 64, "\(name)")
      try expect(mesh, color: color, name)
    }
    expect(found[3], box: (ply.low, ply.high), "trimesh stl")
    #expect(found[5].metersPerUnit == 1 && found[5].upAxis == "Y")
  }
}
