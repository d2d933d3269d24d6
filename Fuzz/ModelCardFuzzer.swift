import PlumblineInference
import PlumblineIO
/// Whatever the bytes are, reading them as a model card, a manifest or an entry of the catalogue ends with
/// one that reads as it is written, or with a typed error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModelCard(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let json = try? JSONValue(parsing: bytes) else { return 0 }
  if let card = try? ModelCard(json) {
    precondition((try? ModelCard(card.json)) == card)
    precondition(card.inputShape.allSatisfy { $0 > 0 })
  }
  if let model = try? StoredModel(json) { precondition((try? StoredModel(model.json)) == model) }
  if let entry = try? KnownModel(entry: json), let source = entry.source {
    precondition(source.addresses.allSatisfy { ModelSource.isAddress($0) })
    precondition(source.sha256.map { ModelSource.isSHA256($0) } ?? true)
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedJSON)
}
