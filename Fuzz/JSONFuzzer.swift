@testable import PlumblineImages
@testable import PlumblineIO
/// JSON as a tree, and as a depth map with its camera.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  if let exact = try? JSONValue(parsing: bytes) {
    // What is read is what is written, and what the exact reader takes, the lenient one takes.
    let written = JSONWriter(layout: .compact).bytes(exact)
    precondition((try? JSONValue(parsing: written)) == exact)
    precondition((try? JSONValue(parsing: bytes[...], strictness: .lenient)) == exact)
  }
  if let root = try? RecordedJSON(parsing: bytes[...], limits: limits) {
    // What was read as numbers must be numbers.
    for element in root.elements ?? [] {
      precondition(element.number.map(\.isFinite) ?? true)
      _ = element.numbers
    }
  }
  if let capture = try? RGBDJSONFrame(bytes[...], limits: limits).capture() {
    precondition(capture.depth.map { $0.size.pixelCount <= limits.auxiliaryPixels } ?? true)
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
