import PlumblineImages
import PlumblineIO
import PlumblineStreams
/// Opening, reading and recovering any bytes ends; what is recovered is sound and reads the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMCAP(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = MemoryBytes(Array(UnsafeBufferPointer(start: data, count: count)))
  var limits = ReadingLimits()
  limits.fileBytes = 1 << 20
  limits.mcapMessages = 10_000
  limits.mcapSummaryBytes = 1 << 16
  if let file = try? MCAPFile(source: source, limits: limits) {
    var times: [UInt64] = []
    _ = try? file.forEachMessage { times.append($0.logTime) }
    precondition(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "times ascend")
    for place in (try? file.messagePlaces(channels: [1]))?.prefix(20) ?? [] {
      _ = try? file.message(at: place)
    }
    for attachment in file.attachments { _ = try? file.attachment(attachment) }
  }
  let output = Output()
  guard let recovery = try? MCAPRecovery(from: source, to: output, limits: limits) else { return 0 }
  guard let again = try? MCAPFile(source: MemoryBytes(output.bytes)) else {
    preconditionFailure("what was recovered cannot be opened")
  }
  var messages = 0
  let gaps = try? again.forEachMessage { _ in messages += 1 }
  precondition(gaps == [] && again.gaps.isEmpty, "what was recovered has gaps")
  precondition(messages == recovery.messages, "\(messages) of \(recovery.messages) messages")
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedMCAP)
}

private final class Output: RecordingFile {
  private(set) var bytes: [UInt8] = []
  var byteCount: Int { bytes.count }
  func append(_ more: ArraySlice<UInt8>) { bytes += more }
  func synchronize() {}
  func close() {}
}
