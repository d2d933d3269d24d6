import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite("Edges between surfaces") struct SurfaceEdgeTests {
  /// The maps after the choice on some threads.
  private func chosen(
    _ pair: RectifiedPair, _ map: Raster<Float>, _ sigmas: Raster<Float>, threads: Int = 1
  ) -> (map: [Float], sigmas: [Float]) {
    var (values, widths) = (map.samples, sigmas.samples)
    values.withUnsafeMutableBufferPointer { values in
      widths.withUnsafeMutableBufferPointer { widths in
        if let values = values.baseAddress, let widths = widths.baseAddress {
          SurfaceEdges(pair: pair).choose(values, sigma: widths, threads: threads)
        }
      }
    }
    return (values, widths)
  }

  /// Random patches of disparities with holes over images of few gray levels, so that windows are alike.
  private func randomScene(
    _ seed: UInt64, _ size: RasterSize
  ) -> (pair: RectifiedPair, map: Raster<Float>, sigmas: Raster<Float>) {
    var random = SeededGenerator(seed: seed)
    let left = Raster<UInt8>(size: size) { _, _ in UInt8.random(in: 100...130, using: &random) }
    let patches = (0..<64).map { _ in Float.random(in: -3...9, using: &random) }
    let map = Raster<Float>(size: size) { x, y in
      Int.random(in: 0...9, using: &random) == 0
        ? .nan
        : patches[(x / 4 + 5 * (y / 3)) % 64] + Float.random(in: 0...0.5, using: &random)
    }
    let sigmas = Raster<Float>(size: size) { _, _ in Float.random(in: 0.05...0.5, using: &random) }
    let right = left.map { $0 &+ 3 }
    return (RectifiedPair(left: left, right: right), map, sigmas)
  }

  @Test("The kernel chooses what the plain twin chooses", arguments: 1...4)
  func kernelEqualsTheTwin(seed: Int) {
    // The widest have pixels whose surroundings are inside with those of all that are handled at once.
    let (pair, map, sigmas) = randomScene(
      UInt64(seed), RasterSize(width: 15 * seed + 4, height: 17))
    let found = chosen(pair, map, sigmas)
    let plain = PlainEdges(pair: pair, map: map, sigmas: sigmas)
    var (moved, differing) = (0, 0)
    for y in 0..<map.height {
      for x in 0..<map.width {
        let (value, sigma) = plain.choice(x, y)
        let index = y * map.width + x
        let isSame =
          value.isNaN
          ? found.map[index].isNaN
          : found.map[index] == value && abs(Double(found.sigmas[index]) - sigma) < 1e-5
        differing += isSame ? 0 : 1
        moved += value != map[x, y] && !value.isNaN ? 1 : 0
      }
    }
    #expect(moved > 20)
    #expect(differing == 0)
  }

  @Test("The same bytes for any number of threads", arguments: [2, 3, 7])
  func threads(_ count: Int) {
    let (pair, map, sigmas) = randomScene(9, RasterSize(width: 50, height: 40))
    let one = chosen(pair, map, sigmas), several = chosen(pair, map, sigmas, threads: count)
    #expect(one.map.map(\.bitPattern) == several.map.map(\.bitPattern))
    #expect(one.sigmas.map(\.bitPattern) == several.sigmas.map(\.bitPattern))
  }

  @Test("A foreground that extends over its edge is taken back", arguments: 1...3)
  func extendedForegrounds(seed: Int) {
    let scene = SimulatedPair(width: 128, height: 64, seed: UInt64(seed), box: 8, noise: 1)
    // The box reaches from column 52 to 89; the map says 4 more on its right.
    let map = Raster<Float>(size: scene.pair.size) { x, y in
      (90...93).contains(x) && y > 16 && y < 48 ? 14 : scene.truth[x, y]
    }
    let sigmas = Raster<Float>(size: map.size, repeating: 0.1)
    let found = chosen(scene.pair, map, sigmas).map
    let wrong = { (values: [Float]) in
      zip(values, scene.truth.samples).count { abs($0 - $1) > 1 }
    }
    #expect(wrong(map.samples) == 4 * 31)
    #expect(wrong(found) < 4 * 31 * 3 / 5, "at most 63 were measured")
  }

  @Test("Far from edges nothing changes") func levelSurfaces() {
    let scene = SimulatedPair(seed: 4, slope: 0.02, noise: 2)
    let sigmas = Raster<Float>(size: scene.truth.size, repeating: 0.1)
    let found = chosen(scene.pair, scene.truth, sigmas)
    #expect(found.map == scene.truth.samples)
    #expect(found.sigmas == sigmas.samples)
  }
}
