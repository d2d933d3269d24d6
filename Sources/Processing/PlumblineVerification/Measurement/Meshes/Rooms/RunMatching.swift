/// Which stretch of wall follows which around a room, at the least cost of all.
enum RunMatching {
  /// Lines closer in direction than this (the sine of 20°) have no corner.
  static let leastSine = 0.34
  /// What an end without a corner costs more, in meters: corners are preferred.
  private static let noCorner = 0.4
  private static let never = 1e6

  /// For each stretch the one that follows it with the room on the left.
  ///
  /// The cost of a pair is the length of wall that was not seen between them, by their corner where they have
  /// one. The assignment is that of the least sum.
  ///
  /// - Returns: Places in `runs`, each once. Cost: O(*n*³).
  /// - Source: H. W. Kuhn, Naval Research Logistics 2 (1955) 83; with potentials as in J. Munkres 1957.
  static func followers(_ runs: [WallRun], _ lines: [WallLine]) -> [Int] {
    assignment(
      runs.indices.map { first in
        runs.indices.map { second in
          first == second ? never : cost(runs[first], runs[second], lines)
        }
      })
  }

  private static func cost(_ first: WallRun, _ second: WallRun, _ lines: [WallLine]) -> Double {
    let (one, other) = (lines[first.line], lines[second.line])
    let (end, start) = (one.point(at: first.end), other.point(at: second.start))
    if let corner = corner(one, other) {
      // Beyond the corner a wall cannot have been seen, but for noise.
      func length(_ missing: Double) -> Double { missing >= -0.1 ? abs(missing) : -4 * missing }
      return length(corner.dot(one.direction) - first.end)
        + length(second.start - corner.dot(other.direction))
    }
    let gap = start - end
    if one.direction.dot(other.direction) > 0 {
      let ahead = gap.dot(one.direction)
      guard ahead > -0.2 else { return never / 2 }
      // Of one line a gap is likely, of two a step is not.
      return abs(ahead) + abs(gap.dot(one.normal))
        + (first.line == second.line ? noCorner / 4 : noCorner)
    }
    return gap.norm + 2 * noCorner
  }

  /// Where two lines meet; `nil` where they are nearly parallel.
  static func corner(_ one: WallLine, _ other: WallLine) -> SIMD2<Double>? {
    let sine = one.normal.cross(other.normal)
    guard abs(sine) > leastSine else { return nil }
    return [
      (one.offset * other.normal.y - other.offset * one.normal.y) / sine,
      (other.offset * one.normal.x - one.offset * other.normal.x) / sine,
    ]
  }

  /// The column of each row so that the sum of the costs is least.
  private static func assignment(_ costs: [[Double]]) -> [Int] {
    let count = costs.count
    var (rowPrice, columnPrice) = (
      [Double](repeating: 0, count: count + 1), [Double](repeating: 0, count: count + 1)
    )
    // Row of each column; 0 stands for none, so that rows and columns count from 1.
    var rowOf = [Int](repeating: 0, count: count + 1)
    for row in stride(from: 1, through: count, by: 1) {
      var (column, way) = (0, [Int](repeating: 0, count: count + 1))
      var least = [Double](repeating: .infinity, count: count + 1)
      var isDone = [Bool](repeating: false, count: count + 1)
      rowOf[0] = row
      repeat {
        isDone[column] = true
        let current = rowOf[column]
        var (change, next) = (Double.infinity, 0)
        for other in 1...count where !isDone[other] {
          let cost = costs[current - 1][other - 1] - rowPrice[current] - columnPrice[other]
          if cost < least[other] { (least[other], way[other]) = (cost, column) }
          if least[other] < change { (change, next) = (least[other], other) }
        }
        for other in 0...count {
          if isDone[other] {
            rowPrice[rowOf[other]] += change
            columnPrice[other] -= change
          } else {
            least[other] -= change
          }
        }
        column = next
      } while rowOf[column] != 0
      while column != 0 {
        rowOf[column] = rowOf[way[column]]
        column = way[column]
      }
    }
    var columnOf = [Int](repeating: 0, count: count)
    for column in stride(from: 1, through: count, by: 1) {
      columnOf[rowOf[column] - 1] = column - 1
    }
    return columnOf
  }
}
