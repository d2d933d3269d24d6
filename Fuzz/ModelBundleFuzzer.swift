import PlumblineInference

/// Whatever the bytes are, reading them as a bundle of networks ends with networks that are sound in
/// structure, or with a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModelBundle(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let file = ModelFile(name: "fuzz.task", bytes: bytes)
  // Never the known file: its checksum is tested first.
  precondition((try? FaceModel.file(from: file)) == nil)
  guard let bundle = try? ModelBundle(file) else { return 0 }
  precondition(bundle.partNames.count <= ModelBundle.maximumPartCount)
  for part in bundle.partNames {
    guard let network = try? bundle.network(named: part) else { continue }
    precondition(network.bytes.count <= ModelBundle.maximumPartByteCount)
    precondition((try? network.format()) == .tflite)
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedZIP)
}
