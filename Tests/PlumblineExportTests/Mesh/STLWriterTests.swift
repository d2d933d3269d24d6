import PlumblineExport
import PlumblineTestSupport
import Testing

@Suite struct STLWriterTests {
  @Test func theHeaderStatesTheUnit() throws {
    let bytes = STLWriter(try SampleDocuments.ball()).files(baseName: "m")[0].bytes
    let header = String(decoding: bytes.prefix(80), as: UTF8.self)
    #expect(header.hasPrefix("STL unit meter; frame camera: x right, y down, z forward "))
  }

  @Test(.enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3dReadsEveryCorner() throws {
    let document = try SampleDocuments.ball()
    let bytes = STLWriter(document).files(baseName: "m")[0].bytes
    let answer = try ExportOracle("open3d", bytes, script: "mesh_values.py", name: "m.stl")
    #expect(answer.values == rawBytes(MeshCorners(document, isViewer: false).positions))
  }
}
