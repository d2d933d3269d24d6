/// Why a surface has no floor plan.
package enum FloorPlanError: Error, Sendable, Hashable {
  /// No level face.
  case noFloor
  /// No wall reaches the height of the section, in meters above the floor.
  case noWalls(sectionMeters: Double)
  /// Walls were found, this many stretches, but they close to no outline.
  case notClosed(stretches: Int)
  /// More stretches of wall than can be joined.
  case tooMany(stretches: Int)
}

extension FloorPlan {
  /// How far below and above the section walls are taken from, in meters.
  private static let halfBand = 0.5
  /// The least distance of a ceiling from the floor, in meters.
  private static let leastCeiling = 1.8
  /// The most stretches of wall, whose joining costs their cube.
  private static let mostRuns = 400
  /// The least area of a room, in square meters: less is a column.
  private static let leastRoom = 0.3

  /// Draws the plan of a surface.
  ///
  /// The floor is the lowest level face, the ceiling the highest one above 1.8 m. Upright triangles within
  /// half a meter of the section's height, off floor and ceiling, form lines; what stands there counts as a
  /// wall. Their stretches are joined to outlines so that least is invented.
  ///
  /// - Parameters:
  ///   - surface: The surface; its triangles face the rooms, or all face away from them.
  ///   - up: The direction up, not zero.
  ///   - sectionMeters: The height of the section above the floor.
  /// - Returns: The plan.
  /// - Throws: ``FloorPlanError``. Cost: O(*n*) for each wall, O(*w*³) for *w* stretches of wall.
  package static func draw(
    _ surface: MeasurableMesh, up: SIMD3<Double>, sectionMeters: Double = 1.2
  ) throws(FloorPlanError) -> FloorPlan {
    let frame = PlanFrame(up: up)
    let levels = SurfaceLevels.find(surface, up: frame.up, step: 0.01).levels
    guard let ground = levels.first,
      let floor = SurfaceFace.fit(surface, ground.triangles, along: frame.up)
    else { throw .noFloor }
    let ceiling = levels.last.flatMap { level in
      level.height - ground.height > leastCeiling
        ? SurfaceFace.fit(surface, level.triangles, along: frame.up) : nil
    }
    let top = ceiling.map { $0.offset - floor.offset - 0.05 } ?? .infinity
    let low = max(0.05, min(sectionMeters, top) - halfBand)
    let high = min(top, sectionMeters + halfBand)
    guard high > low else { throw .noWalls(sectionMeters: sectionMeters) }
    let band = (floor.offset + low)...(floor.offset + high)
    let side = ground.facing < 0 ? -1.0 : 1
    let lines = WallFinder.lines(upright(surface, frame, band, side: side))
    let runs = lines.enumerated().flatMap { index, line in
      WallRun.runs(of: line, at: index, band: high - low)
    }
    guard !runs.isEmpty else { throw .noWalls(sectionMeters: sectionMeters) }
    guard runs.count <= mostRuns else { throw .tooMany(stretches: runs.count) }
    var plan = FloorPlan(
      frame: frame, floorMeters: floor.offset, sectionMeters: sectionMeters,
      ceilingHeight: nil, levelScatterMeters: max(floor.scatter, ceiling?.scatter ?? 0),
      rooms: uncrossedRooms(runs, lines, surface, frame), section: [])
    guard !plan.rooms.isEmpty else { throw .notClosed(stretches: runs.count) }
    if let ceiling {
      var sum = ceiling.sum
      sum.add(floor.sum, times: -1)
      plan.ceilingHeight = sum.value(ceiling.offset - floor.offset, .meters, power: 1)
    }
    plan.turnToLongestSide()
    plan.cut(surface)
    return plan
  }

  /// The triangles in a band of heights that stand upright within 20°, seen from above.
  private static func upright(
    _ surface: MeasurableMesh, _ frame: PlanFrame, _ band: ClosedRange<Double>, side: Double
  ) -> [WallLine.Element] {
    surface.triangles.indices.compactMap { index in
      let doubled = surface.doubledArea(index) * side
      let size = doubled.norm
      let (a, b, c) = surface.corners(index)
      let height = (a + b + c).dot(frame.up) / 3
      guard size > 0, abs(doubled.dot(frame.up)) < 0.35 * size, band.contains(height) else {
        return nil
      }
      let flat = frame.place(of: doubled)
      let places = [a, b, c].map { frame.place(of: $0) }
      return WallLine.Element(
        triangle: index, center: (places[0] + places[1] + places[2]) / 3, normal: flat / flat.norm,
        area: size / 2, low: pointwiseMin(pointwiseMin(places[0], places[1]), places[2]),
        high: pointwiseMax(pointwiseMax(places[0], places[1]), places[2]))
    }
  }

