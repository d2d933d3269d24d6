@testable import PlumblineImages
@testable import PlumblineRecordings
/// Reads bytes as a NumPy array; what was read must have as many numbers as its size says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNPY(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  guard let array = try? NPYArray(bytes[...], limits: limits) else { return 0 }
  let size = array.values.size
  precondition(size.pixelCount * array.numberType.byteCount < count)
  precondition(array.values.floats.samples.count == size.pixelCount)
  return 0
}
