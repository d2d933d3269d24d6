import PlumblineIO
package import PlumblineModel

/// Writes a map as a NumPy array of shape (rows, columns): `float32` with NaN where not measured,
/// or `int32`.
///
/// - Source: NumPy Enhancement Proposal 1, format version 1.0. It contains only numbers, so
///   `numpy.load` can read it with `allow_pickle=False`.
package struct NPYWriter: Sendable {
  /// Creates a writer.
  package init() {}

  /// The whole file; O(*n*).
  package func bytes(_ raster: Raster<Float>) -> [UInt8] {
    var bytes = header("<f4", raster.size)
    bytes.appendLittleEndian(raster)
    return bytes
  }

  /// The whole file for integers; O(*n*).
  package func bytes(_ raster: Raster<Int32>) -> [UInt8] {
    var bytes = header("<i4", raster.size)
    for y in 0..<raster.height {
      for value in raster.row(y) { bytes.appendLittleEndian(UInt32(bitPattern: value)) }
    }
    return bytes
  }

  private func header(_ type: String, _ size: RasterSize) -> [UInt8] {
    let description =
      "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(size.height), \(size.width)), }"
    // Magic, version and length take ten bytes; samples start at a multiple of 64.
    let length = (10 + description.utf8.count + 1 + 63) / 64 * 64 - 10
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]
    bytes.appendLittleEndian(UInt16(length))
    bytes += Array(description.utf8)
    bytes += repeatElement(UInt8(ascii: " "), count: length - description.utf8.count - 1)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

extension [UInt8] {
  /// Appends the samples row after row without padding, in little-endian byte order.
  mutating func appendLittleEndian(_ raster: Raster<Float>) {
    reserveCapacity(count + 4 * raster.size.pixelCount)
    raster.samples.withUnsafeBytes { bytes in
      for y in 0..<raster.height {
        let start = 4 * y * raster.rowStride
        append(contentsOf: bytes[start..<start + 4 * raster.width])
      }
    }
    #if _endian(big)
      #error("floats are copied as they lie in memory")
    #endif
  }
}
