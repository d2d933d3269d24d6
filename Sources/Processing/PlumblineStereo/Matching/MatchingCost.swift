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

  let left: FeatureSource
  let right: FeatureSource
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
      count: FeatureSource.planeCount * reversedLength, repeating: 0)
    let running = MatchingMemory<UInt16>(count: lanes, repeating: 0)
    let ours = FeatureSource.Room(width: width), theirs = FeatureSource.Room(width: width)
    var newest = -1
    func pixelCosts(_ y: Int) -> UnsafeMutablePointer<UInt8> {
      let inside = min(max(y, 0), height - 1)
      let result = ring.base + inside % reach * length
      if inside > newest {
        plb_stereo_reverse(
          right.planes(ofRow: inside, in: theirs), width, width, disparities.lowerBound,
          reversed.base, reversedLength)
        plb_stereo_costs(
          left.planes(ofRow: inside, in: ours), width, reversed.base, reversedLength, width, lanes,
          result)
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
