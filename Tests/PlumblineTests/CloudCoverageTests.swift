import Plumbline
import PlumblineExport
import PlumblineModel
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How often truths lie within the ± of what is measured in a cloud, which was written and read again.
@Suite struct CloudCoverageTests {
  static let seeds = 500
  static let noise = SigmaCurve(constantMeters: 0.00035, perMeterSquared: 0.0056)
  static let statements = [
    "plumbline shared depth-m=0.001 depth-share=0.0025 depth-per-m=0 focal-share=0.0043 "
      + "principal-x=0.003 principal-y=0.003",
    "plumbline held depth-m=0.001 depth-share=0.0025 depth-per-m=0",
    "plumbline noise depth-m=0.00035 depth-share=0 depth-per-m=0.0056 correlation-pixels=0",
  ]

  /// A wall as a camera sees it whose errors are drawn once.
  struct Wall {
    var truths: [SIMD3<Double>] = []
    var points: [PackedPoint] = []
    var sigmas: [Float] = []
    let normal: SIMD3<Double>
    let distance: Double

    init(_ random: inout SeededGenerator) {
      var normal = SIMD3(0.2 * random.gaussian(), 0.2 * random.gaussian(), -1)
      normal /= (normal * normal).sum().squareRoot()
      self.normal = normal
      distance = random.uniform(in: 0.35..<0.7)
      let (focal, scale) = (0.0043 * random.gaussian(), 0.0025 * random.gaussian())
      let offset = 0.001 * random.gaussian()
      let center = SIMD2(random.gaussian(), random.gaussian()) * 0.003
      for y in 0..<16 {
        for x in 0..<24 {
          let ray = SIMD3((Double(x) - 11.5) / 30, (Double(y) - 7.5) / 30, 1)
          let truth = -distance / (normal * ray).sum()
          truths.append(ray * truth)
          let shared = truth * (1 + scale) + offset
          let depth =
            shared + random.gaussian() * CloudCoverageTests.noise.sigmaMeters(atDepth: shared)
          let own = CloudCoverageTests.noise.sigmaMeters(atDepth: depth)
          let claimed = SIMD2(ray.x, ray.y) * (1 - focal) - center
          points.append(
            PackedPoint(
              x: Float(claimed.x * depth), y: Float(claimed.y * depth), z: Float(depth)))
          sigmas.append(
            Float((own * own + 0.001 * 0.001 + 0.0025 * 0.0025 * depth * depth).squareRoot()))
        }
      }
    }

    /// The wall's file.
    var file: [UInt8] {
      PLYWriter(
        PointCloud(positions: points, sigmaMeters: sigmas, isMetric: true),
        origin: ExportOrigin(producer: "test"), statements: CloudCoverageTests.statements
      ).bytes
    }

    func measured(_ index: Int) -> SIMD3<Double> {
      SIMD3(Double(points[index].x), Double(points[index].y), Double(points[index].z))
    }
  }

  /// How many truths lay within the ± and within twice the ± of each kind.
  struct Tally {
    var counts: [String: (one: Int, two: Int, all: Int)] = [:]

    mutating func add(_ measurement: CloudMeasurement, _ truth: Double) {
      guard let value = measurement.value, let sigma = value.sigma else { return }
      let name = measurement.request.kind + (measurement.name ?? "")
      let error = abs(value.value - truth) / sigma
      var count = counts[name] ?? (0, 0, 0)
      count.all += 1
      if error <= 1 { count.one += 1 }
      if error <= 2 { count.two += 1 }
      counts[name] = count
    }
  }

  private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

  @Test func truthLiesWithinTheSigmaAsOftenAsItSays() throws {
    var tally = Tally()
    for seed in 0..<Self.seeds {
      var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 5)
      let wall = Wall(&random)
      let cloud = try MeasurableCloudReader().cloud(from: wall.file, fileName: "wall.ply")
      let (a, b, c) = (
        random.integer(below: 24), 200 + random.integer(below: 40), 370 + random.integer(below: 14)
      )
      let left = CloudRegion([-5, -5, 0], size: [5, 10, 10])
      let found = CloudMeasurer(cloud).measure([
        .distance(wall.measured(a), wall.measured(c)),
        .angle(wall.measured(a), wall.measured(b), wall.measured(c)), .point(wall.measured(b)),
        .plane(left), .height(wall.measured(23), left),
      ]).measurements
      #expect(found.allSatisfy { $0.places.allSatisfy { $0.offsetMeters == 0 } })
      let (u, v) = (
        wall.truths[a] - wall.truths[b], wall.truths[c] - wall.truths[b]
      )
      let truths: [String: Double] = [
        "distance": length(wall.truths[c] - wall.truths[a]),
        "angle": acos((u * v).sum() / (length(u) * length(v))),
        "pointx": wall.truths[b].x, "pointy": wall.truths[b].y, "pointz": wall.truths[b].z,
        "planedistance": wall.distance, "planetilt": acos(-wall.normal.z),
        "planenormalX": wall.normal.x, "planenormalY": wall.normal.y, "height": 0,
      ]
      for measurement in found {
        if let truth = truths[measurement.request.kind + (measurement.name ?? "")] {
          tally.add(measurement, truth)
        }
      }
    }
    #expect(tally.counts.count == 10)
    for (name, count) in tally.counts {
      let (one, two) = (
        Double(count.one) / Double(count.all), Double(count.two) / Double(count.all)
      )
      // Four standard deviations of what chance leaves of 500: 8.3 and 3.7 %.
      #expect(abs(one - 0.683) < 0.083, "\(name): \(one) within σ of \(count.all)")
      #expect(abs(two - 0.954) < 0.0375, "\(name): \(two) within 2σ of \(count.all)")
      // Angles near 180° have no ±.
      #expect(count.all > 450, "\(name)")
    }
  }
}
