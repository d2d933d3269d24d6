import PlumblineGeometry

/// The mesh of the back of a head: rings of vertices from the border of the face to one in the middle.
///
/// The first rings lie beyond the border in the direction of the face's surface, and have as many vertices as they are
/// long: where the face stands out into the back, a ring is longer than the border.
struct BackOfHead {
  /// A ring: where its vertices lie along the border, in numbers of border vertices, and its radius on a disk.
  struct Ring {
    var places: [Double]
    var radius: Double
  }

  /// The rings, that of the border first.
  private(set) var rings: [Ring]
  /// The vertices behind those of the border, ring by ring, the middle last.
  private(set) var points: [SIMD3<Double>] = []
  /// The triangles; the vertices of the border have the first numbers.
  private(set) var triangles: [TriangleIndices] = []
  /// How many of ``points`` belong to the rings beside the border.
  private(set) var besideCount = 0
  private let border: [SIMD3<Double>]

  /// How far apart the rings beside the border lie, as a share of the border's mean edge.
  private static let ringShare = 0.8
  /// How far apart the vertices of the first and of the second ring lie, as a share of the border's mean edge.
  private static let spacings = [1.0, 1.2]
  /// How far apart vertices of the other rings lie on the disk.
  private static let spacing = 0.048
  /// The angle of the last ring beside the border on a half ball, and that from ring to ring, radians.
  private static let (firstAngle, angleStep) = (0.474, 0.06)

  /// The border alone.
  private init(border: [SIMD3<Double>]) {
    self.border = border
    rings = [Ring(places: border.indices.map(Double.init), radius: 1)]
  }

  /// Adds the rings beside the border.
  private mutating func addRingsBeside(directions: [SIMD3<Double>]) {
    let count = border.count
    let edge =
      border.indices.reduce(0) { $0 + (border[($1 + 1) % count] - border[$1]).norm }
      / Double(count)
    for (index, spacing) in Self.spacings.enumerated() {
      let line = OffsetLine.line(
        beside: border, directions, distance: Double(index + 1) * Self.ringShare * edge)
      // The number of vertices is that of every shape of the model, so that all have the same triangles.
      let ring = line.divided(into: max(8, Int((Double(count) / spacing).rounded())))
      rings.append(Ring(places: ring.places, radius: index == 0 ? 0.95 : 0.89))
      points += ring.points
    }
    besideCount = points.count
  }

  /// Makes the mesh; the vertices of the inner rings lie between the border's sides, and a head's depth behind it.
  ///
  /// - Parameters:
  ///   - border: The border, in the direction of triangles that close it, meters.
  ///   - directions: For each edge of the border the direction in which the face would go on.
  /// - Returns: The mesh; O(*n*), some 5 ms.
  static func mesh(behind border: [SIMD3<Double>], directions: [SIMD3<Double>]) -> BackOfHead {
    var back = BackOfHead(border: border)
    back.addRingsBeside(directions: directions)
    back.addInnerRings()
    back.sewRings()
    back.spread()
    return back
  }

  /// How many vertices the border has.
  var borderCount: Int { border.count }

  /// For each of ``points`` where it lies on the disk.
  var disk: [SIMD2<Double>] {
    let around = rings.dropFirst().flatMap { ring in
      ring.places.map { place in
        let angle = Float(2 * Double.pi * place / Double(borderCount))
        return SIMD2(Double(cosine(angle)), Double(sine(angle))) * ring.radius
      }
    }
    return around + [.zero]
  }

  private mutating func addInnerRings() {
    let outer = rings[rings.count - 1].places
    var (angle, count) = (Self.firstAngle, outer.count)
    while count > 12 {
      // Rings lie at equal angles on a half ball, so that they are equally far apart behind the head as well.
      angle += Self.angleStep
      let radius = Double(cosine(Float(angle)))
      guard radius > 0.06 else { break }
      count = max(8, min(count, Int((2 * .pi * radius / Self.spacing).rounded())))
      let places = (0..<count).map { index -> Double in
        let at = Double(index) / Double(count) * Double(outer.count)
        let low = Int(at)
        let next = low + 1 < outer.count ? outer[low + 1] : outer[0] + Double(borderCount)
        return outer[low] + (next - outer[low]) * (at - Double(low))
      }
      rings.append(Ring(places: places, radius: radius))
    }
  }

