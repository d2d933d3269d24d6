import PlumblineModel
import Testing

@testable import PlumblineEffects

@Suite struct ForegroundMaskTests {
  private let size = RasterSize(width: 64, height: 48)

  @Test("Separates what is near by itself, and says where")
  func separates() throws {
    let scene = RandomScenes.steps(size, seed: 1)
    let mask = ForegroundMask(source: .depth, followsColors: false)
    let (coverage, notes) = try mask.coverage(of: scene)
    for y in 0..<48 {
      for x in 0..<64 { #expect(coverage[x, y] == (5 * x < 2 * 64 ? 255 : 0)) }
    }
    #expect(notes.map(\.code) == [.automaticThreshold])
  }

  @Test("Takes thresholds in meters, disparity and nearness alike")
  func takesThresholds() throws {
    let scene = RandomScenes.steps(size, seed: 2)
    let masks = try [SceneDistance.meters(0.8), .disparity(1.25), .nearness(0.5)].map {
      try ForegroundMask(source: .depth, threshold: $0, followsColors: false)
        .coverage(of: scene).coverage
    }
    #expect(masks[0] == masks[1])
    #expect(masks[1] == masks[2])
  }

  @Test("Cuts only the marked person that is near, where asked for both")
  func cutsNearPerson() throws {
    var scene = RandomScenes.steps(size, seed: 3)
    // Two people: one in front, one behind.
    scene.mattes = [
      Matte(
        kind: .portraitEffects,
        coverage: Raster(size: size) { x, y in
          y >= 10 && (x < 15 || x >= 45) ? 255 : 0
        })
    ]
    let mask = ForegroundMask(source: .both, followsColors: false)
    let (coverage, _) = try mask.coverage(of: scene)
    #expect(coverage[5, 30] == 255)
    #expect(coverage[5, 4] == 0)
    #expect(coverage[55, 30] == 0)
  }

  @Test("Brings a smaller matte to the image's size and says so; refuses another shape")
  func fitsMattes() throws {
    var scene = RandomScenes.steps(size, seed: 4)
    scene.mattes = [
      Matte(
        kind: .portraitEffects,
        coverage: Raster(size: RasterSize(width: 32, height: 24), repeating: 255))
    ]
    let (coverage, notes) = try ForegroundMask().coverage(of: scene)
    #expect(coverage.samples.allSatisfy { $0 == 255 })
    #expect(notes.map(\.code) == [.resampledMatte, .noForeground])
    scene.mattes[0].coverage = Raster(size: RasterSize(width: 32, height: 32), repeating: 255)
    let error = #expect(throws: EffectError.self) { try ForegroundMask().coverage(of: scene) }
    #expect(error?.reason == .mismatch)
  }

  @Test("Refuses meters of relative depth, absent mattes and borders beyond sense")
  func refuses() {
    let scene = RandomScenes.steps(size, seed: 5, isMetric: false)
    func reason(_ mask: ForegroundMask) -> EffectError.Reason? {
      #expect(throws: EffectError.self) { try mask.coverage(of: scene) }?.reason
    }
    #expect(reason(ForegroundMask(source: .depth, threshold: .meters(1))) == .missing)
    #expect(reason(ForegroundMask(source: .matte)) == .missing)
    #expect(reason(ForegroundMask(source: .both)) == .missing)
    #expect(reason(ForegroundMask(borderSigmas: .nan)) == .outOfRange)
    #expect(reason(ForegroundMask(source: .depth, threshold: .nearness(1.5))) == .outOfRange)
    #expect(reason(ForegroundMask(source: .depth, threshold: .disparity(.nan))) == .outOfRange)
  }

  @Test("Redraws the mattes of a photo and makes one of the foreground where there is none")
  func mattes() throws {
    var scene = RandomScenes.steps(size, seed: 6)
    scene.mattes = [Matte(kind: .hair, coverage: Raster(size: size, repeating: 80))]
    let (mattes, _) = try MattesEffect().mattes(of: scene)
    #expect(mattes.map(\.kind) == [.portraitEffects, .hair])
    #expect(mattes.allSatisfy { $0.coverage.size == size })
    // One level stays one level, stretched as leaks are cut: (80 − 10) / 235.
    #expect(mattes[1].coverage.samples.allSatisfy { abs(Int($0) - 76) <= 1 })
  }

  @Test("Otsu's threshold lies in the middle of an empty stretch between two sides")
  func otsu() {
    var counts = [Int64](repeating: 0, count: 100)
    counts[10] = 500
    counts[12] = 300
    counts[80] = 400
    #expect(abs(ForegroundThreshold.share(of: counts) - 0.465) < 0.01)
    #expect(ForegroundThreshold.share(of: [Int64](repeating: 0, count: 100)) == 0.5)
  }
}
