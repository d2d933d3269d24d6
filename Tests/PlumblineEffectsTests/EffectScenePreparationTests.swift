import PlumblineEffects
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct EffectScenePreparationTests {
  private static let size = RasterSize(width: 48, height: 36)

  private static func capture(_ values: DepthRecord.Values) -> Capture {
    var capture = Capture(source: CaptureSource())
    capture.color = Raster(size: size) { x, _ in
      x < 24 ? RGB8(red: 200, green: 180, blue: 160) : RGB8(red: 20, green: 40, blue: 60)
    }
    capture.colorSize = size
    capture.depth = DepthRecord(values: values, storedType: "fdis", accuracy: .absolute)
    return capture
  }

  /// A near half and a far half, with holes.
  private static let map = Raster<Float>(size: RasterSize(width: 16, height: 12)) { x, y in
    if (x, y) == (8, 6) || (x, y) == (15, 0) { return .nan }
    return x < 8 ? 2 : 0.5
  }

  @Test func depthAndDisparityGiveOneScene() throws {
    let disparity = DisparityMap(inverseMeters: Self.map)
    let a = try EffectScene.prepared(from: Self.capture(.disparity(disparity)), effect: "blur")
    let b = try EffectScene.prepared(
      from: Self.capture(.depth(disparity.depthMap)), effect: "blur", threads: 2)
    #expect(a.disparity == b.disparity)
    #expect(a.isMetric && a.depthSize == Self.map.size && a.color.size == Self.size)
    for y in 0..<36 {
      for x in 0..<48 { #expect(abs(a.disparity[x, y] - (x < 24 ? 2 : 0.5)) < 1e-5) }
    }
  }

  @Test func holesGetWhatIsBehind() throws {
    var map = Self.map
    for y in 3..<9 { for x in 5..<11 { map[x, y] = y == 4 ? -1 : .nan } }
    var capture = Self.capture(.disparity(DisparityMap(inverseMeters: map)))
    // No color decides: one of them everywhere.
    capture.color = Raster(size: Self.size, repeating: RGB8(red: 9, green: 9, blue: 9))
    let scene = try EffectScene.prepared(from: capture, effect: "blur")
    #expect(scene.disparity.samples.allSatisfy { $0 >= 0.499 && $0 <= 2.001 })
    #expect(abs(scene.disparity[22, 16] - 0.5) < 1e-4)
  }

  @Test func turnsDepthAndMattesAsTheImage() throws {
    var capture = Self.capture(.disparity(DisparityMap(inverseMeters: Self.map)))
    capture.colorOrientation = .right
    // Stored upright: turned already by what the image still has to be turned.
    let upright = Self.map.oriented(by: .right)
    capture.depth?.values = .disparity(DisparityMap(inverseMeters: upright))
    capture.depth?.orientation = .up
    let half = Raster<UInt8>(size: RasterSize(width: 24, height: 18)) { x, _ in x < 12 ? 255 : 0 }
    capture.mattes = [
      Matte(kind: .portraitEffects, coverage: half.oriented(by: .right), orientation: .up)
    ]
    let scene = try EffectScene.prepared(from: capture, effect: "blur")
    #expect(scene.disparity[3, 30] == 2 && scene.disparity[40, 3] == 0.5)
    #expect(scene.mattes[0].coverage.size == Self.size)
    #expect(scene.mattes[0].coverage[3, 30] == 255 && scene.mattes[0].coverage[40, 3] == 0)
  }

  @Test func mattesAreLeftOutOfEdges() throws {
    var capture = Self.capture(.disparity(DisparityMap(inverseMeters: Self.map)))
    // No color decides: the matte does, three pixels beside the map's step.
    capture.color = Raster(size: Self.size) { x, y in
      RGB8(red: UInt8((x * 7 + y * 3) % 5 + 90), green: 90, blue: 90)
    }
    let plain = try EffectScene.prepared(from: capture, effect: "blur")
    capture.mattes = [
      Matte(kind: .portraitEffects, coverage: Raster(size: Self.size) { x, _ in x < 27 ? 255 : 0 })
    ]
    let with = try EffectScene.prepared(from: capture, effect: "blur")
    let without = try EffectScene.prepared(from: capture, effect: "blur", usesMattes: false)
    #expect(without.disparity == plain.disparity && without.edgeCoverage == plain.edgeCoverage)
    #expect(with.disparity != plain.disparity && without.mattes.count == 1)
    // A mask by depth of such a scene is that of depth and color alone, as the command makes the scene for it.
    let mask = ForegroundMask(source: .depth)
    #expect(!mask.source.usesMatte && ForegroundMask().source.usesMatte)
    #expect(try mask.coverage(of: without).coverage == mask.coverage(of: plain).coverage)
    var effect = BlurEffect(focus: .disparity(2), aperture: .fNumber(0.6))
    effect.usesMattes = false
    #expect(try effect.applied(to: without).color == effect.applied(to: plain).color)
  }

  @Test func refusesWhatIsMissingOrOfAnotherShape() {
    func error(_ change: (inout Capture) -> Void) -> EffectError? {
      var capture = Self.capture(.disparity(DisparityMap(inverseMeters: Self.map)))
      change(&capture)
      do throws(EffectError) {
        _ = try EffectScene.prepared(from: capture, effect: "fog")
        return nil
      } catch { return error }
    }
    #expect(error { _ in } == nil)
    #expect(
      error { $0.depth = nil }.map { "\($0)" }
        == "fog: expected a photo with depth, found a photo without depth")
    #expect(error { $0.color = nil }?.reason == .missing)
    let tall = Raster<UInt8>(size: RasterSize(width: 20, height: 30), repeating: 1)
    #expect(error { $0.mattes = [Matte(kind: .hair, coverage: tall)] }?.reason == .mismatch)
    let none = DisparityMap(inverseMeters: Raster(size: Self.map.size, repeating: .nan))
    #expect(error { $0.depth?.values = .disparity(none) }?.reason == .missing)
    let square = DisparityMap(
      inverseMeters: Raster(size: RasterSize(width: 9, height: 9), repeating: 1))
    #expect(error { $0.depth?.values = .disparity(square) }?.reason == .mismatch)
  }

  @Test func sigmaIsThatOfCodesAtLeast() throws {
    var capture = Self.capture(.disparity(DisparityMap(inverseMeters: Self.map)))
    capture.depth?.storedSamples = .uint8(Raster(size: Self.map.size, repeating: 0))
    capture.depth?.quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 3.05)
    let scene = try EffectScene.prepared(from: capture, effect: "blur")
    #expect(abs(scene.disparityStep - 0.01) < 1e-6)
    #expect(abs(scene.sigma - 0.01 / Float(12).squareRoot()) < 1e-6)
    #expect(!scene.isMetric || scene.depthSize == Self.map.size)
  }
}
