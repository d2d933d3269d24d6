/// What a writer does with measured depths that its numbers cannot say.
public enum OutOfRangeDepth: String, Sendable, CaseIterable {
  /// The frame is refused with the numbers, since "not measured" would be untrue.
  case refused
  /// They become "not measured" and are counted.
  case missing
}
