import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct SurfaceDistanceTests {
  @Test func concentricBallsAreApartByTheirRadii() throws {
    func ball(_ radius: Float) throws -> SurfaceTree {
      try #require(
        SurfaceTree.build(
          for: SampleMeshes.ball(radius: radius, center: [0, 0, 3], rings: 40, segments: 80)))
    }
    let comparison = SurfaceComparison.compare(
      try ball(1.01), with: try ball(1), sampleCount: 4_000, threads: 2)
    let accuracy = comparison.accuracy.summary
    #expect(accuracy.count == 4_000 && accuracy.beyondBorderCount == 0)
    // Sides of both polyhedra lie up to 1 − cos(π/80)·… = 0.8 mm + 0.8 mm inside of their balls.
    for value in [accuracy.median, accuracy.percentile95, accuracy.maximum, accuracy.meanSigned] {
      #expect(abs(value - 0.01) < 0.001_6)
    }
    #expect(abs(comparison.completeness.summary.meanSigned + 0.01) < 0.001_6)
    #expect(comparison.accuracy.share(within: 0.012) == 1)
    #expect(comparison.accuracy.share(within: 0.005) == 0)
    #expect(comparison.hausdorff >= accuracy.maximum)
  }

  @Test func whatIsBeyondABorderDoesNotCount() throws {
    let small = try SampleMeshes.plane(columns: 4, rows: 4, width: 1, height: 1, depth: 1)
    let large = try SampleMeshes.plane(columns: 8, rows: 4, width: 2, height: 1, depth: 1.25)
    let (one, other) = (
      try #require(SurfaceTree.build(for: small)), try #require(SurfaceTree.build(for: large))
    )
    let comparison = SurfaceComparison.compare(one, with: other, sampleCount: 10_000)
    #expect(comparison.accuracy.summary.count == 10_000)
    // Where squares are equal in single precision, the nearest point may be that of a neighbor.
    #expect(abs(comparison.accuracy.summary.maximum - 0.25) < 1e-7)
    // Half of the large plane lies beside the small one.
    let summary = comparison.completeness.summary
    #expect(abs(summary.beyondBorderCount - 5_000) <= 10)
    #expect(abs(summary.maximum - 0.25) < 1e-7)
    // Half a meter beside, a quarter above.
    #expect(abs(comparison.hausdorff - (0.25 + 0.062_5).squareRoot()) < 0.01)
  }

  @Test func samplesAreSpreadByArea() throws {
    let box = try MeshShapes.box([1, 2, 3], divisions: 5)
    let samples = SurfaceSamples.spread(over: box, count: 22_000)
    #expect(samples.points.count == 22_000)
    var counts = [Int](repeating: 0, count: box.triangles.count)
    for triangle in samples.triangles { counts[Int(triangle)] += 1 }
    for (triangle, count) in zip(box.triangles, counts) {
      // A thousand for a square meter, one more or less where pieces are cut.
      #expect(abs(Double(count) - 1_000 * box.area(of: triangle)) <= 1.01)
    }
    let mean = samples.points.reduce(SIMD3<Double>.zero, +) / 22_000
    for axis in 0..<3 { #expect(abs(mean[axis] - Double(axis + 1) / 2) < 0.003) }
    let nothing = try TriangleMesh(positions: [], triangles: [])
    #expect(SurfaceSamples.spread(over: nothing, count: 5).points.isEmpty)
  }

  @Test func percentilesAreThoseOfSortedDistances() throws {
    let plane = try SampleMeshes.plane(columns: 2, rows: 2, width: 1, height: 1, depth: 1)
    let tree = try #require(SurfaceTree.build(for: plane))
    let points = (1...100).map { SIMD3(0.01, 0.02, 1 - Double($0) / 64) }
    let summary = SurfaceDistance.measure(from: points, to: tree).summary
    #expect(summary.median == 50.0 / 64 && summary.percentile68 == 68.0 / 64)
    #expect(summary.percentile95 == 95.0 / 64 && summary.maximum == 100.0 / 64)
    let none = SurfaceDistance.measure(from: [], to: tree).summary
    #expect(none.count == 0 && none.median.isNaN && none.meanSigned.isNaN)
  }
}
