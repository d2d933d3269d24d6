import PlumblineModel

/// Where a plane cuts a surface.
package struct MeshSection: Sendable {
  /// A line of points in the plane.
  package struct Line: Sendable, Hashable {
    /// The points, in meters; of a closed line each once.
    package var points: [SIMD3<Double>]
    /// Whether the last point joins the first.
    package var isClosed: Bool
  }

  /// The lines, by their lowest triangle.
  ///
  /// With the normal pointing to the eye, the inside of a surface is on the left, so that a solid's outline
  /// is counter-clockwise and that of a cavity clockwise.
  package let lines: [Line]
  /// The unit normal of the plane.
  package let normal: SIMD3<Double>

  /// The length of all lines, in meters.
  package var perimeterMeters: Double {
    lines.reduce(0) { sum, line in
      let pairs = zip(line.points, line.points.dropFirst())
      let closing = line.isClosed ? (line.points[0] - line.points[line.points.count - 1]).length : 0
      return sum + pairs.reduce(closing) { $0 + ($1.1 - $1.0).length }
    }
  }

  /// The area that the closed lines enclose, cavities subtracted, in square meters; 0 without a closed one.
  package var areaSquareMeters: Double {
    lines.reduce(0) { sum, line in
      guard line.isClosed else { return sum }
      let origin = line.points[0]
      let vector = zip(line.points, line.points.dropFirst()).reduce(SIMD3<Double>.zero) {
        $0 + cross($1.0 - origin, $1.1 - origin)
      }
      return sum + (vector * normal).sum() / 2
    }
  }

  /// Cuts a mesh.
  ///
  /// A vertex in the plane counts as in front of it, so that every cut triangle is cut at two sides.
  ///
  /// - Parameters:
  ///   - mesh: Any mesh; where three triangles share an edge lines end there.
  ///   - point: A point of the plane, in meters.
  ///   - direction: The normal of the plane; not zero.
  /// - Returns: The lines. Cost: O(*n*).
  package static func cut(
    _ mesh: TriangleMesh, through point: SIMD3<Double>, normal direction: SIMD3<Double>
  ) -> MeshSection {
    precondition(direction.length > 0, "a plane without a normal")
    let normal = direction / direction.length
    let heights = mesh.positions.map { (($0.vector - point) * normal).sum() }
    var pieces: [Piece] = []
    // The piece that starts on each cut edge: edges run the other way in the neighbor.
    var starts: [SIMD2<UInt32>: Int] = [:]
    var ends: Set<SIMD2<UInt32>> = []
    for triangle in mesh.triangles {
      guard let piece = Piece(triangle, heights) else { continue }
      if starts[piece.start] == nil { starts[piece.start] = pieces.count }
      ends.insert(piece.end)
      pieces.append(piece)
    }
    func place(_ edge: SIMD2<UInt32>) -> SIMD3<Double> {
      let (a, b) = (Int(edge.x), Int(edge.y))
      let share = heights[a] / (heights[a] - heights[b])
      let start = mesh.positions[a].vector
      return start + share * (mesh.positions[b].vector - start)
    }
    var isDone = [Bool](repeating: false, count: pieces.count)
    var lines: [Line] = []
    func follow(_ first: Int) {
      var points = [place(pieces[first].start)]
      var piece = first
      while true {
        isDone[piece] = true
        guard let next = starts[pieces[piece].end], !isDone[next] || next == first else { break }
        if next == first { return lines.append(Line(points: points, isClosed: true)) }
        points.append(place(pieces[next].start))
        piece = next
      }
      lines.append(Line(points: points + [place(pieces[piece].end)], isClosed: false))
    }
    // Open lines from their starts first; what is left is closed.
    for piece in pieces.indices where !isDone[piece] && !ends.contains(pieces[piece].start) {
      follow(piece)
    }
    for piece in pieces.indices where !isDone[piece] { follow(piece) }
    return MeshSection(lines: lines, normal: normal)
  }

  /// What the plane cuts from a triangle, between two of its edges; each named by its lower vertex first.
  private struct Piece {
    var start: SIMD2<UInt32>
    var end: SIMD2<UInt32>

    init?(_ triangle: TriangleIndices, _ heights: [Double]) {
      let corners = [triangle.first, triangle.second, triangle.third]
      let isFront = corners.map { heights[Int($0)] >= 0 }
      guard
        let lone = isFront.indices.first(where: { index in
          isFront[index] != isFront[(index + 1) % 3] && isFront[index] != isFront[(index + 2) % 3]
        })
      else { return nil }
      func edge(_ other: Int) -> SIMD2<UInt32> {
        let (a, b) = (corners[lone], corners[(lone + other) % 3])
        return SIMD2(min(a, b), max(a, b))
      }
      // Seen from outside with the normal up, a counter-clockwise triangle whose tip is in front has its
      // second corner on the left: the line runs to the right, which puts the inside on its left from above.
      (start, end) = isFront[lone] ? (edge(1), edge(2)) : (edge(2), edge(1))
    }
  }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}
