/// A distance in a scene, in whichever measure is known.
public enum SceneDistance: Hashable, Sendable {
  /// Meters along the optical axis; only where the scene's disparity is metric.
  case meters(Double)
  /// A disparity in the scene's own unit.
  case disparity(Double)
  /// 0 for the farthest and 1 for the nearest of this scene, linear in disparity.
  ///
  /// Ends are the disparities that half a percent of the pixels lie beyond.
  case nearness(Double)
}

extension SceneDistance: CustomStringConvertible {
  /// The number with its unit.
  public var description: String {
    switch self {
    case .meters(let meters): "\(meters) m"
    case .disparity(let disparity): "disparity \(disparity)"
    case .nearness(let share): "nearness \(share)"
    }
  }
}
