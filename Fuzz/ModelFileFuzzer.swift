@testable import PlumblineInference

/// Whatever the bytes are, checking and converting them as a model file ends with a file that can be
/// checked again, or with a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModelFile(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let file = ModelFile(name: "fuzz", bytes: bytes)
  _ = try? file.check()
  if let model = try? ONNXModel(bytes) { precondition(!model.outputs.isEmpty) }
  _ = try? TFLiteModel(bytes)
  if let converted = try? file.converted() {
    precondition((try? ONNXModel(converted.bytes)) != nil)
  }
  return 0
}
