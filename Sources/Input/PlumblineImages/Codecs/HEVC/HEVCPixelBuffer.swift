import PlumblineIO
import PlumblineModel

/// A decoded image in the memory of a platform codec.
struct HEVCPixelBuffer {
  /// One plane; its rows may have bytes after their last sample.
  struct Plane {
    /// The first byte of the first row to the last byte that belongs to the plane.
    let bytes: UnsafeRawBufferPointer
    /// The distance between the starts of two rows.
    let bytesPerRow: Int
    /// The columns and rows; a column of chroma is a pair.
    let size: RasterSize
  }

  /// The four characters of the pixel format.
  let formatCode: UInt32
  /// The columns and rows of the image.
  let size: RasterSize
  /// The planes; formats without planes have one.
  let planes: [Plane]

  /// The codes of an image, in the layout of ``PackedPlanes``; O(*n*).
  ///
  /// - Parameters:
  ///   - parameters: The parsed parameters of the image, which the buffer must fit.
  ///   - path: The enclosing structures, for errors.
  /// - Returns: All planes, one after the other.
  /// - Throws: `.unsupported` for a format, size or plane other than the parameters state.
  func packed(
    as parameters: SequenceParameterSet, path: [String]
  ) throws(CaptureReadingError) -> [UInt8] {
    func unsupported(_ expected: String, _ found: String) -> CaptureReadingError {
      CaptureReadingError(.unsupported, path: path, expected: expected, found: found)
    }
    let choices = try HEVCPixelFormat.choices(for: parameters, path: path)
    guard let format = HEVCPixelFormat(rawValue: formatCode), choices.contains(format) else {
      throw unsupported(
        "planes in the format "
          + choices.map { Self.name(of: $0.rawValue) }.joined(separator: " or "),
        Self.name(of: formatCode))
    }
    guard size == parameters.size else {
      throw unsupported("an image of \(parameters.size), its stated size", "\(size)")
    }
    let sizes = PackedPlanes(parameters).sizes
    guard planes.count == (format.hasChroma ? 2 : 1) else {
      throw unsupported("\(format.hasChroma ? 2 : 1) planes", "\(planes.count)")
    }
    let isWide = format.bitDepth > 8
    let sampleBytes = isWide ? 2 : 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(PackedPlanes(parameters).byteCount)
    let luma = try checked(planes[0], sizes[0], bytesPerColumn: sampleBytes, path)
    var lowBits: UInt8 = 0
    for row in luma {
      if isWide { lowBits |= Self.append(row, every: 1, at: 0, to: &bytes) } else { bytes += row }
    }
    if sizes.count == 3 {
      let pairs = try checked(planes[1], sizes[1], bytesPerColumn: 2 * sampleBytes, path)
      for channel in 0..<2 {
        for row in pairs {
          if isWide {
            lowBits |= Self.append(row, every: 2, at: channel, to: &bytes)
          } else {
            for place in stride(from: channel, to: row.count, by: 2) { bytes.append(row[place]) }
          }
        }
      }
    }
    guard lowBits == 0 else {
      throw unsupported("ten bits in the upper part of sixteen", "bits below them")
    }
    return bytes
  }

  /// The rows of a plane without the bytes after their last sample.
  private func checked(
    _ plane: Plane, _ size: RasterSize, bytesPerColumn: Int, _ path: [String]
  ) throws(CaptureReadingError) -> [UnsafeRawBufferPointer] {
    let rowBytes = size.width * bytesPerColumn
    guard plane.size == size, plane.bytesPerRow >= rowBytes,
      plane.bytes.count >= plane.bytesPerRow * (size.height - 1) + rowBytes
    else {
      throw CaptureReadingError(
        .unsupported, path: path,
        expected: "a plane of \(size) in rows of \(rowBytes) bytes or more",
        found: "\(plane.size) in rows of \(plane.bytesPerRow), \(plane.bytes.count) bytes")
    }
    return (0..<size.height).map { y in
      let start = y * plane.bytesPerRow
      return UnsafeRawBufferPointer(rebasing: plane.bytes[start..<start + rowBytes])
    }
  }

  /// Appends samples of 16 bits, moved down by six; returns the bits that fell off.
  private static func append(
    _ row: UnsafeRawBufferPointer, every step: Int, at first: Int, to bytes: inout [UInt8]
  ) -> UInt8 {
    var lowBits: UInt8 = 0
    for place in stride(from: 2 * first, to: row.count, by: 2 * step) {
      let word = UInt16(row[place]) | UInt16(row[place + 1]) << 8
      lowBits |= UInt8(truncatingIfNeeded: word & 0x3F)
      // PackedPlanes has samples in host byte order.
      withUnsafeBytes(of: word >> 6) { bytes.append(contentsOf: $0) }
    }
    return lowBits
  }

  /// The four characters of a format, or its number.
  static func name(of code: UInt32) -> String {
    let characters = [UInt8](bigEndian: Int(code), bytes: 4)
    return "“\(printable(characters))”"
  }
}
