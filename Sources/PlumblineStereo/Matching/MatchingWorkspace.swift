/// Memory that a matcher keeps between pairs, for recordings and cameras.
///
/// Pairs of one size then cost no fresh pages: without it a sixth of the time of eight paths at
/// 640×480 went into clearing them. It grows to what the largest pair needed and is freed with the
/// value; it holds no result.
public struct MatchingWorkspace: ~Copyable {
  var costs = MatchingMemory<UInt8>(unwritten: 0)
  var sums = MatchingMemory<UInt16>(unwritten: 0)

  /// Holds nothing yet.
  public init() {}

  /// Makes room for `count` costs and as many sums, of which each is written before it is read.
  mutating func reserve(_ count: Int) {
    // What is there goes first, so that both never exist at once.
    if costs.count < count {
      costs = MatchingMemory(unwritten: 0)
      costs = MatchingMemory(unwritten: count)
    }
    if sums.count < count {
      sums = MatchingMemory(unwritten: 0)
      sums = MatchingMemory(unwritten: count)
    }
  }
}
