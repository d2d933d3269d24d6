/// The corners of an outline in the plan, and how they move with the lines of the walls.
struct OutlineGeometry {
  let outline: RoomOutline
  let lines: [WallLine]
  /// Shift and turn of each line.
  let sums: [(shift: SurfaceSum, turn: SurfaceSum)]
  let surface: MeasurableMesh
  /// The corners in the plan, in meters.
  let places: [SIMD2<Double>]

  init(
    outline: RoomOutline, lines: [WallLine], sums: [(shift: SurfaceSum, turn: SurfaceSum)],
    surface: MeasurableMesh
  ) {
    self.outline = outline
    self.lines = lines
    self.sums = sums
    self.surface = surface
    places = outline.corners.map { corner in
      switch corner {
      case .crossing(let a, let b): RunMatching.corner(lines[a], lines[b]) ?? .zero
      case .end(let line, let along): lines[line].point(at: along)
      }
    }
  }

  /// The signed area, above 0 with the room inside, in square meters.
  var signedArea: Double {
    places.indices.reduce(0) { $0 + (places[$1] - places[0]).cross(next($1) - places[0]) / 2 }
  }

  private func next(_ index: Int) -> SIMD2<Double> { places[(index + 1) % places.count] }
  private func before(_ index: Int) -> SIMD2<Double> {
    places[(index + places.count - 1) % places.count]
  }

  /// The length of a side.
  func length(_ side: Int) -> MeasuredValue {
    let line = next(side) - places[side]
    let length = line.norm
    guard length > 0 else { return sum([]).value(0, .meters, power: 1) }
    let unit = line / length
    return sum([(side, -unit), ((side + 1) % places.count, unit)])
      .value(length, .meters, power: 1)
  }

  /// The area inside: a corner that moves by δ changes it by half the turned line between its neighbors times
  /// δ.
  var area: MeasuredValue {
    sum(
      places.indices.map { index in
        let line = next(index) - before(index)
        return (index, SIMD2(line.y, -line.x) / 2)
      }
    ).value(signedArea, .squareMeters, power: 2)
  }

  /// The length of all sides.
  var perimeter: MeasuredValue {
    let whole = places.indices.reduce(0) { $0 + (next($1) - places[$1]).norm }
    return sum(
      places.indices.map { index in
        let (back, ahead) = (places[index] - before(index), next(index) - places[index])
        let units = [back, ahead].map { $0.norm > 0 ? $0 / $0.norm : .zero }
        return (index, units[0] - units[1])
      }
    ).value(whole, .meters, power: 1)
  }

  /// The angle inside a corner, in radians.
  func angle(_ corner: Int) -> Double {
    let (back, ahead) = (before(corner) - places[corner], next(corner) - places[corner])
    let angle = arctangent(ahead.cross(back), ahead.dot(back))
    return angle < 0 ? angle + 2 * .pi : angle
  }

  /// Whether two sides that are no neighbors cross.
  var crossesItself: Bool {
    let count = places.count
    for a in 0..<count {
      for b in stride(from: a + 2, to: count, by: 1) where !(a == 0 && b == count - 1) {
        let (p, q, r, s) = (places[a], next(a), places[b], next(b))
        let (one, two) = ((q - p).cross(r - p), (q - p).cross(s - p))
        let (three, four) = ((s - r).cross(p - r), (s - r).cross(q - r))
        if one * two < 0, three * four < 0 { return true }
      }
    }
    return false
  }

  /// What a number depends on that changes by gradient·δ with each corner's movement δ.
  ///
  /// All that one line does is added before it is squared. An end that was not seen stays where it is along
  /// its line.
  private func sum(_ gradients: [(corner: Int, gradient: SIMD2<Double>)]) -> SurfaceSum {
    var (shifts, turns): ([Int: Double], [Int: Double]) = ([:], [:])
    func move(_ line: Int, _ place: SIMD2<Double>, _ weight: Double) {
      shifts[line, default: 0] += weight
      turns[line, default: 0] += weight * (place.dot(lines[line].direction) - lines[line].middle)
    }
    for (corner, gradient) in gradients {
      let place = places[corner]
      switch outline.corners[corner] {
      case .end(let line, _): move(line, place, gradient.dot(lines[line].normal))
      case .crossing(let a, let b):
        // n_a·δ = δ_a and n_b·δ = δ_b.
        let (one, other) = (lines[a].normal, lines[b].normal)
        let sine = one.cross(other)
        move(a, place, gradient.dot([other.y, -other.x]) / sine)
        move(b, place, gradient.dot([-one.y, one.x]) / sine)
      }
    }
    var sum = SurfaceSum(surface)
    for line in shifts.keys.sorted() {
      sum.add(sums[line].shift, times: shifts[line] ?? 0)
      sum.add(sums[line].turn, times: turns[line] ?? 0)
    }
    return sum
  }
}
