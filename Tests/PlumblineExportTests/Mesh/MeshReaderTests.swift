import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshReaderTests {
  /// The corners of all triangles, whatever the indices are.
  private func corners(_ mesh: TriangleMesh, isViewer: Bool = false) -> [Float] {
    mesh.triangles.flatMap { triangle in
      (0..<3).flatMap { corner -> [Float] in
        let point = mesh.positions[triangle[corner]]
        return isViewer ? [point.x, 0 - point.y, 0 - point.z] : [point.x, point.y, point.z]
      }
    }
  }

  /// The ± at all corners of all triangles; one NaN for all that are unknown.
  private func sigmas(_ mesh: TriangleMesh) -> [Float]? {
    mesh.sigmaMeters.map { sigmas in
      mesh.triangles.flatMap { triangle in
        (0..<3).map { sigmas[triangle[$0]].isNaN ? .nan : sigmas[triangle[$0]] }
      }
    }
  }

  private func isSame(_ a: [Float]?, _ b: [Float]?) -> Bool {
    a?.map(\.bitPattern) == b?.map(\.bitPattern)
  }

  @Test func plyIsReadBackExactly() throws {
    let document = try SampleDocuments.ball()
    let bytes = MeshPLYWriter(document).files(baseName: "m")[0].bytes
    let read = try MeshReader().read(bytes, named: "m.ply")
    #expect(read.format == .ply && read.metersPerUnit == 1 && read.degenerateTriangleCount == 0)
    #expect(read.mesh.positions == document.mesh.positions)
    #expect(read.mesh.triangles == document.mesh.triangles)
    #expect(read.mesh.colors == document.mesh.colors)
    #expect(isSame(read.mesh.sigmaMeters, document.mesh.sigmaMeters))
    #expect(read.statements.contains { $0.hasPrefix("frame camera") })
  }

  @Test func objIsReadBackExactly() throws {
    let document = try SampleDocuments.ball(hasImage: false)
    let bytes = OBJWriter(document).files(baseName: "m")[0].bytes
    let read = try MeshReader().read(bytes, named: "m.OBJ")
    #expect(read.format == .obj && read.metersPerUnit == 1)
    #expect(corners(read.mesh) == corners(document.mesh, isViewer: true))
    #expect(read.mesh.triangles == document.mesh.triangles)
    #expect(read.mesh.colors == document.mesh.colors)
  }

  @Test func stlIsReadBackWithItsVerticesJoined() throws {
    let document = try SampleDocuments.ball()
    let file = try #require(STLWriter(document).files(baseName: "a b").first)
    #expect(file.name == "a_b.stl")
    #expect(file.bytes.count == 84 + 50 * document.mesh.triangles.count)
    let read = try MeshReader().read(file.bytes, named: "m")
    #expect(read.format == .stl && read.metersPerUnit == 1)
    #expect(read.mesh.vertexCount == document.mesh.vertexCount)
    #expect(corners(read.mesh) == corners(document.mesh))
  }

  @Test func glbIsReadBackExactly() throws {
    let document = try SampleDocuments.ball()
    let bytes = try GLBWriter(document).bytes()
    let read = try MeshReader().read(bytes, named: "m.glb")
    #expect(read.format == .glb && read.metersPerUnit == 1)
    #expect(isSame(sigmas(read.mesh), sigmas(document.mesh)))
    #expect(corners(read.mesh) == corners(document.mesh, isViewer: true))
  }

  @Test func inventedVerticesAreReadBackFromGLB() throws {
    let sample = try SampleDocuments.ball()
    var mesh = sample.mesh
    var random = SeededGenerator(seed: 5)
    let invented = mesh.positions.map { _ in random.chance(0.3) }
    mesh.isInvented = invented
    let document = try MeshDocument(
      name: "ball", mesh: mesh, texture: sample.texture, origin: sample.origin)
    let read = try MeshReader().read(GLBWriter(document).bytes(), named: "m.glb").mesh
    let found = try #require(read.isInvented)
    // Vertices are split where the texture is cut: corners are compared.
    func marks(_ mesh: TriangleMesh, _ list: [Bool]) -> [Bool] {
      mesh.triangles.flatMap { triangle in (0..<3).map { list[triangle[$0]] } }
    }
    #expect(marks(read, found) == marks(mesh, invented))
    #expect(invented.contains(true) && invented.contains(false))
  }

  @Test func filesWithYUpAreTurnedFromWorldsWithZUp() throws {
    var document = try SampleDocuments.ball(hasImage: false, hasTargets: false)
    let mesh = document.mesh
    for (axes, isTurned) in [(WorldAxes.yUp, false), (.zUp, true), (.unknown, false)] {
      document.frame = .world(axes)
      let all = corners(mesh)
      let expected = all.enumerated().map { place, value -> Float in
        guard isTurned, place % 3 > 0 else { return value }
        return place % 3 == 1 ? all[place + 1] : 0 - all[place - 1]
      }
      let files = [
        ("m.glb", try GLBWriter(document).bytes()),
        ("m.obj", OBJWriter(document).files(baseName: "m")[0].bytes),
      ]
      for (name, bytes) in files {
        #expect(corners(try MeshReader().read(bytes, named: name).mesh) == expected)
      }
      let kept = [
        ("m.ply", MeshPLYWriter(document).files(baseName: "m")[0].bytes),
        ("m.stl", STLWriter(document).files(baseName: "m")[0].bytes),
      ]
      for (name, bytes) in kept {
        let read = try MeshReader().read(bytes, named: name)
        #expect(corners(read.mesh) == corners(mesh))
        #expect(read.statements.contains { $0.contains("frame world: ") })
      }
    }
  }

  @Test func textOfEveryFormatIsRead() throws {
    let stl = """
      solid part unit mm
      facet normal 0 0 1
        outer loop
          vertex 0 0 0
          vertex 1e0 0 0
          vertex -0 1 0
        endloop
      endfacet
      facet normal 0 0 1
        outer loop
          vertex 0 0 0
          vertex 0 1 0
          vertex 0 1 -0
        endloop
      endfacet
      endsolid part
      """
    let read = try MeshReader().read([UInt8](stl.utf8), named: "m")
    #expect(read.metersPerUnit == 0.001 && read.degenerateTriangleCount == 1)
    #expect(corners(read.mesh) == [0, 0, 0, 1, 0, 0, 0, 1, 0] && read.mesh.vertexCount == 3)

    // Faces before vertices and a polygon of four corners, as the format allows.
    let ply = """
      ply
      format ascii 1.0
      element face 1
      property uchar flags
      property list uchar int vertex_index
      element vertex 4
      property double z
      property float x
      property float y
      end_header
      7 4 0 1 2 3
      5 0 0
      5 1 0
      5 1 1
      5 0 1
      """
    let polygons = try MeshReader().read([UInt8](ply.utf8), named: "m.ply")
    #expect(polygons.mesh.triangles == [TriangleIndices(0, 1, 2), TriangleIndices(0, 2, 3)])
    #expect(corners(polygons.mesh).prefix(6) == [0, 0, 5, 1, 0, 5])
    #expect(polygons.metersPerUnit == nil && polygons.mesh.sigmaMeters == nil)

    let obj = "v 0 0 0\nv 1 0 0 0.5\nv 1 1 0\nv 0 1 0\nf -4/1/1 2//3 3 4\n"
    let fan = try MeshReader().read([UInt8](obj.utf8), named: "m.obj")
    #expect(fan.mesh.triangles == [TriangleIndices(0, 1, 2), TriangleIndices(0, 2, 3)])
  }

  @Test func bigEndianIsRead() throws {
    let header = """
      ply
      format binary_big_endian 1.0
      element vertex 3
      property float x
      property float y
      property float z
      element face 1
      property list uchar ushort vertex_indices
      end_header

      """
    let numbers: [Float] = [0, 0, 1, 2, 0, 1, 0, 3, 1]
    let bytes =
      [UInt8](header.utf8) + numbers.flatMap { bigEndian($0.bitPattern) } + [3]
      + [UInt16(0), 1, 2].flatMap { bigEndian($0) }
    #expect(corners(try MeshReader().read(bytes, named: "m").mesh) == numbers)
  }
}
