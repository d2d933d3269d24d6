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
