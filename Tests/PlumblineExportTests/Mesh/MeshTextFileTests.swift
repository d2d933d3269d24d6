import PlumblineExport
import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct OBJWriterTests {
  @Test func filesNameEachOther() throws {
    let files = OBJWriter(try SampleDocuments.ball()).files(baseName: "my head/é")
    #expect(files.map(\.name) == ["my_head__.obj", "my_head__.mtl", "my_head__.png"])
    let text = String(decoding: files[0].bytes, as: UTF8.self)
    #expect(text.contains("\nmtllib my_head__.mtl\n") && text.contains("\nusemtl surface\n"))
    #expect(String(decoding: files[1].bytes, as: UTF8.self).contains("\nmap_Kd my_head__.png\n"))
    #expect(files[2].bytes == SampleDocuments.image())
    #expect(text.hasPrefix("# made by plumbline 0.1.0\n# source sha256 abc\n# unit meter\n# frame"))
    #expect(text.contains("\n# uncertainty +- 1.2 mm\n"))
  }

  @Test func linesAreExact() throws {
    let plane = try SampleMeshes.plane(columns: 1, rows: 1, width: 1, height: 0.5, depth: 2)
    let document = try MeshDocument(name: "a b", mesh: plane, origin: ExportOrigin(producer: "p"))
    let files = OBJWriter(document).files(baseName: "x")
    let expected = """
      # made by p
      # unit meter
      # frame viewer: x right, y up, z toward the viewer; the camera is at the origin
      o a_b
      v -0.5 0.25 -2.0
      v 0.5 0.25 -2.0
      v -0.5 -0.25 -2.0
      v 0.5 -0.25 -2.0
      vt 0.0 1.0
      vt 1.0 1.0
      vt 0.0 0.0
      vt 1.0 0.0
      vn 0.0 0.0 1.0
      vn 0.0 0.0 1.0
      vn 0.0 0.0 1.0
      vn 0.0 0.0 1.0
      f 1/1/1 3/3/3 4/4/4
      f 1/1/1 4/4/4 2/2/2

      """
    #expect(files.count == 1 && String(decoding: files[0].bytes, as: UTF8.self) == expected)
  }

  @Test(.enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3dReadsEveryCorner() throws {
    let document = try SampleDocuments.ball(hasColors: false)
    let bytes = OBJWriter(document).files(baseName: "m")[0].bytes
    let answer = try ExportOracle("open3d", bytes, script: "mesh_values.py", name: "m.obj")
    #expect(answer.values == MeshCorners(document, isViewer: true).bytes)
  }

  @Test(.enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3dFindsTheImageBesideIt() throws {
    let folder = try TemporaryFolder()
    let files = OBJWriter(try SampleDocuments.ball()).files(baseName: "m")
    for file in files { try folder.put(file.bytes, at: file.name) }
    let answer = try PythonPeer.run("mesh_values.py", "open3d_image", folder.file("m.obj"))
    // 32 rows of 64 pixels; the first is red.
    #expect(String(decoding: answer, as: UTF8.self) == "{\"shape\": [32, 64, 3]}\n" + "255 0 0\n")
  }
}

@Suite struct MeshPLYWriterTests {
  @Test func headerSaysWhatTheNumbersMean() throws {
    let files = MeshPLYWriter(try SampleDocuments.ball()).files(baseName: "m")
    #expect(files.map(\.name) == ["m.ply", "m.png"])
    let expected = """
      ply
      format binary_little_endian 1.0
      comment made by plumbline 0.1.0
      comment source sha256 abc
      comment unit meter
      comment frame camera: x right, y down, z forward
      comment uncertainty +- 1.2 mm
      comment sigma is one standard deviation along the normal in meters
      comment residual is mesh minus measurement along the normal in meters
      comment TextureFile m.png
      element vertex 178
      property float x
      property float y
      property float z
      property float nx
      property float ny
      property float nz
      property uchar red
      property uchar green
      property uchar blue
      property float sigma
      property float residual
      element face 352
      property list uchar int vertex_indices
      property list uchar float texcoord
      end_header

      """
    #expect(files[0].bytes.count == expected.utf8.count + 178 * 35 + 352 * 38)
    #expect(files[0].bytes.starts(with: expected.utf8))
  }

  @Test(.enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3dReadsEveryCorner() throws {
    let document = try SampleDocuments.ball()
    let bytes = MeshPLYWriter(document).files(baseName: "m")[0].bytes
    let answer = try ExportOracle("open3d", bytes, script: "mesh_values.py", name: "m.ply")
    // Open3D's PLY has no coordinates.
    #expect(answer.values == rawBytes(MeshCorners(document, isViewer: false).positions))
  }

  @Test(.enabled(if: PythonPeer.has("plyfile"), "\(PythonPeer.absence("plyfile"))"))
  func plyfileReadsEveryValue() throws {
    let document = try SampleDocuments.ball()
    let bytes = MeshPLYWriter(document).files(baseName: "m")[0].bytes
    let answer = try ExportOracle("plyfile", bytes, script: "mesh_values.py", name: "m.ply")
    let mesh = document.mesh
    let normals = mesh.areaWeightedNormals
    let vertices = zip(mesh.positions, normals).flatMap { [$0.x, $0.y, $0.z, $1.x, $1.y, $1.z] }
    #expect(
      answer.values == rawBytes(vertices) + rawBytes(mesh.colors ?? [])
        + rawBytes(mesh.sigmaMeters ?? []) + rawBytes(mesh.residualMeters ?? [])
        + rawBytes(mesh.triangles) + rawBytes(MeshCorners(document, isViewer: false).coordinates))
  }
}
