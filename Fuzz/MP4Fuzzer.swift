// Feeds bytes to the tables of MP4 videos, to the units inside their images, and to the lists beside
// them. Decoders are left out: they run in a process of their own, which its project fuzzes.
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// One run of the fuzzer; whatever the bytes are, it ends with images inside the file or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMP4(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var limits = ReadingLimits()
  limits.videoImages = 20_000
  do {
    let video = try MP4Video(MemoryBytes(bytes), limits: limits)
    var last = Int.min
    for (place, image) in video.images.enumerated() {
      precondition(image.bytes.upperBound <= bytes.count, "an image outside of the file")
      precondition(image.presentationTicks >= last, "images out of order")
      precondition(video.presentationIndices[image.decodingIndex] == place, "two orders differ")
      precondition(video.seconds(of: place).isFinite, "a time that is none")
      last = image.presentationTicks
      if place < 64 {
        let stream = try? video.codec.annexB(Array(bytes[image.bytes]), offset: 0)
        _ = stream.flatMap { H264Stream($0) }
      }
    }
    let times = video.images.indices.prefix(500).map { video.seconds(of: $0) }
    _ = VideoPairing(
      rowTimes: (0..<20).map { Double($0) / 30 }, frames: Array(0..<20), videoTimes: times)
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  if let odometry = try? StrayOdometry(bytes, limits: limits) {
    precondition(odometry.rows.allSatisfy { $0.frame >= 0 })
  }
  _ = try? StrayMotion.samples(bytes, limits: limits)
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedBoxes)
}
