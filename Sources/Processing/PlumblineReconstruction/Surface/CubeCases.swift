/// The triangles of a cube for each choice of its corners that lie inside.
///
/// Corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2. Edges 0 to 3 run along x, 4 to 7 along y, 8 to 11
/// along z; within an axis they are numbered by the other two coordinates. The table follows from one rule, so
/// that neighbors agree on every face: going round a face counter-clockwise, seen from outside of the cube, each
/// crossing into the surface is joined with the next crossing out of it. Of the two ways to cut a face with
/// two diagonal corners inside, this one always separates them; Lewiner et al. (2003) decide by the values
/// instead, which needs a face's four values on both sides.
struct CubeCases: Sendable {
  /// For each of 256 cases three edges for each triangle, counter-clockwise seen from outside.
  let triangles: [[UInt8]]
  /// The corner at the lower end of each edge.
  static let edgeCorners: [Int] = (0..<12).map { edge in
    let (axis, other) = (edge >> 2, edge & 3)
    switch axis {
    case 0: return (other & 1) << 1 | (other >> 1) << 2
    case 1: return (other & 1) | (other >> 1) << 2
    default: return (other & 1) | (other >> 1) << 1
    }
  }

  /// Builds the table; about 20 µs.
  static func build() -> CubeCases {
    CubeCases(triangles: (0..<256).map(triangles(of:)))
  }

  /// The corners of the six faces, counter-clockwise seen from outside.
  private static let faces = [
    [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6],
  ]

  private static func edge(_ a: Int, _ b: Int) -> Int {
    let low = min(a, b)
    let axis = (a ^ b).trailingZeroBitCount
    return (0..<4).first { edgeCorners[axis * 4 + $0] == low }.map { axis * 4 + $0 } ?? 0
  }

  /// Joins the crossings of all faces to loops, and cuts each loop into a fan.
  private static func triangles(of inside: Int) -> [UInt8] {
    var next = [Int?](repeating: nil, count: 12)
    for face in faces {
      let isInside = face.map { inside >> $0 & 1 == 1 }
      for i in 0..<4 where !isInside[i] && isInside[(i + 1) & 3] {
        var j = (i + 1) & 3
        while isInside[(j + 1) & 3] { j = (j + 1) & 3 }
        // Into the surface along i, out of it along j.
        next[edge(face[j], face[(j + 1) & 3])] = edge(face[i], face[(i + 1) & 3])
      }
    }
    var result: [UInt8] = []
    // The loops run clockwise seen from outside, the triangles against them.
    for start in 0..<12 {
      var loop: [UInt8] = []
      var here = start
      while let following = next[here] {
        loop.append(UInt8(here))
        next[here] = nil
        here = following
      }
      for corner in loop.indices.dropFirst(2) {
        result += [loop[0], loop[corner], loop[corner - 1]]
      }
    }
    return result
  }
}
