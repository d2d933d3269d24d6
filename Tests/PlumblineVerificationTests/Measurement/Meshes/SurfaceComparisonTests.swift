import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

/// Distances between surfaces against closed forms and a search through all triangles.
@Suite struct SurfaceComparisonTests {
  private func length(_ a: SIMD3<Double>) -> Double { (a * a).sum().squareRoot() }

  private func point(_ random: inout SeededGenerator, _ reach: Double) -> SIMD3<Double> {
    [
      random.uniform(in: -reach..<reach), random.uniform(in: -reach..<reach),
      random.uniform(in: -reach..<reach),
    ]
  }

  /// The distance from a triangle by trying its inside, its sides and its corners.
  private func distance(
    _ p: SIMD3<Double>, _ corners: [SIMD3<Double>]
  ) -> Double {
    func segment(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
      let line = b - a
      let square = (line * line).sum()
      let share = square > 0 ? max(0, min(1, ((p - a) * line).sum() / square)) : 0
      return length(p - a - line * share)
    }
    let least = min(
      segment(corners[0], corners[1]), segment(corners[1], corners[2]),
      segment(corners[2], corners[0]))
    let (u, v) = (corners[1] - corners[0], corners[2] - corners[0])
    let normal = SIMD3(
      u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
    guard length(normal) > 0 else { return least }
    let unit = normal / length(normal)
    let height = ((p - corners[0]) * unit).sum()
    let foot = p - unit * height - corners[0]
    // The two parts of the foot by the normal equations.
    let (uu, uv, vv) = ((u * u).sum(), (u * v).sum(), (v * v).sum())
    let (fu, fv) = ((foot * u).sum(), (foot * v).sum())
    let determinant = uu * vv - uv * uv
    let (s, t) = ((vv * fu - uv * fv) / determinant, (uu * fv - uv * fu) / determinant)
    return s >= 0 && t >= 0 && s + t <= 1 ? abs(height) : least
  }

  @Test func theIndexFindsWhatASearchThroughAllFinds() throws {
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed) &+ 3)
      let positions = (0..<40).map { _ in point(&random, 1) }
      let triangles = (0..<60).map { _ in
        let corners = (0..<40).shuffled(using: &random).prefix(3).map { Int32($0) }
        return SIMD3(corners[0], corners[1], corners[2])
      }
      let places = (0..<50).map { _ in point(&random, 2) }
      let found = SurfaceIndex.build(
        MeasurableMesh.prepared(positions: positions, triangles: triangles), threads: 1
      ).nearest(to: places, threads: 1)
      for (place, nearest) in zip(places, found) {
        let expected = triangles.map { corners in
          distance(place, (0..<3).map { positions[Int(corners[$0])] })
        }.min()
        // Single precision of coordinates of about 1, amplified in slivers.
        #expect(abs(length(place - nearest.point) - (expected ?? -1)) < 2e-6)
        #expect(abs(abs(nearest.signedDistance) - (expected ?? -1)) < 2e-6)
      }
    }
    #expect(
      SurfaceIndex.build(MeasurableMesh.prepared(positions: [], triangles: []), threads: 1)
        .nearest(to: [.zero], threads: 1).isEmpty)
  }

  @Test func pointsAreFoundOneByOneFarFromTheOrigin() throws {
    var random = SeededGenerator(seed: 11)
    let far: SIMD3<Double> = [412_000, 5_318_000, 540]
    let positions = (0..<3000).map { _ in far + point(&random, 1) }
    let surface = MeasurableMesh.prepared(
      positions: positions, triangles: positions.indices.map { SIMD3(repeating: Int32($0)) })
    let places = (0..<40).map { _ in far + point(&random, 1) }
    let found = [1, 2, 7].map { threads in
      SurfaceIndex.build(surface, threads: threads).nearest(to: places, threads: threads)
    }
    #expect(found[0] == found[1] && found[0] == found[2] && found[0].count == 40)
    for (place, nearest) in zip(places, found[0]) {
      let expected = try #require(positions.map { length($0 - place) }.min())
      // Coordinates of 1 m from the middle, in single precision.
      #expect(abs(nearest.signedDistance - expected) < 1e-6)
      #expect(length(positions[nearest.triangle] - nearest.point) < 1e-6)
    }
  }

  @Test func insideAndOutsideOfABoxHaveTheirSigns() throws {
    let box = TrialSurface.box([1, 1, 1], spacing: 0.5).joined().exact
    let index = SurfaceIndex.build(box, threads: 1)
    // Beyond corners and sides the nearest place is shared by several triangles.
    let places: [SIMD3<Double>] = [
      [1.2, 1.3, 1.1], [-0.1, -0.4, 0.5], [0.5, 0.5, 1.2], [2, 0.5, -1], [0.3, 0.6, 0.45],
    ]
    let found = index.nearest(to: places, threads: 1).map(\.signedDistance)
    #expect(found.prefix(4).allSatisfy { $0 > 0 }, "\(found)")
    // Single precision of coordinates of half a meter.
    #expect(abs(found[4] + 0.3) < 1e-7)
  }

  @Test func parallelPlanesAreApartByTheirDistance() throws {
    var (low, high) = (TrialSurface(), TrialSurface())
    low.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.1)
    high.add([0, 0, 0.004], [1, 0, 0], [0, 1, 0], spacing: 0.13)
    let other = low.exact
    let comparison = try #require(
      SurfaceDifference.compare(
        SurfaceSamples.spread(over: high.exact, count: 3000), with: other,
        by: SurfaceIndex.build(other, threads: 1), isClosed: false, tolerances: [0.001, 0.005],
        threads: 2))
    #expect(comparison.count == 3000 && comparison.signedMean == nil)
    // Single precision of coordinates of half a meter.
    #expect(abs(comparison.mean - 0.004) < 1e-7)
    #expect(comparison.percentiles.allSatisfy { abs($0.meters - 0.004) < 1e-7 })
    #expect(comparison.within.map(\.share) == [0, 1])
    #expect(comparison.explained == nil)
  }

  @Test func samplesCoverAreasEvenly() {
    var surface = TrialSurface()
    // Small triangles on a third of the area, large ones on the rest.
    surface.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.02)
    surface.add([1, 0, 0], [2, 0, 0], [0, 1, 0], spacing: 1)
    let samples = SurfaceSamples.spread(over: surface.exact, count: 9000).samples
    #expect(samples.count == 9000)
    let part = samples.count { $0.point.x < 1 }
    #expect(abs(part - 3000) <= 1)
    // A quarter of one of the large squares, by a sequence whose discrepancy is below 1 %.
    let quarter = samples.count { $0.point.x > 1 && $0.point.x < 1.5 && $0.point.y < 0.5 }
    #expect(abs(quarter - 750) < 75, "\(quarter)")
  }

  @Test func theErrorsOfBothExplainTheDifferenceThatTheyMake() throws {
    var explained: [SurfaceDifference.Explained] = []
    for factor in [1.0, 5] {
      var random = SeededGenerator(seed: 5)
      var plane = TrialSurface()
      plane.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.02)
      let first = plane.measured(noise: 0.001, SurfaceErrors(), &random)
      let moved = zip(plane.positions, plane.normals).map { position, normal in
        position + normal * (factor * 0.002 * random.gaussian())
      }
      let second = MeasurableMesh.prepared(
        positions: moved, triangles: plane.triangles,
        sigmas: [Double](repeating: 0.002, count: moved.count))
      // At the vertices, between which errors are means of three.
      let samples = SurfaceSamples.spread(
        over: second.with(triangles: moved.indices.map { SIMD3(repeating: Int32($0)) }),
        count: 10_000)
      let comparison = try #require(
        SurfaceDifference.compare(
          samples, with: first, by: SurfaceIndex.build(first, threads: 1), isClosed: false,
          tolerances: [],
          threads: 1))
      explained.append(try #require(comparison.explained))
    }
    #expect(explained.allSatisfy { $0.unknownShare == 0 })
    #expect(explained[0].isAll && !explained[1].isAll)
    #expect(abs(explained[0].withinSigma - 0.68) < 0.06, "\(explained[0])")
    #expect(explained[1].withinSigma < 0.3 && explained[1].share < 0.1, "\(explained[1])")
  }
}
