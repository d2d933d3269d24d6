import PlumblineModel
@testable import PlumblineStereo
import PlumblineTestSupport
import Testing

/// The kernels of features beside plain Swift of the same definitions.
@Suite struct PairFeatureTests {
  /// Odd sizes, so that every kernel has a rest after its vectors, down to images without an inside.
  private static let sizes = [(67, 41), (33, 32), (9, 7), (7, 7), (6, 9), (5, 5), (4, 3), (1, 1)]
    .map { RasterSize(width: $0.0, height: $0.1) }

  private static func image(_ size: RasterSize, _ seed: UInt64) -> Raster<UInt8> {
    var generator = SeededGenerator(seed: seed)
    return Raster(
      size: size,
      samples: (0..<size.pixelCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  @Test(arguments: sizes)
  func boxSumsAreSums(size: RasterSize) {
    let image = Self.image(size, 1)
    #expect(FeaturePyramid.boxSums(image).samples == PlainFeatures(image).boxSums(radius: 2))
  }

  @Test(arguments: sizes)
  func strengthIsTheSmallerEigenvalue(size: RasterSize) {
    let limit = 2 * 25 * 255 * 255 / 100 * 0x1p-22
    for (seed, contrast) in [(2, 1.0), (3, 0.02)] {
      let image = Self.image(size, UInt64(seed)).map { UInt8(Double($0) * contrast) }
      let strength = FeaturePyramid.strength(of: image)
      let plain = PlainFeatures(image).strength(radius: 2)
      for (one, other) in zip(strength, plain) {
        // Single precision holds the sums exactly; the root of their squares is off by its rounding,
        // a share of the trace, which is at most 2·25·255² over 100.
        #expect(abs(Double(one) - other) <= limit)
      }
      #expect(strength.count == plain.count)
    }
  }

  @Test func theNearestIsTheFirstOfTheNearest() {
    var generator = SeededGenerator(seed: 4)
    func features(_ count: Int) -> [ImageFeature] {
      (0..<count).map { _ in
        // Few bits, so that many distances are equal.
        func draw(_ count: UInt64) -> UInt64 { UInt64.random(in: 0..<count, using: &generator) }
        let bits = SIMD4<UInt64>(draw(8), draw(4), 1 << draw(64), draw(2) << 63)
        return ImageFeature(position: .zero, level: 0, direction: [1, 0], descriptor: bits)
      }
    }
    for counts in [(40, 70), (3, 1), (2, 0), (0, 4)] {
      let (own, others) = (features(counts.0), features(counts.1))
      let found = PairMatching.nearest(own, others)
      #expect(found.count == own.count)
      for (feature, near) in zip(own, found) {
        let distances = others.map { PlainFeatures.distance(feature.descriptor, $0.descriptor) }
        let sorted = distances.sorted()
        #expect(near.index == (distances.firstIndex { $0 == sorted.first } ?? -1))
        #expect(Int(near.distance) == sorted.first ?? 257)
        #expect(Int(near.second) == (sorted.count > 1 ? sorted[1] : 257))
      }
    }
  }

  @Test func placesAreRefinedAsPlainly() {
    let size = RasterSize(width: 64, height: 48)
    let texture = RandomTexture(seed: 5)
    let left = texture.image(size)
    let right = texture.image(size) { $0 + [1.3, -0.6] }
    let flat = Raster<UInt8>(size: size, repeating: 128)
    var generator = SeededGenerator(seed: 6)
    var moved = 0
    for _ in 0..<60 {
      // Some windows leave the image.
      let source = SIMD2(
        Double.random(in: 5..<59, using: &generator), Double.random(in: 5..<43, using: &generator))
      let start = source - [1, 0]
      var (place, plain) = (start, start)
      let correlation = PairMatching.refine(&place, in: right, like: source, in: left)
      let expected = PlainFeatures(left).refine(&plain, in: right, like: source, radius: 7)
      // One order of sums in double precision, in single only at the end.
      #expect(abs(Double(correlation) - expected) <= 1e-6)
      #expect(abs(place.x - plain.x) <= 1e-9 && abs(place.y - plain.y) <= 1e-9, "px")
      if correlation == -2 { #expect(place == start) } else { moved += 1 }
      for (one, other) in [(flat, left), (left, flat)] {
        var stays = start
        #expect(PairMatching.refine(&stays, in: one, like: source, in: other) == -2)
        #expect(stays == start)
      }
    }
    #expect(moved > 10 && moved < 60, "\(moved): inside and outside are both tried")
  }
}
