import PlumblineImages
import PlumblineIO
import PlumblineRecordings
/// Whatever the bytes are, opening them as an archive and reading its files ends with files of the
/// promised sizes or typed errors, and no name leaves the folder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZIP(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.archiveEntries = 64
  limits.fileBytes = 1 << 20
  limits.archiveInflatedBytes = 1 << 20
  guard let archive = try? ZIPArchive(MemoryBytes(bytes), limits: limits) else { return 0 }
  for name in archive.fileNames {
    precondition(!name.hasPrefix("/") && !name.split(separator: "/").contains(".."), name)
    let whole = try? archive.bytes(of: name)
    let start = try? archive.firstBytes(of: name, count: 16)
    if let whole, let start { precondition(start == Array(whole.prefix(16)), name) }
    if let source = try? archive.source(of: name), let whole {
      precondition(source.byteCount == whole.count, name)
      precondition((try? source.bytes(in: 0..<whole.count)) == whole, name)
    }
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
