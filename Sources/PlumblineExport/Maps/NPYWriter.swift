public import PlumblineModel

/// Writes a map as NumPy array: `float32`, shape (rows, columns), NaN where not measured.
///
/// - Source: NumPy Enhancement Proposal 1, format version 1.0. It holds numbers only, so that
///   `numpy.load` reads it with `allow_pickle=False`.
public struct NPYWriter: Sendable {
  /// Creates a writer.
  public init() {}

  /// The whole file; O(*n*).
  public func bytes(_ raster: Raster<Float>) -> [UInt8] {
    let description =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (\(raster.height), \(raster.width)), }"
    // Magic, version and length take ten bytes; samples start at a multiple of 64.
    let length = (10 + description.utf8.count + 1 + 63) / 64 * 64 - 10
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]
    bytes.appendLittleEndian(UInt16(length))
    bytes += Array(description.utf8)
    bytes += repeatElement(UInt8(ascii: " "), count: length - description.utf8.count - 1)
    bytes.append(UInt8(ascii: "\n"))
    bytes.appendLittleEndian(raster)
    return bytes
  }
}
