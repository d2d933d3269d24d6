import PlumblineIO
@testable import PlumblineStreams

/// Decompresses bytes as an LZ4 block, or as frames, into as many bytes as the first two say.
///
/// Where liblz4 reads them too, it must give the same bytes, and each reads what the other has compressed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLZ4(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard count > 3 else { return 0 }
  let plainCount = Int(bytes[0]) | Int(bytes[1]) << 8
  let rest = bytes[3...]
  // Frames have checksums, which few changes keep; a block alone has none.
  let frames = bytes[2] & 1 == 0 ? Array(rest) : frame(of: rest, plainCount: plainCount)
  let own = try? LZ4Frame.decoded(frames[...], exactly: plainCount)
  precondition(own == nil || own?.count == plainCount, "another size")
  let plain = Array(rest)
  let packed = LZ4Frame.encoded(rest)
  precondition(
    (try? LZ4Frame.decoded(packed[...], exactly: plain.count)) == plain, "not what it was")
  #if canImport(CLZ4)
    if let own, let other = SystemLZ4.decoded(frames[...], exactly: plainCount) {
      precondition(own == other, "liblz4 has other bytes")
    }
    precondition(
      SystemLZ4.decoded(packed[...], exactly: plain.count) == plain, "liblz4 cannot read it")
    let foreign = SystemLZ4.encoded(rest)
    precondition(
      (try? LZ4Frame.decoded(foreign[...], exactly: plain.count)) == plain, "liblz4's is not read")
  #endif
  return 0
}

/// A frame of one compressed block.
private func frame(of block: ArraySlice<UInt8>, plainCount: Int) -> [UInt8] {
  var bytes = LZ4FrameHeader(forContentOf: plainCount).bytes
  let size = UInt32(block.count)
  for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
  return bytes + block + [0, 0, 0, 0]
}
