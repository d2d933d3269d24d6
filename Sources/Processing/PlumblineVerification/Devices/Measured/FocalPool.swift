import PlumblineModel
import PlumblineVision

/// Several measurements of one configuration, pooled.
///
/// Two levels: sessions of one device, and devices. Sessions of a device scatter by `sessionScatter`
/// about the device's ratio of measured to stated focal length, ratios of devices by `deviceScatter`
/// about that of the model. Each mean is weighted by 1 / (σᵢ² + scatter²); where its members scatter more
/// than that says, its variance is multiplied by their χ² for each degree of freedom. A scatter is the
/// mean of what was known before and of what the measurements show, by their degrees of freedom; what is
/// given as ± is the half width of Student's t that contains 68 % with those degrees.
/// - Source: the weighted mean with scatter among members: R. DerSimonian, N. Laird, *Meta-analysis in
///   clinical trials*, 1986; the factor of χ²: R. T. Birge, *The calculation of errors by the method of
///   least squares*, 1932. Coverage: `Documentation/devices.md`.
package struct FocalPool: Hashable, Sendable {
  /// How far the ratio scatters between sessions of one device, one standard deviation, where few
  /// sessions show it.
  ///
  /// - Source: three sessions of one iPad scatter by 0.1 %, `Documentation/devices.md`.
  package static let knownSessionScatter = (sigma: 0.001, degrees: 2.0)

  /// How far the stated focal lengths of two sessions may be apart and be those of one device.
  ///
  /// - Source: twice ``FocalFromPair/driftShare``, what one device showed between two sessions; from one
  ///   version of the system to the next it moved by 0.09 %.
  package static let sameDeviceShare = 0.001_3

  /// The sessions of what is taken for one device.
  package struct SpecimenMean: Hashable, Sendable {
    /// The stated focal lengths, as shares of the width.
    package var factoryShares: ClosedRange<Double>
    /// The number of sessions.
    package var sessionCount: Int
    /// The weighted mean of their ratios.
    package var ratio: Double
    /// The variance of `ratio`.
    package var variance: Double
    /// χ² for each degree of freedom, 1 at least.
    package var excess: Double
  }

  /// The devices, by their stated focal lengths.
  package private(set) var specimens: [SpecimenMean] = []
  /// The scatter between sessions of a device, one standard deviation of the ratio.
  package private(set) var sessionScatter = 0.0
  /// Its degrees of freedom.
  package private(set) var sessionDegrees = 0.0
  /// The scatter between devices, one standard deviation of the ratio.
  package private(set) var deviceScatter = 0.0
  /// Its degrees of freedom.
  package private(set) var deviceDegrees = 0.0
  /// The ratio of the model: the weighted mean over devices.
  package private(set) var ratio = 1.0
  /// The variance of ``ratio``.
  package private(set) var variance = 0.0

  /// Pools sessions that are grouped by device.
  ///
  /// - Parameters:
  ///   - groups: The sessions of each device: ratio, its σ, and the stated focal length over the width.
  ///   - known: The scatter between devices of one kind of camera, and its degrees of freedom.
  /// - Precondition: There is a session, no group is empty, and every σ is above 0. O(*n*).
  package init(
    groups: [[(ratio: Double, sigma: Double, factoryShare: Double)]],
    knownDeviceScatter known: (sigma: Double, degrees: Double)
  ) {
    precondition(!groups.isEmpty && groups.allSatisfy { !$0.isEmpty }, "nothing to pool")
    poolSessions(groups)
    let count = Double(specimens.count)
    let spread = Moments(specimens.map(\.ratio)).variance
    let own = specimens.reduce(0) { $0 + $1.variance } / count
    deviceDegrees = known.degrees + count - 1
    deviceScatter =
      ((known.degrees * known.sigma * known.sigma + (count - 1) * max(0, spread - own))
      / max(deviceDegrees, 1)).squareRoot()
    let mean = Self.weightedMean(
      specimens.map { ($0.ratio, $0.variance + deviceScatter * deviceScatter) })
    ratio = mean.mean
    variance = mean.variance
  }

  /// Groups sessions by device, by the stated focal length alone: those of one group span at most
  /// ``sameDeviceShare``.
  package static func grouped(
    _ sessions: [(ratio: Double, sigma: Double, factoryShare: Double)]
  ) -> [[(ratio: Double, sigma: Double, factoryShare: Double)]] {
    var groups: [[(ratio: Double, sigma: Double, factoryShare: Double)]] = []
    for session in sessions.sorted(by: { $0.factoryShare < $1.factoryShare }) {
      let last = groups.count - 1
      if last >= 0, let first = groups[last].first,
        session.factoryShare <= first.factoryShare * (1 + sameDeviceShare)
      {
        groups[last].append(session)
      } else {
        groups.append([session])
      }
    }
    return groups
  }

  private mutating func poolSessions(
    _ groups: [[(ratio: Double, sigma: Double, factoryShare: Double)]]
  ) {
    let sessions = groups.flatMap(\.self)
    let own = sessions.reduce(0) { $0 + $1.sigma * $1.sigma } / Double(sessions.count)
    var squares = 0.0
    var degrees = 0.0
    for group in groups {
      let freedom = Double(group.count - 1)
      squares += Moments(group.map(\.ratio)).variance * freedom
      degrees += freedom
    }
    let known = Self.knownSessionScatter
    let excess = degrees > 0 ? max(0, squares / degrees - own) : 0
    sessionDegrees = known.degrees + degrees
    let scatter =
      (known.degrees * known.sigma * known.sigma + degrees * excess) / sessionDegrees
    sessionScatter = scatter.squareRoot()
    specimens = groups.map { group in
      let mean = Self.weightedMean(group.map { ($0.ratio, $0.sigma * $0.sigma + scatter) })
      let shares = group.map(\.factoryShare)
      return SpecimenMean(
        factoryShares: (shares.min() ?? 0)...(shares.max() ?? 0), sessionCount: group.count,
        ratio: mean.mean, variance: mean.variance, excess: mean.excess)
    }
  }

  /// The mean with weights 1 / variance, and its variance, which contains the scatter.
  private static func weightedMean(
    _ members: [(value: Double, variance: Double)]
  ) -> (mean: Double, variance: Double, excess: Double) {
    let weight = members.reduce(0) { $0 + 1 / $1.variance }
    let mean = members.reduce(0) { $0 + $1.value / $1.variance } / weight
    let square = members.reduce(0) {
      $0 + ($1.value - mean) * ($1.value - mean) / $1.variance
    }
    let excess = max(1, square / Double(max(members.count - 1, 1)))
    return (mean, excess / weight, excess)
  }
}

