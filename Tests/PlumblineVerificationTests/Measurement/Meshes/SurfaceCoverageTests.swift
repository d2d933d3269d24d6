import PlumblineTestSupport
import PlumblineVerification
import Testing

/// How often the truth lies within the ± of what is measured on meshes.
@Suite struct SurfaceCoverageTests {
  static let seeds = 500

  private func expect(_ tally: MeasurementTally, kinds: Int) {
    #expect(tally.sorted.count == kinds)
    for (name, counts) in tally.sorted {
      let (one, two) = counts.shares
      #expect(counts.total == Self.seeds, "\(name)")
      // 500 seeds leave 2.1 and 0.9 % to chance, of which these are three standard deviations.
      #expect(abs(one - 0.683) < 0.063, "\(name): \(one) within σ")
      #expect(abs(two - 0.954) < 0.028, "\(name): \(two) within 2σ")
    }
  }

  @Test func aClosedBoxHasItsVolumeAreaAndSection() throws {
    var tally = MeasurementTally()
    let trial = TrialSurface.box([0.4, 0.3, 0.35], spacing: 0.1).joined()
    for seed in 0..<Self.seeds {
      var random = SeededGenerator(seed: UInt64(seed) &+ 91)
      let surface = trial.measured(
        noise: 0.0006,
        SurfaceErrors(
          alongNormalMeters: 0.0008, ofPlaceMeters: 0.001, nearMeters: 0.3, lengthShare: 0.002),
        &random)
      // The truth of what is measured: the same mesh without errors.
      tally.add("volume", try #require(SurfaceContent.volume(of: surface)), 0.4 * 0.3 * 0.35)
      tally.add(
        "area", SurfaceContent.area(of: surface), 2 * (0.4 * 0.3 + 0.4 * 0.35 + 0.3 * 0.35))
      let section = SurfaceSection.cut(
        surface, by: SurfaceSection.Plane(point: [0, 0, 0.18], normal: [0, 0, 1]))
      tally.add("section", try #require(section.area), 0.4 * 0.3)
    }
    expect(tally, kinds: 3)
  }

  @Test func aBoxOnATableHasItsSides() throws {
    var tally = MeasurementTally()
    var trial = TrialSurface.box([0.4, 0.3, 0.25], spacing: 0.05, hasBottom: false)
    trial.add([-0.2, -0.2, 0], [0.8, 0, 0], [0, 0.7, 0], spacing: 0.05) {
      $0.x < 0 || $0.x > 0.4 || $0.y < 0 || $0.y > 0.3
    }
    for seed in 0..<Self.seeds {
      var random = SeededGenerator(seed: UInt64(seed) &+ 7)
      let surface = trial.measured(
        noise: 0.0006,
        SurfaceErrors(
          alongNormalMeters: 0.0006, ofPlaceMeters: 0.0008, nearMeters: 0.3, lengthShare: 0.002),
        &random)
      let box = try #require(SurfaceBox.measure(surface, up: [0, 0, 1]))
      tally.add("width", try #require(box.width), 0.4)
      tally.add("height", try #require(box.height), 0.3)
      tally.add("depth", box.depth, 0.25)
    }
    expect(tally, kinds: 3)
  }

  @Test func aRoomHasItsWallsAreaAndCeiling() throws {
    var tally = MeasurementTally()
    let corners: [SIMD2<Double>] = [[0, 0], [4, 0], [4, 3], [0, 3]]
    let trial = TrialSurface.room(corners, height: 2.5, spacing: 0.5)
    for seed in 0..<Self.seeds {
      var random = SeededGenerator(seed: UInt64(seed) &+ 1234)
      let surface = trial.measured(
        noise: 0.003,
        SurfaceErrors(
          alongNormalMeters: 0.003, ofPlaceMeters: 0.004, nearMeters: 2, lengthShare: 0.001),
        &random)
      let plan = try FloorPlan.draw(surface, up: [0, 0, 1])
      let room = try #require(plan.rooms.first)
      #expect(room.sides.count == 4)
      guard room.sides.count == 4 else { continue }
      let lengths = room.sides.map(\.length).sorted { $0.value < $1.value }
      tally.add("short wall", lengths[seed % 2], 3)
      tally.add("long wall", lengths[2 + seed % 2], 4)
      tally.add("area", room.area, 12)
      tally.add("perimeter", room.perimeter, 14)
      tally.add("ceiling", try #require(plan.ceilingHeight), 2.5)
    }
    expect(tally, kinds: 5)
  }
}
