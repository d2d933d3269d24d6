@testable import PlumblineInference

/// Whatever the bytes are, checking them as a model file ends well or with a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModelFile(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let file = ModelFile(name: "fuzz", bytes: bytes)
  _ = try? file.check()
  if let model = try? ONNXModel(bytes) { precondition(!model.outputs.isEmpty) }
  _ = try? TFLiteModel(bytes)
  return 0
}
