import PlumblineImages
/// Reads an XMP packet and everything that is ever read out of one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXMPPacket(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let packet = try? XMPPacket(bytes) else { return 0 }
  _ = AppleDepthMetadata(packet)
  if let metadata = try? GDepthMetadata(packet) {
    _ = metadata.range.depth(code: 128, maximumCode: 255)
  }
  _ = try? DynamicDepthMetadata(packet)
  if let directory = AppendedImageDirectory(packet) {
    for range in directory.ranges(primaryEnd: 100, fileEnd: 10_000).compactMap({ $0 }) {
      precondition(range.lowerBound >= 0 && range.upperBound <= 10_000)
    }
  }
  for value in packet.properties.values { _ = (value.text, value.texts, value.number) }
  return 0
}
