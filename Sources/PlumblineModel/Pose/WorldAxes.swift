/// Which axis of a recording's world points up; poses keep their producer's world.
public enum WorldAxes: String, Sendable, CaseIterable {
  /// +Y is up: ARKit (gravity-aligned), glTF, USD.
  case yUp
  /// +Z is up: ROS (REP 103), nerfstudio, CAD.
  case zUp
  /// The producer does not say, as where the first camera is the origin.
  case unknown
}
