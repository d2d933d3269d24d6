import PlumblineModel

/// Finds for each pixel of a left picture how far left it lies in the right one, by semi-global
/// matching.
///
/// - Source: H. Hirschmüller, "Stereo Processing by Semiglobal Matching and Mutual Information",
///   IEEE TPAMI 30(2), 2008.
public struct StereoMatcher: Sendable, Hashable {
  /// From how many directions costs are summed.
  public enum Paths: String, Sendable, CaseIterable {
    /// Left, right, up and down.
    case four
    /// Left, right and the three from above: one pass over the picture.
    case five
    /// All eight neighbors.
    case eight
  }

  /// The pixel disparities that are tried; may begin below 0.
  public var disparities: Range<Int>
  /// From how many directions costs are summed.
  public var paths: Paths
  /// The cost of a disparity that differs by 1 from the neighbor's, of costs in 0…127.
  public var smallStepPenalty: Int
  /// The cost of any other disparity than the neighbor's, where gray levels are equal.
  public var largeStepPenalty: Int
  /// By which share the second-best cost must exceed the best; 0 asks nothing.
  public var uniqueness: Float
  /// How many pixels the disparities of both pictures may differ; `nil` asks nothing.
  public var leftRightTolerancePixels: Int?
  /// The least pixels of a patch that is kept; 0 keeps all.
  public var speckleLeastPixels: Int
  /// How much neighbors of one patch differ at most, in pixels.
  public var speckleStepPixels: Float

  /// Prepares matching with settings that suit most pictures.
  public init(disparities: Range<Int>, paths: Paths = .eight) {
    self.disparities = disparities
    self.paths = paths
    smallStepPenalty = 10
    largeStepPenalty = 60
    uniqueness = 0.05
    leftRightTolerancePixels = 1
    speckleLeastPixels = 100
    speckleStepPixels = 1
  }

  /// Matches two pictures.
  ///
  /// - Parameters:
  ///   - pair: The pictures; coverage masks are honored.
  ///   - threads: How many threads work; the result is the same for any number.
  /// - Returns: Disparities with their σ; never an invented one.
  /// - Throws: ``StereoError`` of reason `degenerate` for an empty range of disparities, and
  ///   `limitExceeded` for one of more than 65,535.
  /// - Complexity: O(pixels · disparities).
  public func match(_ pair: RectifiedPair, threads: Int = 1) throws(StereoError) -> StereoMatch {
    guard !disparities.isEmpty else {
      throw StereoError(
        .degenerate, expected: "a range of disparities", found: "the empty range \(disparities)")
    }
    return PlainMatching(matcher: self, pair: pair).match()
  }
}
