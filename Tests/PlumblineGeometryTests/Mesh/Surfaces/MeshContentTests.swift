import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MeshContentTests {
  @Test func contentsHaveTheirFormulas() throws {
    let box = try MeshShapes.box([1, 2, 3], divisions: 4)
    #expect(abs(box.enclosedVolume - 6) < 1e-6 && abs(box.surfaceArea - 22) < 1e-5)
    let torus = try MeshShapes.torus(around: 200, across: 100, radius: 1, thickness: 0.3)
    // 2π²·R·r² and 4π²·R·r; the mesh lies inside by about (π/100)²/2 of its thickness.
    let pi = Double.pi
    #expect(abs(torus.enclosedVolume / (2 * pi * pi * 0.09) - 1) < 0.002)
    #expect(abs(torus.surfaceArea / (4 * pi * pi * 0.3) - 1) < 0.001)
  }

  @Test func aBoxIsCutToARectangle() throws {
    let box = try MeshShapes.box([1, 2, 3], divisions: 4)
    for (height, normal) in [(0.7, SIMD3<Double>(0, 0, 2)), (1.5, [0, 0, -1]), (3, [0, 0, 1])] {
      let section = MeshSection.cut(box, through: [5, 5, height], normal: normal)
      guard height < 3 else {
        // A plane on the top has the top in front, and cuts its rim.
        #expect(abs(section.areaSquareMeters - 2) < 1e-6)
        continue
      }
      #expect(section.lines.count == 1 && section.lines[0].isClosed)
      #expect(abs(section.areaSquareMeters - 2) < 1e-6)
      #expect(abs(section.perimeterMeters - 6) < 1e-6)
    }
    #expect(MeshSection.cut(box, through: [0, 0, 4], normal: [0, 0, 1]).lines.isEmpty)
    // A diagonal cut, √2 wide and 3 high.
    let slanted = MeshSection.cut(box, through: [0.001, 0.001, 0], normal: [1, -1, 0])
    #expect(abs(slanted.areaSquareMeters - 3 * 2.0.squareRoot()) < 1e-5)
  }

  @Test func aTorusIsCutToARingAndToTwoDiscs() throws {
    let torus = try MeshShapes.torus(around: 200, across: 100, radius: 1, thickness: 0.3)
    let ring = MeshSection.cut(torus, through: [0, 0, 0.001], normal: [0, 0, 1])
    #expect(ring.lines.count == 2 && ring.lines.allSatisfy(\.isClosed))
    // π·(1.3² − 0.7²); the hole counts against it.
    #expect(abs(ring.areaSquareMeters / (1.2 * .pi) - 1) < 0.002)
    #expect(abs(ring.perimeterMeters / (4 * .pi) - 1) < 0.001)
    let discs = MeshSection.cut(torus, through: .zero, normal: [1, 0, 0])
    #expect(discs.lines.count == 2)
    #expect(abs(discs.areaSquareMeters / (2 * .pi * 0.09) - 1) < 0.002)
  }

  @Test func anOpenSurfaceIsCutToAnOpenLine() throws {
    let plane = try SampleMeshes.plane(columns: 5, rows: 5, width: 1, height: 1, depth: 1)
    let section = MeshSection.cut(plane, through: [0.03, 0, 0], normal: [1, 0, 0])
    #expect(section.lines.count == 1 && !section.lines[0].isClosed)
    #expect(abs(section.perimeterMeters - 1) < 1e-6 && section.areaSquareMeters == 0)
  }

  /// One standard deviation covers 68.3 %, two 95.4 % of Gaussian errors; of 500 draws within 2.1 and 0.93 points
  /// (one σ).
  @Test func theErrorCoversWhatItSays() throws {
    let ball = try SampleMeshes.ball(radius: 0.5, center: [0, 0, 2], rings: 8, segments: 12)
    let normals = ball.areaWeightedNormals
    let noise = ball.positions.map { 0.001 + 0.002 * abs($0.x) }
    let shared = ball.positions.map { 0.000_2 + 0.000_1 * abs($0.y) }
    let errors = VertexErrorParts(noiseMeters: noise, sharedMeters: shared, scaleShare: 0.000_5)
    let volume = ball.enclosedVolume(errors: errors)
    let area = ball.surfaceArea(errors: errors)
    var within = (volume: [0, 0], area: [0, 0])
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      var moved = ball
      let (bias, scale) = (random.gaussian(), 1 + 0.000_5 * random.gaussian())
      for vertex in 0..<ball.vertexCount {
        let step =
          Double(noise[vertex]) * random.gaussian() + Double(shared[vertex]) * bias
        let point = (ball.positions[vertex].vector + step * normals[vertex].vector) * scale
        moved.positions[vertex] = PackedPoint(
          x: Float(point.x), y: Float(point.y), z: Float(point.z))
      }
      let volumeError = abs(moved.enclosedVolume - volume.value) / volume.sigma
      let areaError = abs(moved.surfaceArea - area.value) / area.sigma
      for bound in 0..<2 {
        if volumeError < Double(bound + 1) { within.volume[bound] += 1 }
        if areaError < Double(bound + 1) { within.area[bound] += 1 }
      }
    }
    for counts in [within.volume, within.area] {
      let shares = counts.map { Double($0) / 500 }
      #expect(abs(shares[0] - 0.683) < 0.04 && abs(shares[1] - 0.954) < 0.02, "\(shares)")
    }
  }
}
