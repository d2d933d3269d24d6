import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineEffects

/// What a network marks, joined with depth.
@Suite struct NetworkMaskTests {
  private static let size = RasterSize(width: 96, height: 64)
  private static let gray = Raster(
    size: size, repeating: RGB8(red: 90, green: 90, blue: 90))

  /// A near person (columns 10 to 29), a person behind (60 to 79), a table in front (rows from 50), a wall.
  private static func scene(isMetric: Bool = true) -> EffectScene {
    EffectScene(
      color: gray,
      disparity: Raster(size: size) { x, y in
        if y >= 50 { return 2.2 }
        if (10..<30).contains(x) { return 2 }
        return (60..<80).contains(x) ? 0.8 : 0.5
      }, isMetric: isMetric)
  }

  /// A network that marks both people.
  private static func people(_ level: UInt8 = 250) -> NetworkMask {
    NetworkMask(
      likelihood: Raster(size: size) { x, y in
        y < 50 && y > 5 && ((10..<30).contains(x) || (60..<80).contains(x)) ? level : 4
      }, enlargement: 1, name: "people")
  }

  private static func mask(
    _ network: NetworkMask?, _ source: ForegroundMask.Source = .automatic,
    threshold: SceneDistance? = nil
  ) -> ForegroundMask {
    ForegroundMask(source: source, threshold: threshold, followsColors: false, network: network)
  }

  @Test("Of several people the near one is kept, and a table before it is left out")
  func keepsTheNearPerson() throws {
    for isMetric in [true, false] {
      let found = try Self.mask(Self.people()).foreground(
        of: Self.scene(isMetric: isMetric), effect: "background", threads: 2)
      #expect(found.decision.source == .network)
      #expect(found.coverage[20, 30] > 245)
      #expect(found.coverage[70, 30] == 0 && found.coverage[45, 30] == 0)
      #expect(found.coverage[50, 58] == 0, "the table is nobody's")
      // Depth by itself puts the table in front, and the person behind is the network's alone.
      let share = try #require(found.decision.disagreementShare)
      let table = 14 * 96
      let behind = 44 * 20
      let top = 6 * 20
      #expect(abs(share - Double(table + behind + top) / Double(64 * 96)) < 1e-9, "\(share)")
      #expect(found.notes.map(\.code) == [.networkMask, .automaticThreshold])
    }
  }

  @Test("Two people beside each other stay both")
  func keepsAGroup() throws {
    var scene = Self.scene()
    scene.disparity = Raster(size: Self.size) { x, _ in
      (10..<30).contains(x) ? 2 : (60..<80).contains(x) ? 1.7 : 0.5
    }
    let coverage = try Self.mask(Self.people()).coverage(of: scene).coverage
    #expect(coverage[20, 30] > 245 && coverage[70, 30] > 245 && coverage[45, 30] == 0)
  }

  @Test("Where the network is unsure, depth decides")
  func depthDecidesWhereTheNetworkIsUnsure() throws {
    let unsure = NetworkMask(
      likelihood: Self.people().likelihood.map { $0 > 128 ? 140 : 110 }, enlargement: 1,
      name: "unsure")
    let coverage = try Self.mask(unsure).coverage(of: Self.scene()).coverage
    #expect(coverage[20, 30] > 235 && coverage[45, 30] == 0 && coverage[50, 58] > 200)
  }

  @Test("Hair that depth puts on the wall stays where it is beside the person")
  func keepsHairBesideThePerson() throws {
    let hairy = NetworkMask(
      likelihood: Raster(size: Self.size) { x, y in
        y < 50 && (8..<32).contains(x) ? 253 : 0
      }, enlargement: 1, name: "hairy")
    let coverage = try Self.mask(hairy).coverage(of: Self.scene()).coverage
    #expect(coverage[9, 30] > 128 && coverage[20, 30] > 245 && coverage[3, 30] == 0)
  }

  @Test("A flat scene is left to the network")
  func aFlatSceneIsLeftToTheNetwork() throws {
    var scene = Self.scene()
    scene.disparity = Raster(size: Self.size) { x, y in 1 + Float((x * 7 + y * 3) % 5) * 1e-4 }
    scene.sigma = 0.05
    let found = try Self.mask(Self.people()).foreground(
      of: scene, effect: "background", threads: 1)
    #expect(found.coverage[20, 30] > 245 && found.coverage[70, 30] > 245)
    #expect(found.coverage[45, 30] < 10)
    #expect(found.notes.map(\.code) == [.networkMask])
  }

  @Test("A threshold that was given holds")
  func aGivenThresholdHolds() throws {
    let coverage = try Self.mask(Self.people(), threshold: .meters(1.6)).coverage(
      of: Self.scene()
    ).coverage
    // 1.6 m is 0.625 1/m: both people are nearer.
    #expect(coverage[20, 30] > 245 && coverage[70, 30] > 245 && coverage[45, 30] == 0)
  }

  @Test("A matte goes before the network, which goes before depth")
  func choosesTheSource() throws {
    let matte = Raster<UInt8>(size: Self.size) { x, _ in x < 5 ? 255 : 0 }
    var scene = Self.scene()
    scene.mattes = [Matte(kind: .portraitEffects, coverage: matte, orientation: .up)]
    func source(_ mask: ForegroundMask, _ scene: EffectScene) throws -> ForegroundMask.Source {
      try mask.foreground(of: scene, effect: "background", threads: 1).decision.source
    }
    #expect(try source(Self.mask(Self.people()), scene) == .matte)
    #expect(try source(Self.mask(Self.people(), .network), scene) == .network)
    #expect(try source(Self.mask(Self.people()), Self.scene()) == .network)
    #expect(try source(Self.mask(nil), Self.scene()) == .depth)
    #expect(try source(Self.mask(Self.people(), .depth), scene) == .depth)
  }

