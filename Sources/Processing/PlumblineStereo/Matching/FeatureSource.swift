import CKernels
import PlumblineModel

/// An image from which what describes each pixel is made row by row: its census, its horizontal gradient
/// and its gray level.
///
/// The census says which of the 48 neighbors in 7×7 are darker, so that it does not change with gain
/// and offset; gradient and level come with their least and maximum value within half a pixel, so
/// that sampling does not count as difference. The features of all rows would take more memory than the
/// maps that come of them.
/// - Source: R. Zabih, J. Woodfill, "Non-parametric Local Transforms for Computing Visual
///   Correspondence", ECCV 1994; S. Birchfield, C. Tomasi, "A Pixel Dissimilarity Measure That Is
///   Insensitive to Image Sampling", IEEE TPAMI 20(4), 1998.
struct FeatureSource {
  /// The number of bytes that describe a pixel.
  static let planeCount = Int(PLB_FEATURE_PLANES)
  private static let marginX = 4
  private static let marginY = 3

  /// The gray levels, row after row.
  let gray: UnsafePointer<UInt8>
  let width: Int
  let height: Int

  /// Room for the features of one row and for the rows around it, their ends repeated outside.
  struct Room: ~Copyable {
    fileprivate let padded: MatchingMemory<UInt8>
    fileprivate let planes: MatchingMemory<UInt8>

    init(width: Int) {
      padded = MatchingMemory(unwritten: FeatureSource.stride(width) * (2 * marginY + 1))
      planes = MatchingMemory(unwritten: FeatureSource.planeCount * width)
    }
  }

  private static func stride(_ width: Int) -> Int { width + 2 * marginX }

  /// Makes the features of one row as planes of a width each; they lie in the room until the next row.
  func planes(ofRow y: Int, in room: borrowing Room) -> UnsafeMutablePointer<UInt8> {
    let stride = Self.stride(width)
    for v in -Self.marginY...Self.marginY {
      let row = gray + min(max(y + v, 0), height - 1) * width
      let line = room.padded.base + (v + Self.marginY) * stride
      line.update(repeating: row[0], count: Self.marginX)
      (line + Self.marginX).update(from: row, count: width)
      (line + Self.marginX + width).update(repeating: row[width - 1], count: Self.marginX)
    }
    let middle = room.padded.base + Self.marginY * stride + Self.marginX
    plb_stereo_features(middle, stride, width, room.planes.base, width)
    return room.planes.base
  }
}
