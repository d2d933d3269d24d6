package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// The numbers of a map in a separate file: NumPy array, TIFF, PNG or PGM of 16 bits.
package struct DepthMapFile: Sendable {
  /// The numbers; integers are divided by `codesPerMeter`, with 0 as missing.
  package let values: Raster<Float>
  /// The kind of file, such as `PNG`.
  package let container: String
  /// Whether the file contains integer codes.
  package let hasCodes: Bool

  /// Reads a file by its first bytes; `nil` for another kind of file, such as a photo.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - codesPerMeter: The number of codes per meter, such as 1000 for millimeters and 256 for
  ///     KITTI.
  ///   - limits: The limits for reading.
  /// - Throws: ``CaptureReadingError`` for a damaged file, for color and for 8 bits, in which no
  ///   camera stores depth. O(*n*).
  /// - Precondition: `codesPerMeter` is finite and above 0.
  package init?(
    _ bytes: [UInt8], codesPerMeter: Double = 1000, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    precondition(codesPerMeter > 0 && codesPerMeter.isFinite, "\(codesPerMeter) codes a meter")
    guard DepthFile.recognizes(bytes) else { return nil }
    let file = try DepthFile(bytes, limits: limits)
    container = file.container
    switch file.values {
    case .uint8:
      throw CaptureReadingError(
        .unsupported, path: [file.container], offset: 0, expected: "depth in 16 bits or more",
        found: "8 bits, which are commonly an image of depth without a unit")
    case .uint16(let codes):
      hasCodes = true
      values = codes.map { $0 == 0 ? .nan : Float(Double($0) / codesPerMeter) }
    case .uint32(let codes):
      hasCodes = true
      values = codes.map { $0 == 0 ? .nan : Float(Double($0) / codesPerMeter) }
    case .float32, .float64:
      hasCodes = false
      values = file.values.floats
    }
  }
}