extension FocalPool {
  /// The ± of a device's own ratio, of one session or of several.
  package func sigma(of specimen: SpecimenMean) -> Double {
    specimen.variance.squareRoot() * StudentQuantile.width(normal: 1, freedom: sessionDegrees)
  }

  /// The ± of the ratio in another session of a device that was measured.
  package func sigmaInAnotherSession(of specimen: SpecimenMean) -> Double {
    (specimen.variance + sessionScatter * sessionScatter).squareRoot()
      * StudentQuantile.width(normal: 1, freedom: sessionDegrees)
  }

  /// The ± of the model's ratio.
  package var sigma: Double {
    variance.squareRoot() * StudentQuantile.width(normal: 1, freedom: deviceDegrees)
  }

  /// The ± of the ratio of a device that was not measured.
  package var sigmaOfAnotherDevice: Double {
    (variance + deviceScatter * deviceScatter + sessionScatter * sessionScatter).squareRoot()
      * StudentQuantile.width(normal: 1, freedom: deviceDegrees)
  }

  /// The measured device whose stated focal length is this one's, as a share of the width; `nil`
  /// where it is none of them.
  package func specimen(stating factoryShare: Double) -> SpecimenMean? {
    func distance(_ specimen: SpecimenMean) -> Double {
      let range = specimen.factoryShares
      return max(range.lowerBound / factoryShare, factoryShare / range.upperBound, 1) - 1
    }
    return specimens.min { distance($0) < distance($1) }
      .flatMap { distance($0) <= Self.sameDeviceShare ? $0 : nil }
  }
}
