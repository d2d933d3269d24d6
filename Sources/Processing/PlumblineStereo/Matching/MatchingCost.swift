import CKernels
import PlumblineModel

/// What each pixel costs at each disparity: census, gradient and level, summed over a square.
///
/// Costs lie in rows of `width · lanes` bytes, in units of 16, at most 111; lanes from the count of
/// disparities on are 255. On the pair that the benchmark measures, bytes gave as few bad pixels as
/// 16 bits did, in half the time on the paths.
struct MatchingCost {
  /// How far the square reaches: 3×3 pixels.
  static let radius = 1

  let left: UnsafeMutablePointer<UInt8>
  let right: UnsafeMutablePointer<UInt8>
  let width: Int
  let height: Int
  let disparities: Range<Int>

  /// Disparities, padded to whole vectors.
  var lanes: Int {
    let unit = Int(PLB_DISPARITY_LANES)
    return (disparities.count + unit - 1) / unit * unit
  }

  /// Writes the costs of some rows, each to where `place` says; `then` is called after each.
  func write(
    rows: Range<Int>, to place: (Int) -> UnsafeMutablePointer<UInt8>, then: (Int) -> Void
  ) {
    let length = width * lanes
    let reach = 2 * Self.radius + 2
    let ring = MatchingMemory<UInt8>(unwritten: reach * length)
    let sums = MatchingMemory<UInt16>(count: length, repeating: 0)
    let reversedLength = width + lanes + Int(PLB_DISPARITY_LANES)
    let reversed = MatchingMemory<UInt8>(
      count: CensusTransform.planeCount * reversedLength, repeating: 0)
    let running = MatchingMemory<UInt16>(count: lanes, repeating: 0)
    let stride = CensusTransform.planeCount * width
    var newest = -1
    func pixelCosts(_ y: Int) -> UnsafeMutablePointer<UInt8> {
      let inside = min(max(y, 0), height - 1)
      let result = ring.base + inside % reach * length
      if inside > newest {
        plb_stereo_reverse(
          right + inside * stride, width, width, disparities.lowerBound, reversed.base,
          reversedLength)
        plb_stereo_costs(
          left + inside * stride, width, reversed.base, reversedLength, width,
          lanes, result)
        newest = inside
      }
      return result
    }
    for y in rows {
      if y == rows.lowerBound {
        for v in -Self.radius...Self.radius {
          plb_stereo_slide(pixelCosts(y + v), nil, length, sums.base)
        }
      } else {
        let added = pixelCosts(y + Self.radius)
        plb_stereo_slide(added, pixelCosts(y - 1 - Self.radius), length, sums.base)
      }
      plb_stereo_box(
        sums.base, width, disparities.count, lanes, Self.radius, running.base, place(y))
      then(y)
    }
  }
}

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
