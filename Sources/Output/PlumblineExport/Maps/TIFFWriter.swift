import PlumblineIO
package import PlumblineModel

/// Writes a map as TIFF of 32-bit floats in one strip, little-endian, NaN where not measured.
///
/// - Source: Adobe, *TIFF Revision 6.0*, 1992; `SampleFormat` 3 in section 19. The tag
///   `GDAL_NODATA` (42113) states the missing value for GIS programs.
package struct TIFFWriter: Sendable {
  /// The meaning of the map in one line, such as `depth along the optical axis in meters`.
  package var description: String
  /// The program and source that the file names.
  package var origin: ExportOrigin

  /// Creates a writer.
  package init(description: String, origin: ExportOrigin) {
    self.description = description
    self.origin = origin
  }

  /// The whole file; O(*n*).
  ///
  /// - Precondition: The raster has pixels and fewer than 2³⁰, since offsets have 32 bits.
  package func bytes(_ raster: Raster<Float>) -> [UInt8] {
    precondition(
      raster.size.pixelCount > 0 && raster.size.pixelCount < 1 << 30 - 4096,
      "TIFF cannot hold \(raster.size)")
    let (width, height) = (UInt32(raster.width), UInt32(raster.height))
    let text = ([description] + origin.lines).joined(separator: "; ")
    var directory = TIFFDirectory()
    directory.append(256, .long(width))
    directory.append(257, .long(height))
    directory.append(258, .short(32))  // bits per sample
    directory.append(259, .short(1))  // no compression
    directory.append(262, .short(1))  // photometric interpretation: 0 is black
    directory.append(270, .ascii(text))  // image description
    directory.append(273, .dataOffset)  // strip offsets
    directory.append(277, .short(1))  // samples per pixel
    directory.append(278, .long(height))  // rows per strip
    directory.append(279, .long(4 * width * height))  // strip byte counts
    directory.append(282, .rational(1))  // horizontal resolution
    directory.append(283, .rational(1))  // vertical resolution
    directory.append(296, .short(1))  // resolution unit: none
    directory.append(305, .ascii(origin.producer))  // software
    directory.append(339, .short(3))  // sample format: floating point
    directory.append(42113, .ascii("nan"))
    var bytes = directory.bytes
    bytes.appendLittleEndian(raster)
    return bytes
  }
}

/// The header and the only image file directory of a TIFF file, including its values.
struct TIFFDirectory {
  enum Value {
    case short(UInt16)
    case long(UInt32)
    case rational(UInt32)
    case ascii(String)
    /// The offset of the samples, which is known last.
    case dataOffset
  }

  private var entries: [(tag: UInt16, value: Value)] = []

  /// Adds an entry; tags must be in ascending order.
  mutating func append(_ tag: UInt16, _ value: Value) {
    precondition(entries.last.map { $0.tag < tag } ?? true, "the tags of a directory must rise")
    entries.append((tag, value))
  }

  /// All bytes before the samples, which start at a multiple of 16.
  var bytes: [UInt8] {
    let payloads = entries.map { Self.payload($0.value) }
    var end = 8 + 2 + 12 * entries.count + 4
    var offsets: [UInt32] = []
    for payload in payloads {
      offsets.append(UInt32(end))
      if payload.count > 4 { end += (payload.count + 1) / 2 * 2 }
    }
    let dataOffset = (end + 15) / 16 * 16

    var bytes = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    bytes.appendLittleEndian(UInt16(entries.count))
    for (index, entry) in entries.enumerated() {
      bytes.appendLittleEndian(entry.tag)
      let (type, count) = Self.typeAndCount(entry.value, payloads[index])
      bytes.appendLittleEndian(type)
      bytes.appendLittleEndian(count)
      if case .dataOffset = entry.value {
        bytes.appendLittleEndian(UInt32(dataOffset))
      } else if payloads[index].count > 4 {
        bytes.appendLittleEndian(offsets[index])
      } else {
        bytes += payloads[index] + [UInt8](repeating: 0, count: 4 - payloads[index].count)
      }
    }
    bytes.appendLittleEndian(UInt32(0))
    for payload in payloads where payload.count > 4 {
      bytes += payload
      if payload.count % 2 == 1 { bytes.append(0) }
    }
    return bytes + [UInt8](repeating: 0, count: dataOffset - bytes.count)
  }

  private static func payload(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    switch value {
    case .short(let number): bytes.appendLittleEndian(number)
    case .long(let number): bytes.appendLittleEndian(number)
    case .rational(let number):
      bytes.appendLittleEndian(number)
      bytes.appendLittleEndian(UInt32(1))
    // TIFF text is 7-bit and ends with a zero.
    case .ascii(let text):
      bytes = text.unicodeScalars.map { UInt8(ascii: $0.isASCII && $0 != "\0" ? $0 : "?") } + [0]
    case .dataOffset: break
    }
    return bytes
  }

  private static func typeAndCount(_ value: Value, _ payload: [UInt8]) -> (UInt16, UInt32) {
    switch value {
    case .short: (3, 1)
    case .long, .dataOffset: (4, 1)
    case .rational: (5, 1)
    case .ascii: (2, UInt32(payload.count))
    }
  }
}
