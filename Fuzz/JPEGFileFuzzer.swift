import PlumblineImages
/// Finds the images of a JPEG file and decodes each of them as depth and as color.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJPEGFile(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  // Small images find as much as large ones, in a fraction of the time.
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  limits.colorPixels = 1 << 16
  guard let file = try? JPEGFile(bytes[...], limits: limits) else { return 0 }
  for image in file.images {
    precondition(image.range.lowerBound >= 0 && image.range.upperBound <= bytes.count)
    _ = try? image.exifMetadata(limits: limits)
    if let packet = try? image.xmpPacket(limits: limits) {
      _ = AppleDepthMetadata(packet)
      _ = try? GDepthMetadata(packet, limits: limits)
      _ = try? DynamicDepthMetadata(packet)
    }
    _ = try? image.storedSamples(limits: limits)
    _ = try? image.color(scale: .half, limits: limits)
  }
  return 0
}
