import CKernels
import PlumblineModel

/// What each pixel costs at each disparity: census, gradient and level, summed over a square.
///
/// Costs lie in rows of `width · lanes` bytes, in units of 16, at most 111; lanes from the count of
/// disparities on are 255. On the pair that the benchmark measures, bytes gave as few bad pixels as
/// 16 bits did, in half the time on the paths.
struct MatchingCost {
  /// The rows of which pixels' own costs are kept: those of a square of 3×3 pixels.
  private static let ringRows = 3

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
    let ring = MatchingMemory<UInt8>(unwritten: Self.ringRows * length)
    let reversedLength = width + lanes + Int(PLB_DISPARITY_LANES)
    let reversed = MatchingMemory<UInt8>(
      count: FeatureSource.planeCount * reversedLength, repeating: 0)
    let ours = FeatureSource.Room(width: width), theirs = FeatureSource.Room(width: width)
    var newest = -1
    func pixelCosts(_ y: Int) -> UnsafeMutablePointer<UInt8> {
      let inside = min(max(y, 0), height - 1)
      let result = ring.base + inside % Self.ringRows * length
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
      let (above, here, below) = (pixelCosts(y - 1), pixelCosts(y), pixelCosts(y + 1))
      plb_stereo_box(above, here, below, width, disparities.count, lanes, place(y))
      then(y)
    }
  }
}
