import Plumbline

extension FleetGroup {
  /// How many standard deviations a session or device may be from the median: 3 are exceeded by 0.3 % of
  /// normal numbers.
  static let outlierSigmas = 3.0

  /// The standard deviation of a normal distribution in median absolute deviations, 1/Φ⁻¹(3/4).
  private static let sigmaOverDeviation = 1.4826

  /// The sessions of devices whose difference is far from the median of all devices; none for fewer than
  /// four devices, of which half must agree for a median to say anything.
  func deviceOutliers(_ groups: [[FleetSession]]) -> [Outlier] {
    let values = devices.map { $0.numbers.differencePercent?.value ?? .nan }
    guard values.count >= 4, let median = values.median else { return [] }
    let deviation = values.map { abs($0 - median) }.median ?? 0
    return zip(devices, groups).flatMap { device, group -> [Outlier] in
      guard let own = device.numbers.differencePercent else { return [] }
      // What sessions of one device scatter by is the least that devices do.
      let scatter = max(
        Self.sigmaOverDeviation * deviation, 100 * FocalPool.knownSessionScatter.sigma)
      let limit =
        Self.outlierSigmas * (scatter * scatter + own.plusMinus * own.plusMinus).squareRoot()
      guard abs(own.value - median) > limit else { return [] }
      return group.map {
        Outlier(
          session: $0.path, device: device.number, percent: $0.differencePercent,
          medianPercent: median, limitPercent: limit, comparedWith: "devices")
      }
    }
  }

  /// The sessions far from the median of their own device's; none for fewer than three sessions.
  static func sessionOutliers(_ groups: [[FleetSession]]) -> [Outlier] {
    groups.enumerated().flatMap { index, group -> [Outlier] in
      let values = group.map(\.differencePercent)
      guard values.count >= 3, let median = values.median else { return [] }
      let deviation = values.map { abs($0 - median) }.median ?? 0
      let scatter = max(
        sigmaOverDeviation * deviation, 100 * FocalPool.knownSessionScatter.sigma)
      return group.compactMap { session in
        let own = session.differenceSigma
        let limit = outlierSigmas * (scatter * scatter + own * own).squareRoot()
        guard abs(session.differencePercent - median) > limit else { return nil }
        return Outlier(
          session: session.path, device: index + 1, percent: session.differencePercent,
          medianPercent: median, limitPercent: limit, comparedWith: "sessions")
      }
    }
  }
}
