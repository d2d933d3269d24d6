/// Integer samples as a file stores them, before any meaning is given to them.
public enum StoredSamples: Sendable, Equatable {
  /// Samples of up to 8 bits.
  case uint8(Raster<UInt8>)
  /// Samples of 9 to 16 bits, right-aligned; `bitDepth` says how many are used.
  case uint16(Raster<UInt16>, bitDepth: Int)

  /// The number of columns and rows.
  public var size: RasterSize {
    switch self {
    case .uint8(let raster): raster.size
    case .uint16(let raster, _): raster.size
    }
  }

  /// The largest code that the samples can hold, such as 255.
  public var maximumCode: Int {
    switch self {
    case .uint8: 255
    case .uint16(_, let bitDepth): (1 << bitDepth) - 1
    }
  }
}