  @Test func whatIsMissingOrOfAnotherSizeIsRefused() {
    let absent = #expect(throws: EffectError.self) {
      try Self.mask(nil, .network).coverage(of: Self.scene())
    }
    #expect(absent?.reason == .missing)
    let other = NetworkMask(
      likelihood: Raster(size: RasterSize(width: 4, height: 4), repeating: 9), enlargement: 1,
      name: "other")
    let shape = #expect(throws: EffectError.self) {
      try Self.mask(other).coverage(of: Self.scene())
    }
    #expect(shape?.reason == .mismatch)
  }

  @Test(arguments: RandomScenes.sizes, [UInt64(1), 2])
  func strangeDisparitiesGiveCoverageThatThreadsDoNotChange(size: RasterSize, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scene = RandomScenes.hostile(size, seed: seed, isMetric: seed == 1)
    let network = NetworkMask(
      likelihood: Raster(size: size) { _, _ in UInt8.random(in: 0...255, using: &random) },
      enlargement: 2.5, name: "noise")
    let mask = ForegroundMask(source: .network, network: network)
    let one = try mask.coverage(of: scene, threads: 1).coverage
    let many = try mask.coverage(of: scene, threads: 5).coverage
    #expect(one == many && one.size == size)
  }

  @Test("Nothing marked leaves nothing in front, and says so")
  func nothingMarked() throws {
    let none = NetworkMask(
      likelihood: Raster(size: Self.size, repeating: 0), enlargement: 8, name: "none")
    let (coverage, notes) = try Self.mask(none).coverage(of: Self.scene())
    #expect(coverage.samples.allSatisfy { $0 == 0 })
    #expect(notes.map(\.code) == [.networkMask, .noForeground])
  }

  /// The simulated bust against rays, by depth alone and with a coarse mask of 30 × 40 pixels.
  ///
  /// With a box beside it that is as near, depth alone takes the box as well; the mask says which of both it
  /// is. Without the box depth alone is good, and the mask costs little.
  ///
  /// Limits are a tenth above what was measured when the test was written.
  @Test func theBustIsNearerToTruthWithANetwork() throws {
    let truth = EdgeTruth.traced(side: 160, cell: 2.5, rays: 8, threads: 2)
    let coarse = Self.coarse(truth.coverage, by: 4)
    let network = NetworkMask(likelihood: coarse, enlargement: 4, name: "coarse")
    func error(_ found: Raster<UInt8>) -> Double {
      let sum = zip(found.samples, truth.coverage.samples).reduce(0.0) {
        $0 + Double(abs(Float($1.0) / 255 - $1.1))
      }
      return sum / Double(found.size.pixelCount)
    }
    func errors(_ capture: Capture) throws -> (alone: Double, joined: Double) {
      let scene = try EffectScene.prepared(from: capture, effect: "background", threads: 2)
      return (
        error(try ForegroundMask(source: .depth).coverage(of: scene).coverage),
        error(try ForegroundMask(source: .network, network: network).coverage(of: scene).coverage)
      )
    }
    let plain = try errors(truth.capture)
    let boxed = try errors(Self.withBox(truth.capture))
    #expect(plain.alone < 0.0078 && plain.joined < 0.0087, "\(plain)")
    #expect(boxed.joined < 0.0095 && boxed.alone > 10 * boxed.joined, "\(boxed)")
    #expect(boxed.joined < 0.4 * error(coarse), "\(boxed) \(error(coarse))")
  }

  /// The capture with a brown box in its upper left corner, as near as the bust.
  private static func withBox(_ capture: Capture) throws -> Capture {
    var capture = capture
    let color = try #require(capture.color)
    capture.color = Raster(size: color.size) { x, y in
      4 * x < color.width && 3 * y < color.height
        ? RGB8(red: 120, green: 70, blue: UInt8(30 + (x * 7 + y * 5) % 9)) : color[x, y]
    }
    let record = try #require(capture.depth)
    guard case .disparity(let disparity) = record.values else {
      Issue.record("the map has no disparities")
      return capture
    }
    let map = disparity.inverseMeters
    let values = Raster<Float>(size: map.size) { x, y in
      4 * x < map.width && 3 * y < map.height ? 2.3 : map[x, y]
    }
    capture.depth?.values = .disparity(DisparityMap(inverseMeters: values))
    return capture
  }

  /// Means over squares, spread bilinearly again, as a coarse network's output is.
  private static func coarse(_ coverage: Raster<Float>, by side: Int) -> Raster<UInt8> {
    let small = RasterSize(width: coverage.width / side, height: coverage.height / side)
    let means = Raster<UInt8>(size: small) { x, y in
      var sum: Float = 0
      for row in 0..<side {
        for column in 0..<side { sum += coverage[x * side + column, y * side + row] }
      }
      return UInt8((255 * sum / Float(side * side)).rounded())
    }
    return means.resized(to: coverage.size, threads: 1)
  }
}
