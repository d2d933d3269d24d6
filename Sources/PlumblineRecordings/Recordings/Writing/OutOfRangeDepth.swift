/// The treatment of measured depths that a format cannot hold.
public enum OutOfRangeDepth: String, Sendable, CaseIterable {
  /// The frame is refused with the numbers, since "not measured" would be untrue.
  case refused
  /// They become "not measured" and are counted.
  case missing
}