  /// The longest stretch that is left out so that an outline does not cross itself, in meters: the front of
  /// a cupboard, and less than most walls.
  private static let mostFurniture = 1.0
  /// No more stretches are left out than these.
  private static let mostLeftOut = 60

  /// An outline of which more was not seen is no room's: pieces of furniture can be joined to one as well.
  private static let mostInvented = 0.6

  /// The rooms, the shortest stretches left out as long as an outline crosses itself.
  ///
  /// Furniture that stands at the height of the section and was seen from one side alone is a stretch that no
  /// outline can follow. Where leaving it out helps nothing, the outline stays as it was and says that it crosses
  /// itself.
  private static func uncrossedRooms(
    _ runs: [WallRun], _ lines: [WallLine], _ surface: MeasurableMesh, _ frame: PlanFrame
  ) -> [Room] {
    let all = rooms(runs, lines, surface, frame)
    var (left, found) = (runs, all)
    var count = 0
    while found.contains(where: \.crossesItself), count < mostLeftOut {
      let lengths = left.map { $0.end - $0.start }
      guard let shortest = left.indices.min(by: { (lengths[$0], $0) < (lengths[$1], $1) }),
        lengths[shortest] < mostFurniture
      else { return all }
      left.remove(at: shortest)
      found = rooms(left, lines, surface, frame)
      count += 1
    }
    // What still crosses itself is shown and says so.
    guard !found.contains(where: \.crossesItself) else { return all }
    return found.filter { $0.inventedShare <= mostInvented }
  }

  private static func rooms(
    _ runs: [WallRun], _ lines: [WallLine], _ surface: MeasurableMesh, _ frame: PlanFrame
  ) -> [Room] {
    let sums = lines.map { $0.sums(surface, frame) }
    return RoomOutline.find(runs, lines)
      .map { OutlineGeometry(outline: $0, lines: lines, sums: sums, surface: surface) }
      .filter { $0.signedArea >= leastRoom }
      .map(room)
      .enumerated()
      .sorted { (-$0.element.area.value, $0.offset) < (-$1.element.area.value, $1.offset) }
      .map(\.element)
  }

  private static func room(_ geometry: OutlineGeometry) -> Room {
    let count = geometry.places.count
    let sides = geometry.outline.sides.enumerated().map { index, side in
      let (start, end) = (geometry.places[index], geometry.places[(index + 1) % count])
      let isMeasured = [index, (index + 1) % count].allSatisfy { corner in
        if case .crossing = geometry.outline.corners[corner] { true } else { false }
      }
      var seen: [ClosedRange<Double>] = []
      if let line = side.line.map({ geometry.lines[$0] }) {
        let (from, to) = (start.dot(line.direction), end.dot(line.direction))
        for stretch in side.seen where to > from {
          let left = max(0, min(1, (stretch.start - from) / (to - from)))
          let right = max(left, min(1, (stretch.end - from) / (to - from)))
          if right > left { seen.append(left...right) }
        }
      }
      return Side(
        start: start, end: end, length: geometry.length(index), seen: seen,
        isMeasured: isMeasured && side.line != nil,
        scatterMeters: side.line.map { geometry.lines[$0].scatter })
    }
    let perimeter = geometry.perimeter
    let invented = sides.reduce(0) { $0 + $1.inventedShare * $1.length.value }
    return Room(
      sides: sides, area: geometry.area, perimeter: perimeter,
      inventedShare: perimeter.value > 0 ? invented / perimeter.value : 1,
      crossesItself: geometry.crossesItself)
  }

  /// Turns the plan so that the longest side of the largest room goes along its first axis.
  private mutating func turnToLongestSide() {
    let sides = rooms.first?.sides ?? []
    guard let longest = sides.max(by: { $0.length.value < $1.length.value }) else { return }
    let line = longest.end - longest.start
    guard line.norm > 0 else { return }
    let direction = line / line.norm
    frame = frame.turned(to: direction)
    func turned(_ place: SIMD2<Double>) -> SIMD2<Double> {
      [place.dot(direction), place.dot(direction.turnedLeft)]
    }
    for room in rooms.indices {
      for side in rooms[room].sides.indices {
        rooms[room].sides[side].start = turned(rooms[room].sides[side].start)
        rooms[room].sides[side].end = turned(rooms[room].sides[side].end)
      }
    }
  }

  private mutating func cut(_ surface: MeasurableMesh) {
    let plane = SurfaceSection.Plane(
      point: frame.up * (floorMeters + sectionMeters), normal: frame.up)
    let frame = frame
    section = SurfaceSection.cut(surface, by: plane).positions.map { line in
      (line.points.map { frame.place(of: $0) }, line.isClosed)
    }
  }
}
