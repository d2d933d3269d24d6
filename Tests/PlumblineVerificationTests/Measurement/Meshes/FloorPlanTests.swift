import PlumblineTestSupport
import PlumblineVerification
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Rooms with known walls.
@Suite struct FloorPlanTests {
  private let corners: [SIMD2<Double>] = [[0, 0], [5, 0], [5, 2], [3, 2], [3, 4], [0, 4]]

  private func lengths(_ room: FloorPlan.Room) -> [Double] { room.sides.map(\.length.value) }

  private func isNear(_ a: [Double], _ b: [Double], _ tolerance: Double) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < tolerance }
  }

  @Test func anLShapedRoomHasItsSixWallsInOrder() throws {
    let trial = TrialSurface.room(corners, height: 2.4, spacing: 0.1)
    let plan = try FloorPlan.draw(trial.exact, up: [0, 0, 1])
    let room = try #require(plan.rooms.first)
    #expect(plan.rooms.count == 1 && room.sides.count == 6)
    let start = try #require(lengths(room).firstIndex { abs($0 - 5) < 1e-6 })
    let order = (0..<6).map { lengths(room)[(start + $0) % 6] }
    #expect(isNear(order, [5, 2, 2, 2, 3, 4], 1e-6), "\(order)")
    #expect(abs(room.area.value - 16) < 1e-6 && !room.crossesItself)
    #expect(room.inventedShare < 0.02, "\(room.inventedShare)")
    #expect(abs(try #require(plan.ceilingHeight).value - 2.4) < 1e-9)
    #expect(abs(plan.floorMeters) < 1e-9)
    #expect(room.sides.allSatisfy { $0.isMeasured })
    #expect(!plan.section.isEmpty)
    // The longest wall goes along the first axis.
    let longest = room.sides[start]
    #expect(abs(longest.end.y - longest.start.y) < 1e-6)
  }

  @Test(arguments: [0.0, 0.4, 2.1]) func turnedRoomsAndInsideOutOnesAreTheSame(angle: Double) throws
  {
    let (c, s) = (cos(angle), sin(angle))
    // Turned about the vertical, then y up instead of z.
    let trial = TrialSurface.room(corners, height: 2.4, spacing: 0.1).placed { point in
      let (x, y) = (c * point.x - s * point.y + 7, s * point.x + c * point.y - 3)
      return [x, point.z + 1, -y]
    }
    let plan = try FloorPlan.draw(trial.exact, up: [0, 1, 0])
    let room = try #require(plan.rooms.first)
    #expect(isNear(lengths(room).sorted(), [2, 2, 2, 3, 4, 5], 1e-6), "\(lengths(room))")
    #expect(abs(plan.floorMeters - 1) < 1e-9)
    let out = MeasurableMesh.prepared(
      positions: trial.positions, triangles: trial.triangles.map { [$0.x, $0.z, $0.y] })
    let other = try #require(try FloorPlan.draw(out, up: [0, 1, 0]).rooms.first)
    #expect(isNear(lengths(other).sorted(), [2, 2, 2, 3, 4, 5], 1e-6))
  }

  @Test func unseenPartsAreInventedAndSaidToBe() throws {
    // A cupboard hides a corner, a door stands open in a wall, and there is no ceiling.
    let trial = TrialSurface.room(corners, height: 2.4, spacing: 0.1) { place in
      !(place.x < 0.8 && place.y < 0.6) && !(place.x > 4.9 && place.y > 0.6 && place.y < 1.5)
        && place.z < 2.3
    }
    let plan = try FloorPlan.draw(trial.exact, up: [0, 0, 1])
    let room = try #require(plan.rooms.first)
    #expect(room.sides.count == 6 && abs(room.area.value - 16) < 1e-6)
    #expect(plan.ceilingHeight == nil)
    // 0.8 + 0.6 + 0.9 of 18 m, to the bins at their ends.
    #expect(abs(room.inventedShare - 2.3 / 18) < 0.03, "\(room.inventedShare)")
    #expect(room.sides.contains { $0.seen.count == 2 })
  }

  @Test func aMissingWallIsAnInventedSide() throws {
    let square: [SIMD2<Double>] = [[0, 0], [4, 0], [4, 3], [0, 3]]
    let trial = TrialSurface.room(square, height: 2.4, spacing: 0.1) { $0.x > 0.01 }
    let room = try #require(try FloorPlan.draw(trial.exact, up: [0, 0, 1]).rooms.first)
    #expect(room.sides.count == 4)
    let invented = room.sides.filter { $0.seen.isEmpty }
    #expect(invented.count == 1 && !invented[0].isMeasured)
    #expect(room.sides.filter { $0.isMeasured }.count == 1)
    #expect(abs(room.area.value - 12) < 0.1)
  }

  @Test func anOutlineOfWhichLittleWasSeenIsNoRooms() throws {
    // A fifth of each wall.
    let square: [SIMD2<Double>] = [[0, 0], [4, 0], [4, 4], [0, 4]]
    let trial = TrialSurface.room(square, height: 2.4, spacing: 0.1) { place in
      let isMiddle = abs(place.x - 2) < 0.41 || abs(place.y - 2) < 0.41
      return isMiddle || (min(place.x, place.y) > 0.05 && max(place.x, place.y) < 3.95)
    }
    #expect(throws: FloorPlanError.notClosed(stretches: 4)) {
      try FloorPlan.draw(trial.exact, up: [0, 0, 1])
    }
  }

  @Test func furnitureBelowTheSectionIsNoWall() throws {
    var trial = TrialSurface.room(
      [[0, 0], [4, 0], [4, 3], [0, 3]], height: 2.4, spacing: 0.1)
    let table = TrialSurface.box([1, 0.6, 0.65], spacing: 0.1, hasBottom: false)
    trial.append(table, at: [1.5, 1, 0])
    let plan = try FloorPlan.draw(trial.exact, up: [0, 0, 1])
    #expect(plan.rooms.count == 1 && plan.rooms.first?.sides.count == 4)
    #expect(abs(try #require(plan.rooms.first).area.value - 12) < 1e-6)
  }

  @Test func twoRoomsAreTwo() throws {
    var trial = TrialSurface.room([[0, 0], [4, 0], [4, 3], [0, 3]], height: 2.4, spacing: 0.1)
    let other = TrialSurface.room(
      [[4.2, 0], [6.2, 0], [6.2, 3], [4.2, 3]], height: 2.4, spacing: 0.1)
    trial.append(other)
    let plan = try FloorPlan.draw(trial.exact, up: [0, 0, 1])
    try #require(plan.rooms.count == 2)
    #expect(abs(plan.rooms[0].area.value - 12) < 1e-6)
    #expect(abs(plan.rooms[1].area.value - 6) < 1e-6)
  }

  @Test func whatHasNoFloorOrNoWallsHasNoPlan() throws {
    var wall = TrialSurface()
    wall.add(.zero, [2, 0, 0], [0, 0, 2], spacing: 0.2)
    #expect(throws: FloorPlanError.noFloor) { try FloorPlan.draw(wall.exact, up: [0, 0, 1]) }
    var floor = TrialSurface()
    floor.add(.zero, [2, 0, 0], [0, 2, 0], spacing: 0.2)
    #expect(throws: FloorPlanError.noWalls(sectionMeters: 1.2)) {
      try FloorPlan.draw(floor.exact, up: [0, 0, 1])
    }
    wall.add(.zero, [2, 0, 0], [0, 2, 0], spacing: 0.2)
    #expect(throws: FloorPlanError.notClosed(stretches: 1)) {
      try FloorPlan.draw(wall.exact, up: [0, 0, 1])
    }
  }

  @Test func theAxisUpIsThatOfTheLargestLevelFaces() {
    let trial = TrialSurface.room([[0, 0], [4, 0], [4, 3], [0, 3]], height: 2.4, spacing: 0.2)
    #expect(SurfaceUp.axis(of: trial.exact) == [0, 0, 1])
    #expect(SurfaceUp.axis(of: trial.placed { [$0.x, $0.z, -$0.y] }.exact) == [0, 1, 0])
    #expect(SurfaceUp.axis(of: TrialSurface.box([1, 1, 1], spacing: 0.5).exact) == nil)
  }
}
