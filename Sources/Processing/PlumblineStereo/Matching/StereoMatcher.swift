public import PlumblineModel

/// Finds for each pixel of a left image how far left it lies in the right one, by semi-global
/// matching.
///
/// - Source: H. Hirschmüller, "Stereo Processing by Semiglobal Matching and Mutual Information",
///   IEEE TPAMI 30(2), 2008.
public struct StereoMatcher: Sendable, Hashable {
  /// From how many directions costs are summed.
  public enum Paths: String, Sendable, CaseIterable {
    /// Left, right, up and down.
    case four
    /// Left, right and the three from above: one pass over the image.
    case five
    /// All eight neighbors.
    case eight
  }

  /// The pixel disparities that are tried; may begin below 0.
  public var disparities: Range<Int>
  /// From how many directions costs are summed.
  public var paths: Paths
  /// The cost of a disparity that differs by 1 from the neighbor's, at most 144.
  ///
  /// Units are those of the matching cost: 16 bits of the censuses of a square of 9 pixels.
  public var smallStepPenalty: Int
  /// The cost of any other disparity than the neighbor's where gray levels are equal,
  /// likewise.
  public var largeStepPenalty: Int
  /// The difference of gray levels that halves ``largeStepPenalty``.
  public var largeStepLevelScale: Float
  /// By which share the best cost must undercut that of any disparity not next to it; 0 asks
  /// nothing.
  public var uniqueness: Float
  /// How many pixels the disparity that a match prefers, by the same sums, may differ; `nil` asks
  /// nothing.
  public var leftRightTolerancePixels: Int?
  /// The least pixels of a patch that is kept; 0 keeps all.
  public var speckleLeastPixels: Int
  /// How much neighbors of one patch differ at most, in pixels.
  public var speckleStepPixels: Float
  /// How far the farther of the two planes reaches that smooth disparities, in pixels, at most 32;
  /// 0 for none.
  public var smoothingRadiusPixels: Int
  /// Whether pixels near an edge are compared with the surface on its other side; see
  /// ``SurfaceEdges``.
  package var comparesAcrossEdges: Bool
  /// How many bytes costs, sums and kept paths may take before rows are divided further, which takes more
  /// time and gives the same bits; see Documentation/stereo.md.
  public var memoryBytes: Int

  /// Prepares matching with settings that suit most images.
  package init(disparities: Range<Int>, paths: Paths = .eight) {
    self.disparities = disparities
    self.paths = paths
    smallStepPenalty = 9
    largeStepPenalty = 144
    largeStepLevelScale = 1.2
    uniqueness = 0.03
    leftRightTolerancePixels = 1
    speckleLeastPixels = 128
    speckleStepPixels = 2
    smoothingRadiusPixels = 12
    comparesAcrossEdges = true
    memoryBytes = 512 << 20
  }

  /// Matches two images.
  ///
  /// - Parameters:
  ///   - pair: The images; coverage masks are honored.
  ///   - threads: How many threads work; the result is the same for any number.
  /// - Returns: Disparities with their σ; never an invented one.
  /// - Throws: ``StereoError`` of reason `degenerate` for an empty range of disparities, and
  ///   `limitExceeded` for one of more than 16,384 or one that reaches beyond ±1,000,000.
  /// - Complexity: O(pixels · disparities).
  package func match(_ pair: RectifiedPair, threads: Int = 1) throws(StereoError) -> StereoMatch {
    var workspace = MatchingWorkspace()
    workspace.isKept = false
    return try match(pair, threads: threads, in: &workspace)
  }

  /// Matches two images in memory that is kept for the next pair.
  ///
  /// - Parameters:
  ///   - pair: The images; coverage masks are honored.
  ///   - threads: How many threads work; the result is the same for any number.
  ///   - workspace: What the last pair left, of whatever size; the result does not depend on it.
  /// - Returns: As ``match(_:threads:)``.
  /// - Throws: As ``match(_:threads:)``.
  package func match(
    _ pair: RectifiedPair, threads: Int = 1, in workspace: inout MatchingWorkspace
  ) throws(StereoError) -> StereoMatch {
    guard !disparities.isEmpty else {
      throw StereoError(
        .degenerate, expected: "a range of disparities", found: "the empty range \(disparities)")
    }
    guard disparities.count <= 16_384, disparities.lowerBound >= -1_000_000,
      disparities.upperBound <= 1_000_000
    else {
      throw StereoError(
        .limitExceeded, expected: "at most 16384 disparities between -1000000 and 1000000",
        found: "\(disparities)")
    }
    return StereoMatching(matcher: self, pair: pair, threads: threads).match(in: &workspace)
  }
}

/// What semi-global matching found: pixel disparities, how sure each is, and what was refused.
public struct StereoMatch: Sendable {
  /// Pixel disparities in the left image; NaN where nothing was accepted.
  public var disparity: PixelDisparityMap
  /// The σ of each pixel disparity in pixels, from the curve of its cost; NaN where missing.
  public var sigmaPixels: Raster<Float>
  /// The number of pixels that each check removed.
  package var removed: Removals

  /// How many pixels of the left image have no disparity, and which check was the first to say so.
  package struct Removals: Sendable, Hashable {
    /// Pixels that rectification left empty, or whose best match lies outside of the right image
    /// or where that is empty.
    package var uncovered = 0
    /// Pixels of which another disparity, not next to the best, costs hardly more.
    package var ambiguous = 0
    /// Pixels whose match in the right image prefers another disparity: mostly those that only the
    /// left image sees.
    package var inconsistent = 0
    /// Pixels of small patches with a disparity of their own.
    package var speckles = 0

    /// Nothing was removed.
    package init() {}

    /// All of them.
    package var total: Int { uncovered + ambiguous + inconsistent + speckles }
  }

  /// Joins the parts of a result.
  ///
  /// - Precondition: Both rasters have one size.
  package init(disparity: PixelDisparityMap, sigmaPixels: Raster<Float>, removed: Removals) {
    precondition(disparity.size == sigmaPixels.size, "a match has one size")
    self.disparity = disparity
    self.sigmaPixels = sigmaPixels
    self.removed = removed
  }
}

/// Pixel disparity: how many columns farther left a point lies in the right image of a rectified
/// pair than in the left one.
///
/// Unit: pixels of the rectified images; not ``DisparityMap``, whose unit is 1/m. Frame: the
/// pixels of the left image. Missing is NaN. Where the two principal points differ, a point at
/// infinity has a pixel disparity other than 0, and values below 0 are sound.
public struct PixelDisparityMap: Sendable {
  /// The value of a pixel that was not matched.
  public static let missing = Float.nan

  /// Pixel disparities; NaN where not matched.
  public var pixels: Raster<Float>

  /// Wraps pixel disparities; values that are not finite become missing, O(*n*).
  package init(pixels: Raster<Float>) {
    self.pixels = pixels.map { $0.isFinite ? $0 : PixelDisparityMap.missing }
  }

  /// The number of columns and rows.
  public var size: RasterSize { pixels.size }
}
