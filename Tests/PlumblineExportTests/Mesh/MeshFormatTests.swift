import PlumblineGeometry
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineExport

/// The formats by a file's name, and what those that keep less leave out.
@Suite struct MeshFormatTests {
  /// A plane of four squares, one vertex of which was invented.
  private func document() throws -> MeshDocument {
    let plane = try SampleMeshes.plane(columns: 2, rows: 2, width: 1, height: 1, depth: 1)
    var mesh = try TriangleMesh(
      positions: plane.positions, triangles: plane.triangles,
      colors: plane.positions.indices.map { RGB8(red: UInt8($0), green: 100, blue: 200) },
      sigmaMeters: plane.positions.indices.map { Float($0) / 1000 })
    mesh.isInvented = mesh.positions.indices.map { $0 == 4 }
    mesh.sigmaMeters?[4] = .nan
    var document = try MeshDocument(
      name: "plane", mesh: mesh, origin: ExportOrigin(producer: "plumbline 1"))
    document.frame = .world(.zUp)
    document.errorLines = ["plumbline shared length-share=0.01 near-m=2.0"]
    return document
  }

  @Test func namesGiveFormats() {
    #expect(MeshFormat(fileName: "a.b/c.STL") == .stl)
    #expect(MeshFormat(fileName: "scan.pcd") == .pcd && MeshFormat(fileName: "scan.xyz") == .xyz)
    #expect(MeshFormat(fileName: "scan.fbx") == nil && MeshFormat(fileName: "stl") == nil)
    #expect(MeshFormat.allCases.filter(\.holdsTexture) == [.glb, .obj, .ply, .usdz])
  }

  @Test(arguments: [MeshFormat.pcd, .xyz]) func pointsAreTheMeasuredVertices(
    format: MeshFormat
  ) throws {
    let document = try document()
    let files = try format.files(of: document, baseName: "m")
    #expect(files.map(\.name) == ["m.\(format.rawValue)"])
    let text = String(decoding: files[0].bytes, as: UTF8.self)
    for line in [
      "# unit meter", "# frame world: z up", "# plumbline shared length-share=0.01 near-m=2.0",
      "# sigma is one standard deviation along the normal in meters",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    if format == .pcd {
      #expect(text.contains("POINTS 8\n") && text.contains("FIELDS x y z rgb sigma\n"))
    } else {
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(lines.count == 8)
      #expect(lines[0] == "-0.5 -0.5 1.0 0 100 200 0.0")
      #expect(lines[4] == "0.5 0.0 1.0 5 100 200 0.005")
    }
  }

  @Test func plyMarksWhatWasInventedAndSaysWhatVerticesShare() throws {
    let document = try document()
    let bytes = try MeshFormat.ply.files(of: document, baseName: "m")[0].bytes
    let text = String(decoding: bytes.prefix(2000), as: UTF8.self)
    #expect(text.contains("comment plumbline shared length-share=0.01 near-m=2.0\n"))
    #expect(text.contains("property float sigma\nproperty uchar invented\nelement face 8\n"))
    let read = try #require(
      try PLYTriangles.read(bytes[...], pointCount: 9, limits: ReadingLimits()))
    #expect(read.invented == (0..<9).map { $0 == 4 })
    #expect(read.corners.count == 8)
    let back = try MeshReader().read(bytes, named: "m.ply").mesh
    #expect(back.positions == document.mesh.positions)
    #expect(back.colors == document.mesh.colors)
    #expect(back.triangles == document.mesh.triangles)
  }

  @Test func stlKeepsTrianglesAlone() throws {
    let document = try document()
    let files = try MeshFormat.stl.files(of: document, baseName: "m")
    #expect(files.map(\.name) == ["m.stl"] && files[0].bytes.count == 84 + 50 * 8)
    let back = try MeshReader().read(files[0].bytes, named: "m.stl")
    #expect(back.metersPerUnit == 1)
    #expect(abs(back.mesh.surfaceArea - 1) < 1e-6)
  }
}
