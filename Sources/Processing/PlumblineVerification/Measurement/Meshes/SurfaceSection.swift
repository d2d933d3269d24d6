/// Where a plane cuts a surface: lines of points on the edges of triangles.
package struct SurfaceSection: Sendable {
  /// A plane by a point and its unit normal.
  package struct Plane: Hashable, Sendable {
    /// A point of it, in meters.
    package let point: SIMD3<Double>
    /// The unit normal.
    package let normal: SIMD3<Double>

    /// Creates a plane; the normal is brought to length 1.
    ///
    /// - Precondition: The normal is not zero.
    package init(point: SIMD3<Double>, normal: SIMD3<Double>) {
      let size = (normal * normal).sum().squareRoot()
      precondition(size > 0 && size.isFinite, "a normal of length \(size)")
      self.point = point
      self.normal = normal / size
    }
  }

  /// A point on the edge between two vertices.
  struct Point: Sendable {
    let first: Int32
    let second: Int32
    /// The part of the way from the first to the second.
    let share: Double
    let position: SIMD3<Double>
  }

  /// One line, and whether its end is its start.
  struct Line: Sendable {
    var points: [Point]
    /// The triangle of the piece behind each point.
    var triangles: [Int]
    var isClosed: Bool
  }

  /// The plane.
  package let plane: Plane
  let lines: [Line]
  let surface: MeasurableMesh

  private init(plane: Plane, lines: [Line], surface: MeasurableMesh) {
    self.plane = plane
    self.lines = lines
    self.surface = surface
  }

  /// The lines as positions in meters; of a closed one the first is not repeated.
  package var positions: [(points: [SIMD3<Double>], isClosed: Bool)] {
    lines.map { ($0.points.map(\.position), $0.isClosed) }
  }

  /// Whether there is a line and all are closed.
  package var isClosed: Bool { !lines.isEmpty && lines.allSatisfy(\.isClosed) }

  /// Cuts a surface.
  ///
  /// A vertex on the plane counts as above it, so that each triangle has two cut edges or none. Outside of
  /// the surface is to the right of each line, seen from the side of the plane's normal.
  ///
  /// - Parameters:
  ///   - surface: The surface.
  ///   - plane: The plane.
  /// - Returns: The lines, in the order of their first triangles, open ones first. Cost: O(*n* + *k* log
  ///   *k*) for *k* cut triangles.
  package static func cut(_ surface: MeasurableMesh, by plane: Plane) -> SurfaceSection {
    let heights = surface.positions.map { ($0 - plane.point).dot(plane.normal) }
    var pieces: [Piece] = []
    for (index, corners) in surface.triangles.enumerated() {
      let above = (0..<3).map { heights[Int(corners[$0])] >= 0 }
      guard above[0] != above[1] || above[1] != above[2] else { continue }
      var (up, down): (Point?, Point?) = (nil, nil)
      for corner in 0..<3 where above[corner] != above[(corner + 1) % 3] {
        let (a, b) = (corners[corner], corners[(corner + 1) % 3])
        // From below to above the counter-clockwise border leaves the cut on its end.
        if above[corner] {
          down = point(b, a, heights, surface)
        } else {
          up = point(a, b, heights, surface)
        }
      }
      if let up, let down { pieces.append(Piece(start: down, end: up, triangle: index)) }
    }
    return SurfaceSection(plane: plane, lines: joined(pieces), surface: surface)
  }

  private struct Piece {
    let start: Point
    let end: Point
    let triangle: Int
  }

  /// The point of an edge from a vertex below to one above, the same for both of its triangles.
  private static func point(
    _ below: Int32, _ above: Int32, _ heights: [Double], _ surface: MeasurableMesh
  ) -> Point {
    let (low, high) = (heights[Int(below)], heights[Int(above)])
    let share = low / (low - high)
    let start = surface.positions[Int(below)]
    return Point(
      first: below, second: above, share: share,
      position: start + (surface.positions[Int(above)] - start) * share)
  }

  /// Joins pieces end to start.
  private static func joined(_ pieces: [Piece]) -> [Line] {
    func key(_ point: Point) -> UInt64 { UInt64(point.first) << 32 | UInt64(point.second) }
    var next: [UInt64: [Int]] = [:]
    var ends: [UInt64: Int] = [:]
    for (index, piece) in pieces.enumerated().reversed() {
      next[key(piece.start), default: []].append(index)
      ends[key(piece.end), default: 0] += 1
    }
    var used = [Bool](repeating: false, count: pieces.count)
    var lines: [Line] = []
    func follow(_ first: Int) {
      var line = Line(points: [pieces[first].start], triangles: [], isClosed: false)
      var piece: Int? = first
      while let index = piece {
        used[index] = true
        line.triangles.append(pieces[index].triangle)
        let end = key(pieces[index].end)
        if end == key(pieces[first].start) {
          line.isClosed = true
          break
        }
        line.points.append(pieces[index].end)
        piece = nil
        while let candidate = next[end]?.popLast() {
          if !used[candidate] {
            piece = candidate
            break
          }
        }
      }
      lines.append(line)
    }
    for (index, piece) in pieces.enumerated()
    where !used[index] && ends[key(piece.start)] == nil { follow(index) }
    for index in pieces.indices where !used[index] { follow(index) }
    return lines
  }
}
