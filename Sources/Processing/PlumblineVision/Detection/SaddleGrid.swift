/// Saddles with their positions in a grid of squares, as far as they hang together.
struct SaddleGrid {
  /// A position in the grid; the seed is at (0, 0).
  typealias Place = SIMD2<Int>

  /// The saddles by position.
  private(set) var saddles: [Place: Saddle]
  /// No place is farther from the seed than this, so that growth ends.
  let reach: Int

  /// Starts with one square of four saddles.
  init(seed: [Place: Saddle], reach: Int) {
    saddles = seed
    self.reach = reach
  }

  /// The steps to the four neighbors.
  static let steps: [Place] = [[1, 0], [0, 1], [-1, 0], [0, -1]]

  /// Adds neighbors until nothing fits, first from the candidates, then, once a third of the board
  /// is there and while it is not complete, from a second look where a neighbor should be.
  ///
  /// - Parameters:
  ///   - candidates: What was found in the image.
  ///   - taken: Which candidates belong to a grid; updated.
  ///   - window: The image.
  ///   - complete: How many saddles need no second look.
  mutating func grow(
    with candidates: [Saddle], taken: inout [Bool], in window: PixelWindow, complete: Int
  ) {
    var front = sortedPlaces
    repeat {
      while !front.isEmpty {
        front = grown(from: front) { grid, expected, spacing, neighbor in
          grid.nearest(
            to: expected, within: 0.3 * spacing, unlike: neighbor, of: candidates, taken: taken
          ).map { index in
            taken[index] = true
            return candidates[index]
          }
        }
      }
      if saddles.count >= complete || saddles.count < complete / 3 { return }
      front = grown(from: sortedPlaces) { grid, expected, spacing, neighbor in
        Saddle(near: expected, radius: Int(min(0.4 * spacing, 8)), in: window).flatMap {
          grid.isPlausible($0, near: expected, spacing: spacing, unlike: neighbor) ? $0 : nil
        }
      }
    } while !front.isEmpty
  }

  private var sortedPlaces: [Place] {
    saddles.keys.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// Adds what is found beside some positions; returns where.
  private mutating func grown(
    from front: [Place],
    finding find: (Self, _ near: SIMD2<Double>, _ spacing: Double, _ beside: Saddle) -> Saddle?
  ) -> [Place] {
    var added: [Place] = []
    for place in front {
      guard let neighbor = saddles[place] else { continue }
      for step in Self.steps {
        let target = place &+ step
        guard saddles[target] == nil, abs(target.x) <= reach, abs(target.y) <= reach,
          let expected = expectedPixel(at: target)
        else { continue }
        let way = expected - neighbor.pixel
        let spacing = (way * way).sum().squareRoot()
        // Squares below 4 pixels cannot be separated; also false for what is not a number.
        guard spacing >= 4, spacing < 1e6, let found = find(self, expected, spacing, neighbor)
        else {
          continue
        }
        saddles[target] = found
        added.append(target)
      }
    }
    return added
  }

  private func isPlausible(
    _ saddle: Saddle, near expected: SIMD2<Double>, spacing: Double, unlike neighbor: Saddle
  ) -> Bool {
    let miss = saddle.pixel - expected
    guard (miss * miss).sum().squareRoot() < 0.25 * spacing,
      saddle.likeness(to: neighbor) < Self.unlikeness
    else { return false }
    return saddles.values.allSatisfy { other in
      let way = other.pixel - saddle.pixel
      return (way * way).sum().squareRoot() > 0.4 * spacing
    }
  }

  /// Neighbors are less alike than this; slant and noise leave −1 seldom.
  static let unlikeness = -0.5

  private func nearest(
    to expected: SIMD2<Double>, within distance: Double, unlike neighbor: Saddle,
    of candidates: [Saddle], taken: [Bool]
  ) -> Int? {
    var best: Int?
    var least = distance * distance
    for index in candidates.indices where !taken[index] {
      let miss = candidates[index].pixel - expected
      let square = (miss * miss).sum()
      if square < least, candidates[index].likeness(to: neighbor) < Self.unlikeness {
        best = index
        least = square
      }
    }
    return best
  }

  /// Where a position should be, from all lines that lead to it.
  ///
  /// Three saddles in a row continue by their second difference, which follows perspective and lens;
  /// two by their difference; else the fourth corner of a parallelogram.
  private func expectedPixel(at place: Place) -> SIMD2<Double>? {
    var bent = SIMD3<Double>.zero
    var straight = SIMD3<Double>.zero
    var slanted = SIMD3<Double>.zero
    for step in Self.steps {
      guard let first = saddles[place &- step]?.pixel else { continue }
      if let second = saddles[place &- step &* 2]?.pixel {
        straight += SIMD3(2 * first - second, 1)
        if let third = saddles[place &- step &* 3]?.pixel {
          bent += SIMD3(3 * first - 3 * second + third, 1)
        }
      }
      let side = Place(step.y, step.x)
      for across in [side, 0 &- side] {
        if let beside = saddles[place &+ across]?.pixel,
          let corner = saddles[place &+ across &- step]?.pixel
        {
          slanted += SIMD3(first + beside - corner, 1)
        }
      }
    }
    for sum in [bent, straight, slanted] where sum.z > 0 {
      return SIMD2(sum.x, sum.y) / sum.z
    }
    return nil
  }
}

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
