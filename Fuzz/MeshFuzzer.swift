import PlumblineExport
import PlumblineGeometry

/// Whatever the bytes are, reading them as a mesh of any format ends with triangles whose corners are
/// vertices and positions that are finite, or with a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMesh(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var reader = MeshReader()
  reader.maximumCount = 100_000
  guard let read = try? reader.read(bytes, named: "fuzz.obj") else { return 0 }
  let mesh = read.mesh
  precondition(!mesh.triangles.isEmpty)
  precondition(mesh.triangles.allSatisfy { Int($0.maximum) < mesh.vertexCount })
  precondition(mesh.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
  precondition(read.metersPerUnit.map { $0 > 0 } ?? true)
  return 0
}
