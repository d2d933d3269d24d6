import PlumblineGeometry

extension HeadParts {
  /// Adds the back of the head behind a border: it goes on with the position and the slope of the face, and lies near
  /// people's outline farther away.
  mutating func addBack(of border: [UInt32]) {
    let line = border.map { positions[Int($0)] }
    guard let outline = HeadOutline.fitted(to: line) else { return }
    let back = BackOfHead.mesh(behind: line, directions: directions(beyond: border))
    let points = faired(back, of: border, outline)
    begin(.back)
    let disk = back.disk
    let places = back.rings.dropFirst().flatMap(\.places) + [0]
    let ringNumbers = back.rings.enumerated().dropFirst().flatMap { number, ring in
      ring.places.map { _ in number }
    }
    let added = points.indices.map { index -> UInt32 in
      let distance = line.reduce(Double.infinity) { min($0, ($1 - points[index]).norm) }
      // Sure at the border, and less with the distance from it.
      let far = Float(min(1, distance / Self.unknownMeters))
      // Near the border the back moves with it.
      let share = index < ringNumbers.count ? max(0, 1 - 0.25 * Float(ringNumbers[index])) : 0
      let near = border[Int(places[index].rounded()) % border.count]
      return add(
        points[index], sigma: CompletedHead.backSigmaMeters * (0.2 + 0.8 * far),
        following: share > 0 ? [near] : [], share: share)
    }
    func corner(_ index: UInt32) -> Corner {
      let number = Int(index)
      let angle = Float(2 * Double.pi * Double(number) / Double(border.count))
      let place =
        number < border.count
        ? SIMD2(cosine(angle), sine(angle)) : SIMD2<Float>(disk[number - border.count])
      return Corner(
        vertex: number < border.count ? border[number] : added[number - border.count],
        place: CompletedHead.backRectangle.position(0.5 + 0.5 * place))
    }
    for triangle in back.triangles {
      add(corner(triangle.first), corner(triangle.second), corner(triangle.third))
    }
  }

  /// How far from the border nothing is known but people's spread, meters.
  private static let unknownMeters = 0.06
  /// Between which distances from the border the outline begins to count, meters.
  private static let outlineMeters = 0.003...0.017
  /// Over which length the back bends from the border's slope to the outline, meters.
  private static let bendMeters = 0.018

  /// For each edge of a border the direction in the face's surface that leads away from the face, a little smoothed.
  private func directions(beyond border: [UInt32]) -> [SIMD3<Double>] {
    var edges: [SIMD2<UInt32>: Int] = [:]
    for index in border.indices {
      edges[SIMD2(border[(index + 1) % border.count], border[index])] = index
    }
    var directions = [SIMD3<Double>](repeating: [0, 0, -1], count: border.count)
    for triangle in triangles {
      for corner in 0..<3 {
        let (a, b, c) = (
          triangle[corner], triangle[(corner + 1) % 3], triangle[(corner + 2) % 3]
        )
        guard let index = edges[SIMD2(UInt32(a), UInt32(b))] else { continue }
        let edge = (positions[b] - positions[a]).unit
        let out = (positions[a] + positions[b]) / 2 - positions[c]
        directions[index] = (out - edge * (out * edge).sum()).unit
      }
    }
    return directions.indices.map { index in
      let (last, next) = (
        directions[(index + border.count - 1) % border.count],
        directions[(index + 1) % border.count]
      )
      return (last + 2 * directions[index] + next).unit
    }
  }

  /// The vertices of a back after fairing, with two rows of the face's vertices beside it.
  private func faired(
    _ back: BackOfHead, of border: [UInt32], _ outline: HeadOutline
  ) -> [SIMD3<Double>] {
    var known = Set(border)
    for _ in 0..<2 {
      let rows = known
      for triangle in triangles
      where (0..<3).contains(where: { rows.contains(UInt32(triangle[$0])) }) {
        known.formUnion([triangle.first, triangle.second, triangle.third])
      }
    }
    let beside = triangles.filter { triangle in
      (0..<3).allSatisfy { known.contains(UInt32(triangle[$0])) }
    }
    var numbers: [UInt32: UInt32] = [:]
    for (index, vertex) in border.enumerated() { numbers[vertex] = UInt32(index) }
    var all = border.map { positions[Int($0)] } + back.points
    for vertex in known.subtracting(border).sorted() {
      numbers[vertex] = UInt32(all.count)
      all.append(positions[Int(vertex)])
    }
    let joined =
      back.triangles
      + beside.map { triangle in
        TriangleIndices(
          numbers[triangle.first] ?? 0, numbers[triangle.second] ?? 0, numbers[triangle.third] ?? 0)
      }
    let free = border.count..<border.count + back.points.count
    let fairing = SurfaceFairing(
      triangles: joined, free: free,
      isSmooth: all.indices.map { index in
        index < border.count ? !outline.isCut(all[index]) : free.contains(index)
      }, reach: Self.bendMeters)
    let line = all.prefix(border.count)
    for vertex in free.dropFirst(back.besideCount) { all[vertex] = outline.near(all[vertex]) }
    for _ in 0..<Self.rounds {
      let targets = free.map { outline.near(all[$0]) }
      let range = Self.outlineMeters
      let pulls = free.map { vertex -> Double in
        let distance = line.reduce(Double.infinity) { min($0, ($1 - all[vertex]).norm) }
        let share = (distance - range.lowerBound) / (range.upperBound - range.lowerBound)
        return min(1, max(0, share)) * min(1, max(0, share))
      }
      all = fairing.faired(all, toward: targets, pulls: pulls)
    }
    return Array(all[free])
  }

  /// How often the back is faired: the nearest points of the outline and the cotangents change with it.
  private static let rounds = 3
}
