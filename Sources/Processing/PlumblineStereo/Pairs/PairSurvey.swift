import PlumblineModel
import PlumblineNumerics

/// What points that both images of a rectified pair show say about the pair, before it is matched
/// pixel by pixel.
public struct PairSurvey: Sendable {
  /// How many points were found in both.
  public private(set) var matchCount: Int
  /// The points, in pixels of the rectified images; some are wrong.
  package private(set) var matches: [PairMatch]
  /// How many of them lie on one row, but for a shift that all share.
  public private(set) var agreeingCount: Int
  /// By how many rows points of the right image lie lower than in the left one, the median.
  public private(set) var verticalShiftPixels: Double
  /// The median size of the rows by which points differ, in pixels of the rectified images.
  public private(set) var verticalResidualPixels: Double
  /// The pixel disparities of the points that agree, ascending.
  public private(set) var disparities: [Double]
  /// The pixel disparity of a point at infinity.
  public private(set) var infinityPixels: Double

  /// The fewest points from which a range is taken.
  package static let leastMatches = 20

  /// Looks at a pair.
  ///
  /// - Parameters:
  ///   - pair: The rectified images.
  ///   - infinityPixels: The pixel disparity of a point at infinity, which is the difference of the
  ///     principal points' columns.
  ///   - matching: How points are found.
  /// - Complexity: O(pixels + features²).
  package init(
    _ pair: RectifiedPair, infinityPixels: Double, matching: PairMatching = PairMatching()
  ) {
    let found = matching.matches(left: pair.left, right: pair.right).filter {
      Self.isCovered(pair.leftCoverage, $0.left) && Self.isCovered(pair.rightCoverage, $0.right)
    }
    self.init(found, infinityPixels: infinityPixels, size: pair.size)
  }

  init(_ matches: [PairMatch], infinityPixels: Double, size: RasterSize) {
    self.infinityPixels = infinityPixels
    matchCount = matches.count
    self.matches = matches
    let shifts = matches.map { $0.right.y - $0.left.y }.sorted()
    guard let middle = shifts.middleOfSorted,
      let deviation = shifts.map({ abs($0 - middle) }).upperMedian
    else {
      (agreeingCount, verticalShiftPixels, verticalResidualPixels, disparities) = (
        0, .nan, .nan, []
      )
      return
    }
    let spread = deviation / 0.6745
    // Wrong matches lie on any row; 1/200 of the height keeps rows that a calibration puts wrong.
    let limit = min(max(3 * spread, 1), max(2, Double(size.height) / 200))
    let agreeing = matches.filter { abs($0.right.y - $0.left.y - middle) <= limit }
    agreeingCount = agreeing.count
    verticalShiftPixels = middle
    let sizes = agreeing.map { abs($0.right.y - $0.left.y) }.sorted()
    verticalResidualPixels = sizes.middleOfSorted ?? .nan
    disparities = agreeing.map { $0.left.x - $0.right.x }.sorted()
  }

  private static func isCovered(_ coverage: Raster<UInt8>?, _ place: SIMD2<Double>) -> Bool {
    guard let coverage else { return true }
    let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
    return coverage.contains(x: x, y: y) && coverage[x, y] != 0
  }

  /// Refuses pairs of which no depth can come: the same image twice, swapped images, and
  /// images without enough points on one row.
  ///
  /// A pair with too few points of any kind passes: a wall without structure has none.
  ///
  /// - Throws: ``StereoError`` `.degenerate` or `.mismatch` with a sentence.
  package func requireUsable() throws(StereoError) {
    guard matchCount >= Self.leastMatches else { return }
    guard agreeingCount * 4 >= matchCount, agreeingCount >= Self.leastMatches / 2 else {
      throw StereoError(
        .degenerate, expected: "images of one scene on whose rows the same points lie",
        found: "\(agreeingCount) of \(matchCount) similar points on one row: the images or the "
          + "calibration do not belong together")
    }
    let parallaxes = disparities.map { $0 - infinityPixels }
    let least = parallaxes[parallaxes.count / 10]
    let most = parallaxes[parallaxes.count * 9 / 10]
    if max(abs(least), abs(most)) < 0.1, verticalResidualPixels < 0.1 { throw PairMotion.identical }
    // A point beyond infinity is one that the other eye saw; far scenes scatter about 0.
    if most < -0.5 {
      let beyond = parallaxes.count { $0 < -0.5 }
      throw PairMotion.swapped(
        "\(beyond) of \(parallaxes.count) points on common rows lie beyond infinity, the middle one "
          + "by \((-parallaxes[parallaxes.count / 2]).fixed(1)) pixels; or the principal points of the "
          + "cameras differ by more than was told")
    }
  }

  /// Refuses images whose rows agree better the other way around.
  ///
  /// A calibration turns each image by its own camera's angles; given the other camera's, swapped
  /// images lie off their rows, while disparities alone may look sound.
  ///
  /// - Parameter other: The check of the pair with its images exchanged.
  /// - Throws: ``StereoError`` `.degenerate` where the other order lies less than half as far off
  ///   common rows as this one, which lies off by more than a pixel.
  package func requireOrder(against other: PairSurvey) throws(StereoError) {
    guard agreeingCount >= Self.leastMatches, other.agreeingCount >= Self.leastMatches,
      verticalResidualPixels > 1, other.verticalResidualPixels < verticalResidualPixels / 2
    else { return }
    throw PairMotion.swapped(
      "points lie \(verticalResidualPixels.fixed(1)) rows apart in this order and "
        + "\(other.verticalResidualPixels.fixed(1)) in the other")
  }

  /// The pixel disparities to search: those of the points with a margin, no farther than infinity;
  /// `nil` below twenty points.
  ///
  /// The margin is a quarter of the span of 98 % of the points and 1/100 of the width on the near
  /// side, half as much on the far one. Points beyond infinity by up to two pixels, which a
  /// calibration's error gives, are searched too.
  ///
  /// - Parameter width: The columns of the rectified images.
  /// - Returns: Whole pixels, one or more.
  public func range(width: Int) -> Range<Int>? {
    guard disparities.count >= Self.leastMatches else { return nil }
    let low = disparities[disparities.count / 100]
    let high = disparities[disparities.count - 1 - disparities.count / 100]
    let margin = (high - low) / 4 + Double(width) / 100
    let start = max(low - margin / 2, min(infinityPixels - 2, low - 2)).rounded(.down)
    let end = min((high + margin).rounded(.up), Double(width - 1))
    guard start < end, abs(start) < Double(width) else { return nil }
    return Int(start)..<Int(end) + 1
  }
}
