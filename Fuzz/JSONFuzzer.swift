@testable import PlumblineFormats

/// JSON as a tree, and as a depth map with its camera.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  if let node = try? JSONReader.node(bytes[...], limits: limits) {
    // What was read as numbers must be numbers.
    for element in node.elements ?? [] {
      precondition(element.number.map(\.isFinite) ?? true)
      _ = element.numbers
    }
  }
  if let capture = try? RGBDJSONFrame(bytes[...], limits: limits).capture() {
    precondition(capture.depth.map { $0.size.pixelCount <= limits.auxiliaryPixels } ?? true)
  }
  return 0
}
