import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction

extension Scan {
  /// What tracking says of a scan as a whole.
  public struct TrackingSummary: Sendable, Hashable {
    /// The frames that fit the surface.
    public var trackedCount: Int
    /// The frames whose recorded motion alone gives their pose.
    public var followedCount: Int
    /// The frames whose pose is not known.
    public var lostCount: Int
    /// The times that tracking was found again.
    public var relocalizedCount: Int
    /// The median of the frames' median residuals along the normal, in meters; `nil` without any.
    public var medianResidualMeters: Double?
    /// The largest of them and the name of its frame.
    public var worst: (meters: Double, frame: String)? {
      worstResidual.map { ($0.meters, $0.frame) }
    }
    var worstResidual: WorstResidual?
    /// The median of the residuals in standard deviations; 0.67 where the noise is as stated.
    public var medianSigmas: Double?
    /// The length of the path in meters.
    public var pathMeters: Double
    /// The length divided by that of the recorded poses; `nil` without these.
    public var pathRatio: Double?
    /// How far the last frame lies from where its recorded pose says, in meters, the first frame being at its
    /// own; `nil` without recorded poses.
    public var endShiftMeters: Double?
  }

  /// The frame that fits worst.
  struct WorstResidual: Sendable, Hashable {
    var meters: Double
    var frame: String
  }

  /// What tracking says as a whole; O(frames).
  public var tracking: TrackingSummary {
    let frames = trajectory.frames
    let residuals = frames.compactMap { frame in
      frame.isFused ? frame.quality?.medianMeters : nil
    }.filter(\.isFinite).sorted()
    let sigmas = frames.compactMap { frame in
      frame.isFused ? frame.quality?.medianSigmas : nil
    }.filter(\.isFinite).sorted()
    let path = trajectory.pathLengthMeters
    let recorded = trajectory.recordedPathLengthMeters
    return TrackingSummary(
      trackedCount: count { $0 == .tracked || $0 == .started },
      followedCount: count { $0 == .followed },
      lostCount: count { if case .lost = $0 { true } else { false } },
      relocalizedCount: count { $0 == .relocalized },
      medianResidualMeters: residuals.middleOfSorted, worstResidual: worst,
      medianSigmas: sigmas.middleOfSorted, pathMeters: path,
      pathRatio: recorded.flatMap { $0 > 0 ? path / $0 : nil }, endShiftMeters: endShift)
  }

  private func count(_ isCounted: (TrackingState) -> Bool) -> Int {
    trajectory.frames.count { isCounted($0.state) }
  }

  private var worst: WorstResidual? {
    var worst: WorstResidual?
    for frame in trajectory.frames where frame.isFused {
      guard let meters = frame.quality?.medianMeters, meters > worst?.meters ?? 0 else { continue }
      worst = WorstResidual(meters: meters, frame: frameNames[frame.index])
    }
    return worst
  }

  private var endShift: Double? {
    guard let last = trajectory.frames.last(where: \.isFused), let pose = last.estimate?.aFromB,
      let recorded = last.recordedWorldFromCamera
    else { return nil }
    let difference = pose.translation - recorded.translation
    return (difference * difference).sum().squareRoot()
  }
}
