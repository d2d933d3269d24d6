import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct DamagedMeshTests {
  private func small() throws -> MeshDocument {
    try MeshDocument(
      name: "p",
      mesh: SampleMeshes.plane(columns: 1, rows: 1, width: 1, height: 0.5, depth: 2),
      origin: ExportOrigin(producer: "p"))
  }

  @Test func everyPrefixOfABinaryFileIsRefused() throws {
    let document = try small()
    let files = [
      ("m.ply", MeshPLYWriter(document).files(baseName: "m")[0].bytes),
      ("m.stl", STLWriter(document).files(baseName: "m")[0].bytes),
      ("m.glb", try GLBWriter(document).bytes()),
    ]
    for (name, bytes) in files {
      _ = try MeshReader().read(bytes, named: name)
      for count in 0..<bytes.count {
        #expect(throws: CaptureReadingError.self, "\(name), \(count) bytes") {
          try MeshReader().read([UInt8](bytes.prefix(count)), named: name)
        }
      }
    }
  }

  @Test func everyPrefixOfATextEndsWithAMeshOrAnError() throws {
    let bytes = OBJWriter(try small()).files(baseName: "m")[0].bytes
    for count in 0..<bytes.count {
      do throws(CaptureReadingError) {
        let mesh = try MeshReader().read([UInt8](bytes.prefix(count)), named: "m.obj").mesh
        #expect(mesh.triangles.allSatisfy { Int($0.maximum) < mesh.vertexCount })
      } catch {
        #expect(!error.expected.isEmpty && !error.found.isEmpty)
      }
    }
  }

  @Test func aStatedCountAllocatesNothing() throws {
    var bytes = [UInt8](repeating: 0x20, count: 84)
    for index in 80..<84 { bytes[index] = 0xFF }
    #expect(throws: CaptureReadingError.self) { try MeshReader().read(bytes, named: "m.stl") }
    var reader = MeshReader()
    reader.maximumCount = 1
    let file = STLWriter(try small()).files(baseName: "m")[0].bytes
    let error = #expect(throws: CaptureReadingError.self) { try reader.read(file, named: "m.stl") }
    #expect(error?.reason == .limitExceeded)
  }

  /// A file with one triangle whose document is given; positions first, then indices of one byte.
  private func glb(_ document: String) -> [UInt8] {
    var body: [UInt8] = []
    for number: Float in [0, 0, 0, 1, 0, 0, 0, 1, 0] { body += littleEndian(number.bitPattern) }
    body += [0, 1, 2, 0]
    var text = [UInt8](document.utf8)
    while text.count % 4 != 0 { text.append(0x20) }
    let length = 12 + 8 + text.count + 8 + body.count
    return [UInt8]("glTF".utf8) + littleEndian(2) + littleEndian(UInt32(length))
      + littleEndian(UInt32(text.count)) + [UInt8]("JSON".utf8) + text
      + littleEndian(UInt32(body.count)) + [UInt8]("BIN".utf8) + [0] + body
  }

  private func littleEndian(_ number: UInt32) -> [UInt8] { bigEndian(number).reversed() }

  private func document(
    nodes: String, extra: String = "", indices: String = #""componentType":5121"#
  ) -> String {
    """
    {"asset":{"version":"2.0"},\(extra)"scenes":[{"nodes":[0]}],"nodes":[\(nodes)],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
    {"bufferView":1,\(indices),"count":3,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}],
    "buffers":[{"byteLength":40}]}
    """
  }

  @Test func transformsOfNodesMultiply() throws {
    // A quarter turn about z after a shift along x, then twice the size and mirrored along z.
    let nodes = """
      {"children":[1],"rotation":[0,0,0.7071067811865476,0.7071067811865476]},
      {"mesh":0,"translation":[1,0,0],"scale":[2,2,-2]}
      """
    let read = try MeshReader().read(glb(document(nodes: nodes)), named: "m")
    let expected: [SIMD3<Double>] = [[0, 1, 0], [0, 3, 0], [-2, 1, 0]]
    for (point, wanted) in zip(read.mesh.positions, expected) {
      let difference = point.vector - wanted
      // Rounding of a product of single precision: 2⁻²³ of 3, doubled.
      #expect((difference * difference).sum().squareRoot() < 8e-7)
    }
    #expect(read.mesh.triangles == [TriangleIndices(0, 2, 1)])
  }

  @Test func whatIsNotReadIsNamed() throws {
    let cases = [
      (
        document(
          nodes: #"{"mesh":0}"#, extra: #""extensionsRequired":["KHR_draco_mesh_compression"],"#),
        CaptureReadingError.Reason.unsupported, "KHR_draco_mesh_compression"
      ),
      (document(nodes: #"{"mesh":0}"#, indices: #""componentType":5126"#), .unsupported, "5126"),
      (document(nodes: #"{"mesh":0,"children":[0]}"#), .malformed, "two"),
      (document(nodes: #"{"mesh":7}"#), .malformed, "7"),
      (document(nodes: #"{"mesh":0}"#, indices: #""componentType":5125"#), .malformed, "stride"),
    ]
    for (text, reason, word) in cases {
      let error = #expect(throws: CaptureReadingError.self) {
        try MeshReader().read(glb(text), named: "m.glb")
      }
      #expect(error?.reason == reason && error?.found.contains(word) == true)
    }
  }

  @Test func anotherFormatIsRefusedWithItsName() throws {
    let error = #expect(throws: CaptureReadingError.self) {
      try MeshReader().read([UInt8]("#usda 1.0".utf8), named: "m.usda")
    }
    #expect(error?.reason == .unsupported && error?.path == ["m.usda"])
  }
}
