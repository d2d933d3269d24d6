import PlumblineImages
import PlumblineModel

/// Decodes a lossless JPEG.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLosslessJPEG(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  guard let image = try? JPEGFile(bytes[...], limits: limits).primary,
    image.frame?.isLossless == true, let samples = try? image.storedSamples(limits: limits)
  else { return 0 }
  precondition(samples.size == image.frame?.size)
  return 0
}
