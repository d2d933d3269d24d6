import PlumblineModel

/// Whether points that agree on no two cameras would do so with a lens that bends.
///
/// A plain lens of a wide view moves points at the edges by several pixels, more than points of one scene may be
/// off. A pose with a distortion that nobody stated is not given for all that: the distortion and a turn about
/// the vertical are hard to tell apart.
struct LensHint {
  private let rays: [EpipolarModel.Rays]
  private let search: EpipolarSearch
  private let plainCount: Int

  /// The coefficients that are tried, by which rays are lengthened across the axis.
  static let radials = [-0.2, -0.1, 0.1, 0.2, 0.3, 0.4]

  /// Takes the points and how many of them agree without a distortion.
  init(_ rays: [EpipolarModel.Rays], _ search: EpipolarSearch, withoutIt count: Int) {
    self.rays = rays
    self.search = search
    plainCount = count
  }

  /// The error, or one that says with which distortion clearly more points agree; six searches.
  func explained(_ error: StereoError) -> StereoError {
    var best = (radial: 0.0, count: 0)
    for radial in Self.radials {
      let model = EpipolarModel(rotation: search.start, direction: [1, 0, 0])
      let straight = rays.map(OrderModel(model: model, radial: radial).corrected)
      let count = search.best(of: straight)?.agreeing.count ?? 0
      if count > best.count { best = (radial, count) }
    }
    // A fifth more: of six tries one finds a few more points by chance.
    guard best.count >= RelativePose.leastMatches, 5 * best.count >= 6 * plainCount,
      Double(best.count) >= RelativePose.leastShare * Double(rays.count)
    else { return withAssumptions(error) }
    // The coefficient of lenses bends the other way than the one that takes it out.
    return StereoError(
      error.reason, expected: "a calibration of the lens, which seems to bend",
      found: "\(plainCount) of \(rays.count) similar points that agree on two cameras without a "
        + "distortion, \(best.count) with a radial one of about k1 = \((-best.radial).fixed(1)) "
        + "(\(error.found))")
  }

  /// The error with what was assumed of the cameras, and the number of points where it is too small.
  private func withAssumptions(_ error: StereoError) -> StereoError {
    let needed = Int((RelativePose.leastShare * Double(rays.count)).rounded(.up))
    let counts =
      plainCount < needed
      ? "\(plainCount) of \(rays.count) at best, where \(needed) are needed; " : ""
    return StereoError(
      error.reason, expected: error.expected,
      found: error.found + " (\(counts)lenses were taken as without distortion and principal "
        + "points as in the middle: where they are not, only a calibration helps)")
  }
}
