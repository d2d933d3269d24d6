public import PlumblineModel

/// Writes a map as TIFF of 32-bit floats in one strip, little-endian, NaN where not measured.
///
/// - Source: Adobe, *TIFF Revision 6.0*, 1992; `SampleFormat` 3 in section 19. The tag
///   `GDAL_NODATA` (42113) names the missing value to programs of geography.
public struct TIFFWriter: Sendable {
  /// The map's meaning in one line, such as `depth along the optical axis in meters`.
  public var description: String
  /// The program and source that the file names.
  public var origin: ExportOrigin

  /// Creates a writer.
  public init(description: String, origin: ExportOrigin) {
    self.description = description
    self.origin = origin
  }

  /// The whole file; O(*n*).
  ///
  /// - Precondition: The raster has pixels and fewer than 2³⁰, since offsets have 32 bits.
  public func bytes(_ raster: Raster<Float>) -> [UInt8] {
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
