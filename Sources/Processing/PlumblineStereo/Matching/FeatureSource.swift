import CKernels
import PlumblineModel

/// An image from which what describes each pixel is made row by row: its census, its horizontal gradient
/// and its gray level.
///
/// The census says which of the 48 neighbors in 7×7 are darker, so that it does not change with gain
/// and offset; gradient and level come with their least and maximum value within half a pixel, so
/// that sampling does not count as difference.
/// - Source: R. Zabih, J. Woodfill, "Non-parametric Local Transforms for Computing Visual
///   Correspondence", ECCV 1994; S. Birchfield, C. Tomasi, "A Pixel Dissimilarity Measure That Is
///   Insensitive to Image Sampling", IEEE TPAMI 20(4), 1998.
final class FeatureSource {
  /// The number of bytes that describe a pixel.
  static let planeCount = Int(PLB_FEATURE_PLANES)
  private static let marginX = 4
  private static let marginY = 3

  private let padded: MatchingMemory<UInt8>
  private let stride: Int
  private let width: Int

  /// Copies an image of at least one pixel, its border repeated outside; O(*n*).
  init(_ image: Raster<UInt8>) {
    let (width, height) = (image.width, image.height)
    let stride = width + 2 * Self.marginX
    padded = MatchingMemory<UInt8>(unwritten: stride * (height + 2 * Self.marginY))
    for y in 0..<height + 2 * Self.marginY {
      let row = image.row(min(max(y - Self.marginY, 0), height - 1))
      let (first, last) = (row[row.startIndex], row[row.endIndex - 1])
      let line = padded.base + y * stride
      line.update(repeating: first, count: Self.marginX)
      (line + Self.marginX + width).update(repeating: last, count: Self.marginX)
      row.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress {
          (line + Self.marginX).update(from: base, count: width)
        }
      }
    }
    self.stride = stride
    self.width = width
  }

  /// Writes the features of one row as planes of a width each.
  func write(row y: Int, to planes: UnsafeMutablePointer<UInt8>) {
    let line = padded.base + (y + Self.marginY) * stride + Self.marginX
    plb_stereo_features(line, stride, width, planes, width)
  }
}
