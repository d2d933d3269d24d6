/// How well overlapping frames agree when their poses place them in one world.
///
/// Points of one frame of a pair are projected into the other and compared with the depth there, where
/// both are fully trusted and off every edge. Differences of 0.3 m and more belong to surfaces that
/// hide one another; their share is stated. See `Documentation/recordings.md`.
public struct PoseConsistency: Sendable, Hashable {
  /// The consistency of frames that are about equally far apart in time.
  public struct Gap: Sendable, Hashable {
    /// The gap of time in seconds; of revisits the median; `nil` for successive frames without times.
    public var seconds: Double?
    /// The number of pairs that were compared.
    public var pairCount: Int
    /// The number of points that were compared.
    public var pointCount: Int
    /// The median over the pairs of the median size of the differences, in meters.
    public var medianMeters: Double
    /// The median over the pairs of the size that 95 % of the differences do not exceed, in meters.
    public var percentile95Meters: Double
    /// The mean over the pairs of the median size of the differences, in meters.
    public var meanMedianMeters: Double
    /// The median over the pairs of the median size in units of the ± of both depths together;
    /// 0.67 is what independent errors of that ± would give; `nil` when the ± is not known.
    public var medianSigmas: Double?
    /// The mean over the pairs of the share of points that differ by 0.3 m or more, 0 to 1.
    public var beyondShare: Double
    /// The median length of the path between the frames of a pair, in meters.
    public var pathMeters: Double
  }

  /// Frames at fixed gaps of time, of recordings without times successive frames.
  public var gaps: [Gap]
  /// Places that were seen again after five seconds or more; `nil` where there are none.
  public var revisits: Gap?

  /// The gap whose frames disagree most by their ±; `nil` without any.
  var worst: Gap? {
    (gaps + (revisits.map { [$0] } ?? [])).max {
      ($0.medianSigmas ?? 0) < ($1.medianSigmas ?? 0)
    }
  }
}

extension PoseConsistency.Gap {
  /// Joins the pairs of a gap; `nil` for none.
  init?(seconds: Double?, _ pairs: [(statistics: FrameOverlap.Statistics, pathMeters: Double)]) {
    guard let median = pairs.map(\.statistics.median).lowerMedian,
      let percentile95 = pairs.map(\.statistics.percentile95).lowerMedian,
      let path = pairs.map(\.pathMeters).lowerMedian
    else { return nil }
    self.seconds = seconds
    pairCount = pairs.count
    pointCount = pairs.reduce(0) { $0 + $1.statistics.count }
    medianMeters = median
    meanMedianMeters = pairs.reduce(0) { $0 + $1.statistics.median } / Double(pairs.count)
    percentile95Meters = percentile95
    medianSigmas = pairs.compactMap(\.statistics.medianSigmas).lowerMedian
    beyondShare =
      pairs.reduce(0) { $0 + $1.statistics.beyondShare } / Double(pairs.count)
    pathMeters = path
  }
}
