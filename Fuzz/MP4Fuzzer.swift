// Feeds bytes to the tables of MP4 films, to the units inside their pictures, and to the lists beside
// them. Decoders are left out: they run in a process of their own, which its project fuzzes.

@testable import PlumblineFormats

/// One run of the fuzzer; whatever the bytes are, it ends with pictures inside the file or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMP4(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var limits = ReadingLimits()
  limits.filmPictures = 20_000
  do {
    let film = try MP4Film(MemoryBytes(bytes), limits: limits)
    var last = Int.min
    for (place, picture) in film.pictures.enumerated() {
      precondition(picture.bytes.upperBound <= bytes.count, "a picture outside of the file")
      precondition(picture.presentationTicks >= last, "pictures out of order")
      precondition(film.presentationIndices[picture.decodingIndex] == place, "two orders differ")
      precondition(film.seconds(of: place).isFinite, "a time that is none")
      last = picture.presentationTicks
      if place < 64 {
        let stream = try? film.codec.annexB(Array(bytes[picture.bytes]), offset: 0)
        _ = stream.flatMap { H264Stream($0) }
      }
    }
    let times = film.pictures.indices.prefix(500).map { film.seconds(of: $0) }
    _ = FilmPairing(
      rowTimes: (0..<20).map { Double($0) / 30 }, frames: Array(0..<20), filmTimes: times)
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
