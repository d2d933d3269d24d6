import PlumblineImages
import PlumblineIO
/// The door itself: whatever the bytes are, reading ends with a capture or a typed error.
///
/// Color is left out, since its codec is a C library that this target cannot instrument; depth
/// maps go through it all the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCaptureReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var limits = ReadingLimits()
  // A fuzzer finds the largest image that is allowed at once and then does nothing else.
  limits.auxiliaryPixels = 1 << 20
  limits.colorPixels = 1 << 20
  do throws(CaptureReadingError) {
    _ = try CaptureReader(limits: limits, color: .none, threads: 1).capture(from: bytes)
  } catch {
    precondition(!error.expected.isEmpty && !error.found.isEmpty, "an error says what it expected")
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedCapture)
}
