import CKernels
import PlumblineModel

/// What describes each pixel of an image: its census, its horizontal gradient and its gray level.
///
/// The census says which of the 48 neighbors in 7×7 are darker, so that it does not change with gain
/// and offset; gradient and level come with their least and maximum value within half a pixel, so
/// that sampling does not count as difference.
/// - Source: R. Zabih, J. Woodfill, "Non-parametric Local Transforms for Computing Visual
///   Correspondence", ECCV 1994; S. Birchfield, C. Tomasi, "A Pixel Dissimilarity Measure That Is
///   Insensitive to Image Sampling", IEEE TPAMI 20(4), 1998.
struct CensusTransform: ~Copyable {
  /// Rows of planes: `planes[(row · planeCount + plane) · width + x]`.
  let planes: MatchingMemory<UInt8>
  let width: Int
  static let planeCount = Int(PLB_FEATURE_PLANES)
  private static let marginX = 4
  private static let marginY = 3

  init(_ image: Raster<UInt8>, threads: Int) {
    let (width, height) = (image.width, image.height)
    let planes = MatchingMemory<UInt8>(unwritten: width * height * Self.planeCount)
    let stride = width + 2 * Self.marginX
    let padded = MatchingMemory<UInt8>(unwritten: stride * (height + 2 * Self.marginY))
    nonisolated(unsafe) let target = planes.base
    nonisolated(unsafe) let source = padded.base
    for y in 0..<height + 2 * Self.marginY {
      let row = image.row(min(max(y - Self.marginY, 0), height - 1))
      let (first, last) = (row[row.startIndex], row[row.endIndex - 1])
      let line = source + y * stride
      for x in 0..<Self.marginX {
        line[x] = first
        line[Self.marginX + width + x] = last
      }
      row.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress {
          (line + Self.marginX).update(from: base, count: width)
        }
      }
    }
    forEachPart(of: 0..<height, threads: threads) { rows in
      for y in rows {
        plb_stereo_features(
          source + (y + Self.marginY) * stride + Self.marginX, stride, width,
          target + y * Self.planeCount * width, width)
      }
    }
    self.planes = planes
    self.width = width
  }

  /// The planes of one row.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    planes.base + y * Self.planeCount * width
  }
}
