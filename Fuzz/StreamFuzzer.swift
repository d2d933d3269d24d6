@testable import PlumblineImages
@testable import PlumblineStreams
/// A frame's message where the input starts like one, else a text message.
///
/// What is read is written and read again with the same numbers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStream(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  limits.colorPixels = 1 << 16
  if bytes.starts(with: "PLS1".utf8) {
    guard let frame = try? StreamFrame(bytes, limits: limits) else { return 0 }
    let written = frame.encoded()
    guard let again = try? StreamFrame(written, limits: limits) else {
      preconditionFailure("a frame that was written is read")
    }
    precondition(again.encoded() == written, "the same frame, the same bytes")
  } else if let message = try? StreamMessage(bytes, limits: limits) {
    precondition((try? StreamMessage(message.encoded, limits: limits)) == message)
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedMessage)
}
