@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Opening a bag of ROS 1 and reading its messages, first frames and motion ends; what is read by the
/// index and by a scan comes in ascending order of time and from declared channels.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzROS1Bag(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = MemoryBytes(Array(UnsafeBufferPointer(start: data, count: count)))
  var limits = ReadingLimits()
  limits.fileBytes = 1 << 20
  limits.mcapMessages = 10_000
  limits.mcapSummaryBytes = 1 << 16
  limits.auxiliaryPixels = 1 << 16
  limits.colorPixels = 1 << 16
  if let file = try? ROS1BagFile(source: source, limits: limits) {
    let channels = Set(file.messageChannels.map(\.id))
    let places = (try? file.places(ofChannels: channels)) ?? []
    precondition(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "times ascend")
    precondition(places.allSatisfy { channels.contains($0.channelID) }, "channels are declared")
    for place in places.prefix(50) {
      if let payload = try? file.payload(at: place) {
        precondition(payload.serialization == .ros1, "a message of ROS 1")
      }
    }
  }
  guard let recording = try? Recording(source: source, limits: limits) else { return 0 }
  precondition(!recording.frames.isEmpty, "a recording has frames")
  precondition(Set(recording.frameNames).count == recording.frames.count, "names are unique")
  for index in recording.frames.indices.prefix(4) {
    _ = try? recording.capture(at: index)
  }
  _ = try? recording.motion().samples
  return 0
}

/// Changes an input inside its lengths and indexes; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedBag)
}
