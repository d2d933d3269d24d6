import PlumblineEffects
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct BlurEffectTests {
  /// A near square on a far ground, of seeded colors.
  private static func scene(_ width: Int, _ height: Int, seed: UInt64 = 1) -> EffectScene {
    var generator = SeededGenerator(seed: seed)
    let size = RasterSize(width: width, height: height)
    let color = Raster<RGB8>(size: size) { _, _ in
      RGB8(
        red: UInt8(generator.integer(below: 230)), green: UInt8(generator.integer(below: 230)),
        blue: UInt8(generator.integer(below: 230)))
    }
    let disparity = Raster<Float>(size: size) { x, y in
      abs(2 * x - width) < width / 2 && abs(2 * y - height) < height / 2 ? 2 : 0.5
    }
    return EffectScene(color: color, disparity: disparity, isMetric: true)
  }

  private static func effect(_ disparity: Double, _ number: Double) -> BlurEffect {
    var effect = BlurEffect(focus: .disparity(disparity), aperture: .fNumber(number))
    effect.largestRadius = 0.2
    return effect
  }

  /// Radii of 4.6 and 3.5 pixels share the layer of 4.2: what is hidden behind is not to be in it.
  @Test("A blurred surface hides what is behind it, however alike their blurs are")
  func hidesWhatIsBehind() throws {
    let size = RasterSize(width: 64, height: 64)
    func isFront(_ x: Int, _ y: Int) -> Bool { (14..<50).contains(x) && (14..<50).contains(y) }
    let front = RGB8(red: 60, green: 30, blue: 20)
    var scene = EffectScene(
      color: Raster(size: size) {
        isFront($0, $1) ? front : RGB8(red: 220, green: 230, blue: 210)
      },
      disparity: Raster(size: size) { isFront($0, $1) ? 4 : 3.04 }, isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [64, 64], principalPoint: [31.5, 31.5], size: size)
    // 64 px · 36 mm / 2 are 1.15 pixels for each 1/m.
    var effect = BlurEffect(focus: .disparity(0), aperture: .fNumber(1))
    effect.largestRadius = 0.2
    let blurred = try effect.applied(to: scene).color
    for y in 22..<42 {
      for x in 22..<42 {
        // Eight pixels inside: codes, for rounding.
        let pixel = blurred[x, y]
        #expect(abs(Int(pixel.red) - 60) <= 1 && abs(Int(pixel.green) - 30) <= 1, "(\(x), \(y))")
      }
    }
  }

  @Test func whatIsInFocusStaysBitForBit() throws {
    var scene = Self.scene(70, 45)
    scene.disparity = Raster(size: scene.color.size, repeating: 1.25)
    let result = try Self.effect(1.25, 1).applied(to: scene)
    #expect(result.color == scene.color)
  }

  @Test(arguments: [0.0, 0.5, 2.0, 4.0])
  func oneColorStaysItself(focus: Double) throws {
    var scene = Self.scene(61, 47)
    let pixel = RGB8(red: 200, green: 90, blue: 13)
    scene.color = Raster(size: scene.color.size, repeating: pixel)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [60, 60], principalPoint: [30, 23], size: scene.color.size)
    let result = try Self.effect(focus, 0.6).applied(to: scene)
    for found in result.color.samples {
      // One code of rounding.
      #expect(abs(Int(found.red) - 200) <= 1 && abs(Int(found.green) - 90) <= 1)
      #expect(abs(Int(found.blue) - 13) <= 1)
    }
  }

  @Test func lightIsKept() throws {
    // A bright dot far from the border; everything has one blur.
    let size = RasterSize(width: 96, height: 96)
    let color = Raster<RGB8>(size: size) { x, y in
      let level: UInt8 = abs(x - 48) < 3 && abs(y - 48) < 3 ? 230 : 40
      return RGB8(red: level, green: level, blue: level)
    }
    var scene = EffectScene(
      color: color, disparity: Raster(size: size, repeating: 1), isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [96, 96], principalPoint: [47.5, 47.5], size: size)
    var effect = Self.effect(0, 0.6)
    effect.shape = .hexagon
    let result = try effect.applied(to: scene).color
    #expect(result[48, 48].red < 229)
    func sum(_ raster: Raster<RGB8>) -> Double {
      raster.samples.reduce(0) { $0 + Self.linear($1.red) }
    }
    // Half a code of rounding in the ground costs up to 0.4 % of its light.
    #expect(abs(sum(result) / sum(color) - 1) < 0.005)
  }

  /// - Source: IEC 61966-2-1, the power 2.4 as a square times a fifth root twice.
  private static func linear(_ code: UInt8) -> Double {
    let value = Double(code) / 255
    guard value > 0.04045 else { return value / 12.92 }
    let base = (value + 0.055) / 1.055
    var root = base
    for _ in 0..<30 { root -= (root - base / (root * root * root * root)) / 5 }
    return base * base * root * root
  }

  @Test func threadsDoNotChangeBytes() throws {
    var scene = Self.scene(300, 170)
    scene.mattes = [
      Matte(
        kind: .portraitEffects,
        coverage: Raster(size: scene.color.size) { x, _ in UInt8(min(x, 255)) })
    ]
    let effect = Self.effect(0.5, 0.6)
    let one = try effect.applied(to: scene, threads: 1)
    #expect(try effect.applied(to: scene, threads: 3).color == one.color)
    #expect(one.color != scene.color)
  }

  @Test(arguments: [(1, 1), (1, 40), (33, 1), (2, 3), (129, 31)])
  func anySizeWorks(width: Int, height: Int) throws {
    let scene = Self.scene(width, height)
    let result = try Self.effect(2, 1).applied(to: scene)
    #expect(result.color.size == scene.color.size)
  }

  @Test func strangeDisparitiesAreFarAndHarmless() throws {
    var scene = Self.scene(40, 40)
    for (index, value) in [Float.nan, -3, .infinity, -.infinity, 0, 1e30].enumerated() {
      scene.disparity[5 + index, 7] = value
    }
    let result = try Self.effect(2, 1.4).applied(to: scene)
    #expect(result.color.size == scene.color.size)
    scene.disparity = Raster(size: scene.color.size, repeating: .nan)
    _ = try Self.effect(2, 1.4).applied(to: scene)
    #expect(throws: EffectError.self) { try BlurEffect().applied(to: scene) }
  }

  @Test(arguments: [0, -1, 0.5, 65, .nan, .infinity])
  func aperturesBeyondSenseAreRefused(number: Double) {
    let scene = Self.scene(8, 8)
    let error = #expect(throws: EffectError.self) { try Self.effect(1, number).applied(to: scene) }
    #expect(error?.reason == .outOfRange)
  }

  /// The scale of relative depth is unknown, so its f-numbers are nominal.
  @Test func relativeDepthTakesSmallFNumbersAndSaysWhichWouldShow() throws {
    var scene = Self.scene(64, 64)
    scene.isMetric = false
    scene.disparity = scene.disparity.map { $0 / 1000 }
    let notes = try Self.effect(0.001, 2).report(on: scene).notes
    #expect(notes.contains { $0.code == .slightBlur && $0.sentence.contains("such as 0.") })
    #expect(throws: Never.self) { try Self.effect(0.001, 0.03).report(on: scene) }
    // Never one that is refused.
    scene.disparity = scene.disparity.map { $0 / 100 }
    let small = try Self.effect(0.00001, 2).report(on: scene).notes
    #expect(small.contains { $0.sentence.contains("such as 0.021") })
    #expect(throws: Never.self) { try Self.effect(0.00001, 0.021).report(on: scene) }
    #expect(throws: EffectError.self) { try Self.effect(0.001, 0.02).report(on: scene) }
  }

  @Test func focusIsRefusedWhereItMeansNothing() {
    var scene = Self.scene(8, 8)
    func reason(_ focus: BlurFocus) -> EffectError.Reason? {
      do throws(EffectError) {
        _ = try BlurEffect(focus: focus).applied(to: scene)
        return nil
      } catch { return error.reason }
    }
    #expect(reason(.point([8, 2])) == .outOfRange)
    #expect(reason(.point([.nan, 2])) == .outOfRange)
    #expect(reason(.meters(0)) == .outOfRange)
    #expect(reason(.disparity(.nan)) == .outOfRange)
    #expect(reason(.meters(1)) == nil)
    scene.isMetric = false
    #expect(reason(.meters(1)) == .missing)
  }

  @Test func reportFollowsTheLaw() throws {
    var scene = Self.scene(400, 300)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [300, 300], principalPoint: [199.5, 149.5], size: scene.color.size)
    scene.sigma = 0.02
    let report = try BlurEffect(focus: .meters(0.5), aperture: .fNumber(1.8)).report(on: scene)
    // 300 px of 400 are 27 mm; 15 mm of opening; 300·0.015·1.5 px.
    #expect(abs(report.apertureMillimeters - 15) < 1e-9)
    #expect(abs(report.far.diameterPixels - 6.75) < 1e-6)
    #expect(abs(report.far.sigmaPixels - 0.09) < 1e-6)
    #expect(report.near.diameterPixels < 1e-6)
    scene.isMetric = false
    scene.disparityStep = 1
    let notes = try BlurEffect(focus: .disparity(2)).report(on: scene).notes.map(\.code)
    #expect(notes.contains(.relativeDepth) && notes.contains(.quantizedDepth))
    scene.simulatedAperture = 4
    #expect(try BlurEffect(focus: .disparity(2)).report(on: scene).fNumber == 4)
  }

  @Test func nothingShinesThroughWhatIsDarkerThanItsGround() throws {
    // Mattes of real photos are soft within dark cloth and eyes; these stay as dark as they were.
    let size = RasterSize(width: 128, height: 96)
    let black = RGB8(red: 12, green: 12, blue: 12)
    let white = RGB8(red: 210, green: 210, blue: 210)
    let isSubject = { (x: Int) in x < 64 }
    var scene = EffectScene(
      color: Raster(size: size) { x, _ in isSubject(x) ? black : white },
      disparity: Raster(size: size) { x, _ in isSubject(x) ? 2 : 0.5 }, isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [128, 128], principalPoint: [63.5, 47.5], size: size)
    scene.mattes = [
      Matte(
        kind: .portraitEffects,
        coverage: Raster(size: size) { x, _ in !isSubject(x) ? 0 : (54..<64).contains(x) ? 220 : 255
        })
    ]
    let result = try Self.effect(2, 0.8).applied(to: scene).color
    // A code of rounding, and one of the aperture's sums.
    for x in 40..<63 { #expect(abs(Int(result[x, 48].red) - 12) <= 2, "column \(x)") }
  }

  @Test func nothingShinesThroughASlope() throws {
    // A dark slope whose depth is stored in steps, before a bright wall: the wall is in the image only
    // where the lens sees past the slope's edge.
    let size = RasterSize(width: 160, height: 96)
    let black = RGB8(red: 12, green: 12, blue: 12)
    let white = RGB8(red: 210, green: 210, blue: 210)
    var scene = EffectScene(
      color: Raster(size: size) { x, _ in x < 96 ? black : white },
      disparity: Raster(size: size) { x, y in
        x < 96 ? 2 - 0.04 * Float((x + y / 3) / 6) : 0.25
      }, isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [160, 160], principalPoint: [79.5, 47.5], size: size)
    let result = try Self.effect(2, 0.8).applied(to: scene).color
    // Linear light of codes 12, 42 and 210 is 0.0037, 0.0232 and 0.645: 3 % of the wall's, what layers of blur
    // leave open where the slope goes from one to the next. The slope's own blur ends 5 pixels from its edge.
    for y in 8..<88 {
      for x in 8..<88 { #expect(result[x, y].red <= 42, "(\(x), \(y)): \(result[x, y].red)") }
    }
  }

  @Test func mattesMakeSoftEdges() throws {
    // A white subject whose matte covers half of a column: half of it stays over the blurred ground.
    let size = RasterSize(width: 64, height: 48)
    let white = RGB8(red: 220, green: 220, blue: 220)
    let black = RGB8(red: 20, green: 20, blue: 20)
    let gray = RGB8(red: 162, green: 162, blue: 162)
    let color = Raster<RGB8>(size: size) { x, _ in x < 32 ? white : x == 32 ? gray : black }
    let disparity = Raster<Float>(size: size) { x, _ in x < 32 ? 2 : 0.5 }
    var scene = EffectScene(color: color, disparity: disparity, isMetric: true)
    scene.intrinsics = PinholeIntrinsics(
      focalLength: [64, 64], principalPoint: [31.5, 23.5], size: size)
    scene.mattes = [
      Matte(
        kind: .portraitEffects,
        coverage: Raster(size: size) { x, _ in x < 32 ? 255 : x == 32 ? 128 : 0 })
    ]
    let result = try Self.effect(2, 0.6).applied(to: scene).color
    // Nothing of the subject is in the ground beside it, and the mixed column stays mixed.
    #expect(abs(Int(result[34, 24].red) - 20) <= 6)
    #expect(abs(Int(result[32, 24].red) - 162) <= 12)
    #expect(abs(Int(result[30, 24].red) - 220) <= 2)
  }
}
