import PlumblineModel
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

/// How often the truth lies within the ± and within twice the ± of each kind of measurement.
@Suite struct MeasurementCoverageTests {
  /// 100 seeds; `Scripts/soak measure` has 2,000.
  static let seeds = getenv("PLUMBLINE_MEASURE_SEEDS").flatMap { Int(String(cString: $0)) } ?? 100

  /// How far a share may be off: as promised, or three standard deviations of what chance leaves.
  static func allowed(_ promised: Double, _ share: Double) -> Double {
    max(promised, 3 * (share * (1 - share) / Double(seeds)).squareRoot())
  }

  @Test func truthLiesWithinTheSigmaAsOftenAsItSays() {
    var tally = MeasurementTally()
    for seed in 0..<Self.seeds {
      var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 17)
      Self.measurePoints(&random, &tally)
      Self.measureBox(&random, &tally)
      Self.measureDome(&random, &tally)
    }
    for (name, counts) in tally.sorted {
      let (one, two) = counts.shares
      // The table of Documentation/measure.md.
      if Self.seeds > 100 { print("\(name): \(100 * one) %, \(100 * two) %") }
      #expect(abs(one - 0.683) < Self.allowed(0.04, 0.683), "\(name): \(one) within σ of \(counts)")
      #expect(
        abs(two - 0.954) < Self.allowed(0.02, 0.954), "\(name): \(two) within 2σ of \(counts)")
    }
    #expect(tally.sorted.count == 12)
    #expect(tally.sorted.allSatisfy { $0.counts.total == Self.seeds })
  }

  /// Points, lengths, angles and planes on a wall that is seen from aside.
  static func measurePoints(_ random: inout SeededGenerator, _ tally: inout MeasurementTally) {
    let distance = random.uniform(in: 0.35..<0.7)
    let box = OrientedBox(
      center: [0.12, 0.02, -0.05], halfSize: [0.04, 0.12, 0.05], pattern: MeasurementTrial.paint)
    var trial = MeasurementTrial(
      SimulatedScene(surfaces: [MeasurementTrial.wall, box]), distance: distance, tilt: 0.3, &random
    )
    let pixels = [(20, 30), (70, 100), (132, 20)].map { x, y in
      (x + random.integer(below: 9), y + random.integer(below: 9))
    }
    let truth = pixels.compactMap { trial.truth($0.0, $0.1) }
    let points = pixels.compactMap { trial.measured($0.0, $0.1) }
    guard truth.count == 3, points.count == 3 else { return }
    let shared = MeasurementTrial.shared
    for (axis, value) in points[0].coordinates(shared).enumerated() {
      tally.add("point \("xyz".map(String.init)[axis])", value, truth[0][axis])
    }
    func length(_ a: SIMD3<Double>) -> Double { (a * a).sum().squareRoot() }
    tally.add(
      "distance", MeasuredLength.distance(points[0], points[2], shared),
      length(truth[2] - truth[0]))
    let (u, v) = (truth[0] - truth[1], truth[2] - truth[1])
    tally.add(
      "angle", MeasuredAngle.angle(points[0], points[1], points[2], shared),
      acos((u * v).sum() / (length(u) * length(v))))
    let region = trial.region(PixelRectangle(x: 10, y: 60, width: 40, height: 30))
    guard let plane = region.plane else { return }
    let normal = trial.wallNormal
    let camera = trial.heightAboveWall(.zero)
    tally.add("plane distance", plane.distance(shared), camera)
    tally.add("plane tilt", MeasuredAngle.tilt(of: plane, shared), acos(-normal.z))
    tally.add(
      "height", MeasuredLength.height(of: points[2], above: plane, shared),
      trial.heightAboveWall(truth[2]))
  }

  /// A box whose edges run along the rows of pixels, which is where they are known worst.
  static func measureBox(_ random: inout SeededGenerator, _ tally: inout MeasurementTally) {
    let half = SIMD3(random.uniform(in: 0.07..<0.09), random.uniform(in: 0.045..<0.06), 0.03)
    let box = OrientedBox(
      center: [random.uniform(in: -0.01..<0.01), random.uniform(in: -0.01..<0.01), -0.03],
      halfSize: half, pattern: MeasurementTrial.paint)
    var trial = MeasurementTrial(
      SimulatedScene(surfaces: [MeasurementTrial.wall, box]),
      distance: random.uniform(in: 0.4..<0.5), tilt: 0.0003, &random)
    guard let found = BoxMeasurement(trial.region(inside)) else { return }
    tally.add("box width", found.width, 2 * half.x)
    tally.add("box height", found.height, 2 * half.y)
    tally.add("box depth", found.depth, 2 * half.z)
  }

  /// A dome of a ball in the wall, which hides nothing.
  static func measureDome(_ random: inout SeededGenerator, _ tally: inout MeasurementTally) {
    let radius = random.uniform(in: 0.1..<0.14)
    let height = random.uniform(in: 0.025..<0.04)
    let ball = Ellipsoid(
      center: [
        random.uniform(in: -0.01..<0.01), random.uniform(in: -0.01..<0.01), radius - height,
      ],
      radius: radius, pattern: MeasurementTrial.paint)
    var trial = MeasurementTrial(
      SimulatedScene(surfaces: [MeasurementTrial.wall, ball]),
      distance: random.uniform(in: 0.4..<0.5), tilt: 0.1, &random)
    guard let found = VolumeMeasurement(trial.region(inside)) else { return }
    tally.add("volume", found.value, .pi * height * height * (radius - height / 3))
  }

  static let inside = PixelRectangle(x: 20, y: 15, width: 120, height: 90)
}

/// How many truths lay within the ± and within twice the ± of each kind.
struct MeasurementTally {
  struct Counts {
    var within = 0
    var withinTwo = 0
    var total = 0
    /// The sum of the errors over their σ: far from 0 where a measurement is biased.
    var sum = 0.0

    var shares: (one: Double, two: Double) {
      (Double(within) / Double(total), Double(withinTwo) / Double(total))
    }
  }

  private var counts: [String: Counts] = [:]

  mutating func add(_ name: String, _ value: MeasuredValue, _ truth: Double) {
    let error = (value.value - truth) / (value.sigma ?? .nan)
    var counts = counts[name] ?? Counts()
    counts.total += 1
    counts.sum += error
    if abs(error) <= 1 { counts.within += 1 }
    if abs(error) <= 2 { counts.withinTwo += 1 }
    self.counts[name] = counts
  }

  var sorted: [(name: String, counts: Counts)] {
    counts.map { (name: $0.key, counts: $0.value) }.sorted { $0.name < $1.name }
  }
}
