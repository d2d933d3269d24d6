import PlumblineFaces

/// Whatever the bytes are, reading them as a packed morphable model ends with a model that is finite and
/// reads again as it is written, or with a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMorphableModel(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let model = try? MorphableModelFile.model(bytes, named: "fuzz") else { return 0 }
  let positions = model.positions(of: FaceShape(restingIn: model))
  precondition(positions == model.mean)
  for case let anchor? in model.anchors { precondition(anchor.vertices.max() < model.vertexCount) }
  let again = try? MorphableModelFile.model(MorphableModelFile.bytes(of: model), named: "again")
  precondition(again?.mean == model.mean && again?.triangles == model.triangles)
  return 0
}
