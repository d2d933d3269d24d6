@testable import PlumblineFaces

/// Whatever the bytes are, reading them as an OBJ file ends with a mesh whose triangles stand on its
/// vertices, or with a typed error; the vertices alone are the same ones.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOBJ(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let geometry = try? OBJGeometry(bytes, named: "fuzz.obj") else { return 0 }
  let vertexCount = geometry.positions.count
  precondition(geometry.triangles.allSatisfy { Int($0.maximum) < vertexCount })
  precondition(geometry.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
  if let texture = geometry.texture {
    precondition(texture.triangles.count == geometry.triangles.count)
  }
  let alone = try? OBJGeometry.positions(of: bytes, named: "fuzz.obj", atMost: vertexCount)
  precondition(alone == geometry.positions)
  _ = geometry.part(ofFirst: vertexCount / 2)
  return 0
}
