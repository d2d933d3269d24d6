// Feeds bytes to the HEIF tables: opening, items' bytes, auxiliaries, metadata, camera boxes, and
// everything that precedes decoding (grids, parameter sets, size checks). The codec is left out:
// its own project fuzzes it, and an image costs as much as ten thousand tables.
//
// Needs the modules PlumblineModel, CKernels and PlumblineFormats, the latter two built with
// -enable-testing, all Swift with -sanitize=fuzzer,address -parse-as-library.
@testable import PlumblineImages
/// One run of the fuzzer; 0 tells it to keep the input if it reached something new.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHEIFFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    let file = try HEIFFile(bytes: bytes)
    _ = file.unknownItemTypes
    _ = file.stereoPair
    for item in file.items.prefix(64) {
      _ = try? file.data(of: item.id)
      _ = try? file.exif(of: item.id)
      _ = try? file.xmp(of: item.id)
      _ = try? HEIFComposition(of: item.id, in: file, maximumPixels: file.limits.colorPixels)
    }
    for auxiliary in try file.auxiliaries() {
      _ = try? DepthRepresentation.read(auxiliarySubtype: auxiliary.subtype)
    }
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedBoxes)
}
