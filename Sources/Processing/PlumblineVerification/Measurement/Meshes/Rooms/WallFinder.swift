/// Finds the lines of walls by votes of upright triangles.
///
/// Each triangle votes with its area for lines through its middle, within 15° of its own direction. The line
/// with most votes is fitted to the triangles near it, which then vote no more; and so on. Nothing is random.
/// - Source: the Hough transform with gradients, D. H. Ballard, Pattern Recognition 13 (1981) 111.
struct WallFinder {
  /// Directions are this far apart, as parts of a whole turn: 3°.
  private static let turns = 120
  /// How far, in such steps, a triangle's own direction may be from that of a line it votes for.
  private static let window = 5
  /// Offsets are this far apart, in meters.
  private static let step = 0.05
  /// The most lines that are tried.
  private static let mostLines = 400
  /// The least area of a wall, in square meters.
  private static let leastArea = 0.1

  private let elements: [WallLine.Element]
  private let center: SIMD2<Double>
  private let step: Double
  private let offsets: Int
  private var votes: [Double]
  private var isUsed: [Bool]

  private init(_ elements: [WallLine.Element]) {
    self.elements = elements
    let low = elements.reduce(elements[0].center) { pointwiseMin($0, $1.center) }
    let high = elements.reduce(elements[0].center) { pointwiseMax($0, $1.center) }
    center = (low + high) / 2
    let reach = (high - low).norm / 2 + 1
    // At most 20,000 offsets: 19 MB of votes.
    step = max(Self.step, reach / 10_000)
    offsets = Int(2 * reach / step) + 3
    votes = [Double](repeating: 0, count: Self.turns * offsets)
    isUsed = [Bool](repeating: false, count: elements.count)
  }

  /// The lines, by falling votes.
  ///
  /// - Parameter elements: Upright triangles.
  /// - Returns: Lines of at least a tenth of a square meter. Cost: O(*n*) and for each line one pass over the
  ///   triangles and the votes.
  static func lines(_ elements: [WallLine.Element]) -> [WallLine] {
    guard !elements.isEmpty else { return [] }
    var finder = WallFinder(elements)
    for index in elements.indices { finder.vote(index, sign: 1) }
    var lines: [WallLine] = []
    for _ in 0..<mostLines {
      guard let (members, line) = finder.next() else { break }
      for index in members {
        finder.isUsed[index] = true
        finder.vote(index, sign: -1)
      }
      if let line { lines.append(line) }
    }
    return lines
  }

  private static func direction(_ turn: Int) -> SIMD2<Double> {
    SurfaceFunctions.direction(2 * .pi * Double(turn) / Double(turns))
  }

  private mutating func vote(_ index: Int, sign: Double) {
    let element = elements[index]
    let angle = arctangent(element.normal.y, element.normal.x)
    let own = Int((angle / (2 * .pi) * Double(Self.turns)).rounded())
    for change in -Self.window...Self.window {
      let turn = (own + change + 2 * Self.turns) % Self.turns
      let offset = Self.direction(turn).dot(element.center - center)
      let place = Int((offset / step).rounded()) + offsets / 2
      guard (0..<offsets).contains(place) else { continue }
      let share = 1 - Double(abs(change)) / Double(Self.window + 1)
      votes[turn * offsets + place] += sign * share * element.area
    }
  }

  /// The triangles of the line with most votes, and that line where it is one of a wall; `nil` at the end.
  private func next() -> (members: [Int], line: WallLine?)? {
    var best = 0
    for index in votes.indices where votes[index] > votes[best] { best = index }
    guard votes[best] > Self.leastArea / 2 else { return nil }
    var normal = Self.direction(best / offsets)
    var offset = Double(best % offsets - offsets / 2) * step + normal.dot(center)
    var band = 2 * step
    var found: (members: [Int], line: WallLine)?
    for _ in 0..<6 {
      let members = elements.indices.filter { index in
        !isUsed[index] && elements[index].normal.dot(normal) > 0.9
          && abs(elements[index].center.dot(normal) - offset) < band
      }
      guard let line = WallLine.fit(members.map { elements[$0] }), line.normal.dot(normal) > 0.9
      else { break }
      found = (members, line)
      (normal, offset) = (line.normal, line.offset)
      band = min(2 * step, max(0.01, 3 * line.scatter))
    }
    guard let found else {
      // What voted must vote no more, or it would be found again.
      let members = elements.indices.filter { index in
        !isUsed[index] && abs(elements[index].center.dot(normal) - offset) < 2 * step
          && elements[index].normal.dot(normal) > 0.5
      }
      return members.isEmpty ? nil : (members, nil)
    }
    // A line's own neighborhood, such as skirting and frames, belongs to it and is no wall of its own.
    let near = elements.indices.filter { index in
      !isUsed[index] && elements[index].normal.dot(normal) > 0.7
        && abs(elements[index].center.dot(normal) - offset) < step
    }
    let members = Set(found.members).union(near).sorted()
    let area = found.line.elements.reduce(0) { $0 + $1.area }
    return (members, area >= Self.leastArea ? found.line : nil)
  }
}
