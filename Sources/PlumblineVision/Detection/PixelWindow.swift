/// The pixels of an image while they are borrowed from their raster.
struct PixelWindow {
  /// All samples, row after row, padding included.
  let pixels: UnsafeBufferPointer<UInt8>
  /// The number of columns.
  let width: Int
  /// The number of rows.
  let height: Int
  /// The distance between the starts of two rows.
  let stride: Int
}
