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

  @Test func theTreeFindsWhatASearchThroughAllFinds() throws {
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed) &+ 3)
      let positions = (0..<40).map { _ in point(&random, 1) }
      let triangles = (0..<60).map { _ in
        SIMD3<Int32>(
          Int32(random.integer(below: 40)), Int32(random.integer(below: 40)),
          Int32(random.integer(below: 40)))
      }
      let surface = MeasurableMesh.prepared(positions: positions, triangles: triangles)
      let tree = TriangleTree.build(surface)
      for _ in 0..<50 {
        let place = point(&random, 2)
        let found = try #require(tree.nearest(to: place))
        let expected = triangles.map { corners in
          distance(place, (0..<3).map { positions[Int(corners[$0])] })
        }.min()
        // Roundings of coordinates of about 1, amplified in slivers.
        #expect(abs(length(place - found.point) - (expected ?? -1)) < 1e-7)
      }
    }
    #expect(
      TriangleTree.build(MeasurableMesh.prepared(positions: [], triangles: []))
        .nearest(to: .zero) == nil)
  }

  @Test func insideAndOutsideOfABoxHaveTheirSigns() throws {
    let box = TrialSurface.box([1, 1, 1], spacing: 0.5).joined().exact
    let tree = TriangleTree.build(box)
    // Beyond corners and sides the nearest place is shared by several triangles.
    let outside: [SIMD3<Double>] = [
      [1.2, 1.3, 1.1], [-0.1, -0.4, 0.5], [0.5, 0.5, 1.2], [2, 0.5, -1],
    ]
    for place in outside {
      let nearest = try #require(tree.nearest(to: place))
      #expect(box.signedDistance(of: place, at: nearest) > 0, "\(place)")
    }
    let nearest = try #require(tree.nearest(to: [0.3, 0.6, 0.45]))
    #expect(abs(box.signedDistance(of: [0.3, 0.6, 0.45], at: nearest) + 0.3) < 1e-12)
  }

  @Test func parallelPlanesAreApartByTheirDistance() throws {
    var (low, high) = (TrialSurface(), TrialSurface())
    low.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.1)
    high.add([0, 0, 0.004], [1, 0, 0], [0, 1, 0], spacing: 0.13)
    let other = low.exact
    let comparison = try #require(
      SurfaceDifference.compare(
        SurfaceSamples.spread(over: high.exact, count: 3000), with: other,
        by: TriangleTree.build(other), isClosed: false, tolerances: [0.001, 0.005], threads: 2))
    #expect(comparison.count == 3000 && comparison.signedMean == nil)
    #expect(abs(comparison.mean - 0.004) < 1e-12)
    #expect(comparison.percentiles.allSatisfy { abs($0.meters - 0.004) < 1e-12 })
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
          samples, with: first, by: TriangleTree.build(first), isClosed: false, tolerances: [],
          threads: 1))
      explained.append(try #require(comparison.explained))
    }
    #expect(explained[0].isAll && !explained[1].isAll)
    #expect(abs(explained[0].withinSigma - 0.68) < 0.06, "\(explained[0])")
    #expect(explained[1].withinSigma < 0.3 && explained[1].share < 0.1, "\(explained[1])")
  }

  @Test func alignmentFindsTheMotionAndThreadsDoNotMatter() throws {
    let box = TrialSurface.box([0.4, 0.3, 0.2], spacing: 0.02).joined().exact
    let tree = TriangleTree.build(box)
    let motion = RigidTransform(
      rotation: try #require(Rotation(axisAngle: [0.03, -0.05, 0.04])),
      translation: [0.01, -0.008, 0.012])
    let samples = SurfaceSamples.spread(over: box.moved(by: motion), count: 2000)
    let found = try [1, 2, 7].map { threads in
      try #require(SurfaceAlignment.align(samples, to: box, by: tree, threads: threads))
    }
    #expect(found[0].hasConverged && found[0].medianBefore > 0.003)
    #expect(found[0].medianAfter < 1e-6, "\(found[0].medianAfter)")
    for place: SIMD3<Double> in [[0, 0, 0], [0.4, 0.3, 0.2]] {
      let back = found[0].firstFromSecond * (motion * place)
      // The last step was below a micrometer.
      #expect(length(back - place) < 3e-6)
    }
    for other in found.dropFirst() {
      #expect(other.firstFromSecond == found[0].firstFromSecond && other.steps == found[0].steps)
    }
  }

  @Test func aPlaneAloneDecidesNoMotion() {
    var plane = TrialSurface()
    plane.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.1)
    let samples = SurfaceSamples.spread(over: plane.exact, count: 500)
    #expect(
      SurfaceAlignment.align(
        samples, to: plane.exact, by: TriangleTree.build(plane.exact), threads: 1) == nil)
  }
}
