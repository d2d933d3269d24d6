/// Which saddles are neighbors along an edge, for the first square of a grid.
struct SaddleLinks {
  /// The saddles, the clearest first.
  let saddles: [Saddle]
  /// For each saddle, the nearest one along its first edge, its second, and the same backward.
  private let neighbors: [[Int?]]

  /// Looks for the neighbors of each saddle; O(*n*²).
  init(_ saddles: [Saddle]) {
    self.saddles = saddles
    var best = [(index: Int?, square: Double)](
      repeating: (nil, .infinity), count: 4 * saddles.count)
    for i in saddles.indices {
      for j in saddles.indices where j != i {
        let way = saddles[j].pixel - saddles[i].pixel
        let square = (way * way).sum()
        for (slot, edge) in [(0, saddles[i].edges.0), (1, saddles[i].edges.1)] {
          let along = (way * edge).sum()
          // Within 25° of the edge.
          guard along * along > 0.82 * square else { continue }
          let place = 4 * i + slot + (along < 0 ? 2 : 0)
          guard square < best[place].square,
            saddles[i].likeness(to: saddles[j]) < SaddleGrid.unlikeness,
            saddles[j].alignment(with: way / square.squareRoot()) > 0.9
          else { continue }
          best[place] = (j, square)
        }
      }
    }
    neighbors = saddles.indices.map { i in (0..<4).map { best[4 * i + $0].index } }
  }

  /// The squares that a saddle has at its corners, each a seed of a grid.
  func squares(at index: Int, taken: [Bool]) -> [[SaddleGrid.Place: Int]] {
    var squares: [[SaddleGrid.Place: Int]] = []
    let own = saddles[index]
    for (first, second) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
      guard let right = neighbors[index][first], let below = neighbors[index][second],
        !taken[right], !taken[below]
      else { continue }
      let expected = saddles[right].pixel + saddles[below].pixel - own.pixel
      let (x, y) = (saddles[right].pixel - own.pixel, saddles[below].pixel - own.pixel)
      let shorter = min((x * x).sum(), (y * y).sum())
      var best: Int?
      var least = 0.3 * 0.3 * shorter
      for candidate in saddles.indices where !taken[candidate] && candidate != index {
        let miss = saddles[candidate].pixel - expected
        if (miss * miss).sum() < least, saddles[candidate].likeness(to: own) > 0.5 {
          best = candidate
          least = (miss * miss).sum()
        }
      }
      if let best {
        squares.append([[0, 0]: index, [1, 0]: right, [0, 1]: below, [1, 1]: best])
      }
    }
    return squares
  }
}
