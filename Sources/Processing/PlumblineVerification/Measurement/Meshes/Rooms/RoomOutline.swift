/// A closed line around a room by its walls, each side a line that was seen or one that joins two ends.
struct RoomOutline: Sendable {
  /// A corner of the outline.
  enum Corner: Sendable {
    /// Where two lines meet.
    case crossing(Int, Int)
    /// A place along one line where nothing more was seen.
    case end(line: Int, along: Double)
  }

  /// A side from one corner to the next, with the room on the left.
  struct Side: Sendable {
    /// The line; `nil` for a side that joins two ends.
    let line: Int?
    /// The stretches that were seen, as places along the line.
    let seen: [(start: Double, end: Double)]
  }

  let corners: [Corner]
  /// As many as corners; the first begins at the first corner.
  let sides: [Side]

  /// The outlines that stretches of wall form, each with its corners in order.
  ///
  /// - Parameters:
  ///   - runs: The stretches.
  ///   - lines: Their lines.
  /// - Returns: Those with three corners or more. Cost: O(*n*³).
  static func find(_ runs: [WallRun], _ lines: [WallLine]) -> [RoomOutline] {
    let followers = RunMatching.followers(runs, lines)
    var isUsed = [Bool](repeating: false, count: runs.count)
    var outlines: [RoomOutline] = []
    for first in runs.indices where !isUsed[first] {
      var cycle: [WallRun] = []
      var index = first
      while !isUsed[index] {
        isUsed[index] = true
        cycle.append(runs[index])
        index = followers[index]
      }
      if let outline = outline(cycle, lines) { outlines.append(outline) }
    }
    return outlines
  }

  /// What lies between a stretch and the next one.
  private enum Joint {
    case corner(Corner)
    /// Two ends and a side between them.
    case gap(Corner, Corner)
    /// The same line goes on.
    case straight
  }

  private static func joint(
    _ first: WallRun, _ second: WallRun, _ lines: [WallLine]
  ) -> Joint {
    if first.line == second.line {
      return first.end <= second.start
        ? .straight
        : .gap(
          .end(line: first.line, along: first.end), .end(line: second.line, along: second.start))
    }
    let (one, other) = (lines[first.line], lines[second.line])
    if RunMatching.corner(one, other) != nil { return .corner(.crossing(first.line, second.line)) }
    guard one.direction.dot(other.direction) > 0 else {
      return .gap(
        .end(line: first.line, along: first.end), .end(line: second.line, along: second.start))
    }
    // A step between two lines: in the middle of what was not seen.
    let middle = (one.point(at: first.end) + other.point(at: second.start)) / 2
    return .gap(
      .end(line: first.line, along: middle.dot(one.direction)),
      .end(line: second.line, along: middle.dot(other.direction)))
  }

  private static func outline(_ cycle: [WallRun], _ lines: [WallLine]) -> RoomOutline? {
    let joints = cycle.indices.map { joint(cycle[$0], cycle[($0 + 1) % cycle.count], lines) }
    // Begin behind a joint that is none of one line.
    guard
      let first = joints.firstIndex(where: { if case .straight = $0 { false } else { true } })
    else { return nil }
    var (corners, sides): ([Corner], [Side]) = ([], [])
    var seen: [(start: Double, end: Double)] = []
    for step in 1...cycle.count {
      let index = (first + step) % cycle.count
      seen.append((cycle[index].start, cycle[index].end))
      switch joints[index] {
      case .straight: continue
      case .corner(let corner):
        sides.append(Side(line: cycle[index].line, seen: seen))
        corners.append(corner)
      case .gap(let end, let start):
        sides.append(Side(line: cycle[index].line, seen: seen))
        sides.append(Side(line: nil, seen: []))
        corners += [end, start]
      }
      seen = []
    }
    guard corners.count >= 3, let last = corners.popLast() else { return nil }
    return RoomOutline(corners: [last] + corners, sides: sides)
  }
}
