@testable import PlumblineImages
/// Reads bytes as a TIFF image, of numbers and of colors, and as a Netpbm image, the two with pixels of their own making.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTIFF(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  if let image = try? TIFFImage(bytes[...], limits: limits) {
    precondition(image.values.floats.samples.count == image.values.size.pixelCount)
  }
  if let image = try? TIFFColorImage(bytes[...], maximumPixels: 1 << 16, limits: limits) {
    precondition(image.color.samples.count == image.color.size.pixelCount)
  }
  _ = try? NetpbmImage(bytes[...], limits: limits)
  return 0
}