  /// Sews each ring to the next one by the places of their vertices, and the last one to the middle.
  private mutating func sewRings() {
    var start = 0
    for (outer, inner) in zip(rings, rings.dropFirst()) {
      let (m, n) = (outer.places.count, inner.places.count)
      let next = start + m
      func place(_ ring: Ring, _ index: Int) -> Double {
        index < ring.places.count ? ring.places[index] : ring.places[0] + Double(borderCount)
      }
      var (i, j) = (0, 0)
      while i < m || j < n {
        let (a, b) = (UInt32(start + i % m), UInt32(next + j % n))
        if j == n || (i < m && place(outer, i + 1) <= place(inner, j + 1)) {
          i += 1
          triangles.append(TriangleIndices(a, UInt32(start + i % m), b))
        } else {
          j += 1
          triangles.append(TriangleIndices(a, UInt32(next + j % n), b))
        }
      }
      start = next
    }
    let last = rings[rings.count - 1].places.count
    for index in 0..<last {
      triangles.append(
        TriangleIndices(
          UInt32(start + index), UInt32(start + (index + 1) % last), UInt32(start + last)))
    }
  }

  /// Gives the inner rings their first positions: a membrane, pushed back.
  private mutating func spread() {
    let middle = border.reduce(.zero, +) / Double(borderCount)
    for ring in rings.dropFirst(1 + Self.spacings.count) {
      for place in ring.places {
        let (low, share) = (Int(place), place - place.rounded(.down))
        let (a, b) = (border[low % borderCount], border[(low + 1) % borderCount])
        points.append(middle + (a + (b - a) * share - middle) * ring.radius)
      }
    }
    points.append(middle)
    var neighbors = [[Int]](repeating: [], count: borderCount + points.count)
    for triangle in triangles {
      for corner in 0..<3 { neighbors[triangle[corner]].append(triangle[(corner + 1) % 3]) }
    }
    for _ in 0..<Self.sweeps {
      for index in besideCount..<points.count {
        let near = neighbors[borderCount + index]
        let sum = near.reduce(SIMD3<Double>.zero) {
          $0 + ($1 < borderCount ? border[$1] : points[$1 - borderCount])
        }
        points[index] = sum / Double(near.count)
      }
    }
    for (index, place) in disk.enumerated() where index >= besideCount {
      points[index].z -= Self.depthMeters * (1 - (place * place).sum()).squareRoot()
    }
  }

  /// How often the membrane is averaged, and how far its middle is pushed back, meters.
  private static let (sweeps, depthMeters) = (150, 0.12)
}

/// A line beside a closed one at a distance, which turns around corners.
private struct OffsetLine {
  private let points: [SIMD3<Double>]
  private let places: [Double]
  private let count: Int

  /// The line at a distance from a border, meters; each edge moves in its direction, then corners are rounded.
  static func line(
    beside border: [SIMD3<Double>], _ directions: [SIMD3<Double>], distance: Double
  ) -> OffsetLine {
    var points = border.indices.flatMap { index in
      [border[index], border[(index + 1) % border.count]].map {
        $0 + directions[index] * distance
      }
    }
    let places = border.indices.flatMap { [Double($0) + 0.25, Double($0) + 0.75] }
    for _ in 0..<3 {
      let last = points
      points = last.indices.map { index in
        let (before, after) = (
          last[(index + last.count - 1) % last.count], last[(index + 1) % last.count]
        )
        return (before + 2 * last[index] + after) / 4
      }
    }
    return OffsetLine(points: points, places: places, count: border.count)
  }

  /// A number of points of the line at equal distances, and where they lie along the border.
  func divided(into parts: Int) -> (points: [SIMD3<Double>], places: [Double]) {
    var lengths = [0.0]
    for index in points.indices {
      lengths.append(
        lengths[index] + (points[(index + 1) % points.count] - points[index]).norm)
    }
    let whole = lengths[points.count]
    var result: (points: [SIMD3<Double>], places: [Double]) = ([], [])
    var index = 0
    for part in 0..<parts {
      let at = whole * Double(part) / Double(parts)
      while index < points.count - 1, lengths[index + 1] <= at { index += 1 }
      let own = lengths[index + 1] - lengths[index]
      let share = own > 0 ? (at - lengths[index]) / own : 0
      let isLast = index == points.count - 1
      let (nextPoint, nextPlace) = (
        points[isLast ? 0 : index + 1], isLast ? places[0] + Double(count) : places[index + 1]
      )
      result.points.append(points[index] + (nextPoint - points[index]) * share)
      result.places.append(places[index] + (nextPlace - places[index]) * share)
    }
    return result
  }
}
