internal import PlumblineModel

extension [UInt8] {
  /// Appends a whole number with its low byte first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends the samples row after row without padding, each with its low byte first.
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
