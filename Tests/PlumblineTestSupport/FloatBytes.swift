import Foundation

/// Little-endian 32-bit floats as peers write them.
package enum FloatBytes {
  package static func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  package static func bytes(_ floats: [Float]) -> [UInt8] {
    floats.withUnsafeBytes { Array($0) }
  }

  /// A file of floats that is removed when the closure returns.
  package static func withFile<Result>(
    _ floats: [Float], _ body: (String) throws -> Result
  ) throws -> Result {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).f32")
    try Data(bytes(floats)).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }
}

/// Pearson's correlation of two lists of the same length.
package func correlation(_ first: [Float], _ second: [Float]) -> Double {
  let count = Double(first.count)
  let means = (
    first.reduce(0) { $0 + Double($1) } / count, second.reduce(0) { $0 + Double($1) } / count
  )
  var sums = (xy: 0.0, xx: 0.0, yy: 0.0)
  for (x, y) in zip(first, second) {
    let offset = (Double(x) - means.0, Double(y) - means.1)
    sums.xy += offset.0 * offset.1
    sums.xx += offset.0 * offset.0
    sums.yy += offset.1 * offset.1
  }
  return sums.xy / (sums.xx * sums.yy).squareRoot()
}
