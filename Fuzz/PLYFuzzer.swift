@testable import PlumblineImages
/// A PLY file as a depth frame, as a cloud, and every element of it as numbers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPLY(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  if let file = try? PLYFile(bytes[...], limits: limits) {
    for element in file.header.elements.prefix(4) {
      let rows = try? file.rows(of: element.name, atMost: limits.auxiliaryPixels)
      // No file holds more numbers than bytes.
      precondition((rows?.count ?? 0) <= max(count, 1))
    }
  }
  limits.cloudPoints = 1 << 16
  if let points = try? PLYPoints(bytes[...], limits: limits) {
    precondition(points.x.count <= count && points.x.count == points.z.count)
  }
  _ = try? StandardCyborgFrame(bytes[...], limits: limits).capture(color: .full)
  return 0
}
