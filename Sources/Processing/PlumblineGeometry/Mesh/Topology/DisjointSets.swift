/// Sets of numbers that are joined, by union with halved paths.
///
/// - Source: R. E. Tarjan, J. van Leeuwen, *Worst-case analysis of set union algorithms*, J. ACM 31 (1984).
struct DisjointSets {
  private var parents: [UInt32]

  /// Makes a set of each number below a count.
  init(count: Int) { parents = (0..<UInt32(count)).map { $0 } }

  /// The lowest number of a set; O(α(*n*)) in the mean.
  mutating func root(_ number: UInt32) -> UInt32 {
    var place = number
    while parents[Int(place)] != place {
      parents[Int(place)] = parents[Int(parents[Int(place)])]
      place = parents[Int(place)]
    }
    return place
  }

  /// Joins the sets of two numbers; false where they are one already.
  @discardableResult
  mutating func join(_ one: UInt32, _ other: UInt32) -> Bool {
    let (a, b) = (root(one), root(other))
    // The lower becomes the root, so that roots come in the order of the sets.
    parents[Int(max(a, b))] = min(a, b)
    return a != b
  }
}
