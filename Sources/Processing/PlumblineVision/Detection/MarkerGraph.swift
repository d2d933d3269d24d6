import PlumblineNumerics

/// Markers that lie as a board has them, separated from others by their neighbors.
///
/// Each marker sees where its neighbors lie in units of its own side. On the board a neighbor lies
/// at a whole number of squares, so that the two agree up to one factor: the square's side over the
/// marker's. The factor is voted on, agreeing neighbors are joined, the largest group is the board.
/// No lens and no wrong share of the marker hurts, since only neighbors are compared.
struct MarkerGraph {
  /// The markers of the largest group, by ascending number.
  private(set) var markers: [FoundMarker] = []
  /// The squares of those markers.
  private(set) var squares: [SIMD2<Int>] = []
  /// The side of a marker as a share of the square's, the median of all pairs.
  private(set) var markerShare = 0.0
  /// The number of pairs that agree.
  private(set) var agreements = 0

  /// How far neighbors are compared, in squares.
  private static let reach = 3

  /// Groups markers by the squares that a layout gives them.
  ///
  /// - Parameters:
  ///   - candidates: Markers that may be the board's; a number may occur more than once.
  ///   - square: The square of a marker on the board.
  init(_ candidates: [FoundMarker], square: (Int) -> SIMD2<Int>?) {
    let placed = candidates.compactMap { marker in square(marker.id).map { (marker, $0) } }
    var pairs: [Pair] = []
    for (i, (marker, here)) in placed.enumerated() {
      for (j, (other, there)) in placed.enumerated() where i != j {
        let offset = there &- here
        let distance = max(abs(offset.x), abs(offset.y))
        guard (1...Self.reach).contains(distance) else { continue }
        if let pair = Pair(i, j, offset, seen: marker.markerFromPixel(other.center) - 0.5) {
          pairs.append(pair)
        }
      }
    }
    guard !pairs.isEmpty else { return }
    let ratio = Self.commonest(pairs.map(\.ratio))
    let agreeing = pairs.filter { $0.agrees(with: ratio) }
    var group = Array(placed.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while group[index] != index { index = group[index] }
      return index
    }
    // Both must see each other: a wrong code seldom has the right corners too.
    let seen = Set(agreeing.map { SIMD2($0.from, $0.to) })
    for pair in agreeing where pair.from < pair.to && seen.contains(SIMD2(pair.to, pair.from)) {
      let (a, b) = (root(pair.from), root(pair.to))
      group[max(a, b)] = min(a, b)
      agreements += 1
    }
    var sizes: [Int: Int] = [:]
    for index in placed.indices { sizes[root(index), default: 0] += 1 }
    guard
      let largest = sizes.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }), largest.value > 1
    else { return }
    let members = placed.indices.filter { root($0) == largest.key }
      .sorted {
        (placed[$0].0.id, placed[$0].0.wrongCells, $0) < (
          placed[$1].0.id, placed[$1].0.wrongCells, $1
        )
      }
    var last: Int?
    for member in members where placed[member].0.id != last {
      last = placed[member].0.id
      markers.append(placed[member].0)
      squares.append(placed[member].1)
    }
    markerShare = 1 / (agreeing.map(\.ratio).upperMedian ?? .nan)
  }

  /// The middle of the values that most others are within a fifth of: wrong markers scatter.
  private static func commonest(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    var (best, from, first) = (0, 0, 0)
    for last in sorted.indices {
      while sorted[last] > 1.2 * sorted[first] { first += 1 }
      if last - first >= best { (best, from) = (last - first, first) }
    }
    return sorted[from + best / 2]
  }

  /// One marker as another sees it.
  private struct Pair {
    var from: Int
    var to: Int
    var offset: SIMD2<Double>
    var seen: SIMD2<Double>
    /// The side of a square in sides of the marker.
    var ratio: Double

    /// `nil` when the direction is wrong or the factor is none that a board can have.
    init?(_ from: Int, _ to: Int, _ offset: SIMD2<Int>, seen: SIMD2<Double>) {
      self.from = from
      self.to = to
      self.offset = SIMD2(Double(offset.x), Double(offset.y))
      self.seen = seen
      let squared = (self.offset * self.offset).sum()
      ratio = (seen * self.offset).sum() / squared
      let across = seen - self.offset * ratio
      guard ratio > 1, ratio < 6, (across * across).sum() < 0.09 * ratio * ratio * squared else {
        return nil
      }
    }

    func agrees(with common: Double) -> Bool {
      let d = seen - offset * common
      return (d * d).sum() < 0.09 * common * common * (offset * offset).sum()
    }
  }
}
