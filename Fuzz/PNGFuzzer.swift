import FuzzMutation
import PlumblineImages
import PlumblineModel

/// Decodes a PNG with its checksums made right first, else almost no input gets past them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPNG(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  decode(bytes, limits)
  decode(withRightChecksums(bytes), limits)
  return 0
}

private func decode(_ bytes: [UInt8], _ limits: ReadingLimits) {
  guard let image = try? PNGImage(bytes[...], limits: limits) else { return }
  _ = try? image.storedSamples()
  // What was read must come back from being written.
  guard case .gray(.uint16(let raster, _)) = image else { return }
  precondition((try? PNGImage(PNGEncoder(level: 1).encoded(raster)[...])) == image)
}

private func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var start = 8
  while start + 12 <= bytes.count {
    let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = start + 8 + length
    guard end + 4 <= bytes.count else { break }
    let crc = crc32(Array(bytes[start + 4..<end]))
    for index in 0..<4 {
      bytes[end + index] = UInt8(truncatingIfNeeded: crc >> (24 - 8 * UInt64(index)))
    }
    start = end + 4
  }
  return bytes
}
