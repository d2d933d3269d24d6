import PlumblineImages
import PlumblineIO
import PlumblineModel

/// A dense depth map of COLMAP: `width&height&channels&` and then floats, row after row.
///
/// Depth is in the unit of the model, whose scale is unknown unless it was given one.
/// - Source: colmap/colmap, doc/format.rst, "Depth and Normal Maps".
enum COLMAPDepthMap {
  /// Reads a file.
  ///
  /// - Throws: `.malformed` for damage, `.limitExceeded` before anything is allocated.
  static func record(
    _ bytes: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) -> DepthRecord {
    let path = ["COLMAP depth map"]
    var numbers: [Int] = []
    var start = 0
    while numbers.count < 3 {
      // Ten digits are more than any side of an image has.
      guard let end = bytes[start...].prefix(11).firstIndex(of: UInt8(ascii: "&")),
        let number = Int(String(decoding: bytes[start..<end], as: UTF8.self)), number > 0
      else {
        throw CaptureReadingError(
          .malformed, path: path, offset: start, expected: "width&height&1&",
          found: printable(bytes[start...].prefix(11)))
      }
      numbers.append(number)
      start = end + 1
    }
    let count = try limits.pixelCount(
      width: numbers[0], height: numbers[1], atMost: limits.auxiliaryPixels, path: path)
    var reader = ByteReader(bytes[start...], endianness: .little, path: path)
    guard numbers[2] == 1, reader.remaining == 4 * count else {
      throw reader.malformed(
        expected: "\(count) numbers of 32 bits in one channel",
        found: "\(reader.remaining) bytes in \(numbers[2])")
    }
    var samples: [Float] = []
    samples.reserveCapacity(count)
    for _ in 0..<count { samples.append(Float(bitPattern: try reader.readUInt32())) }
    let map = DepthMap(
      meters: Raster(
        size: RasterSize(width: numbers[0], height: numbers[1]), samples: samples))
    var record = DepthRecord(values: .depth(map), storedType: "float32", accuracy: .unknown)
    record.hasUnit = false
    return record
  }
}
