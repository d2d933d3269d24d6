import PlumblineTestSupport
import Testing

@testable import PlumblineModel

@Suite("Depth as colors, equalized")
struct EqualizedColorsTests {
  static let size = RasterSize(width: 61, height: 47)
  /// Gray gives the position back: 255 is nearest.
  static let colors = DepthColors(.gray, span: .equalized)

  /// Positions from near, 0, to far, 255; holes would be 255, so none may be in `values`.
  static func places(_ values: DepthRecord.Values) -> [Int] {
    colors.colors(of: values).samples.map { 255 - Int($0.red) }
  }

  static func places(ofDepths meters: [Float]) -> [Int] {
    let size = RasterSize(width: meters.count, height: 1)
    return places(.depth(DepthMap(meters: Raster(size: size, samples: meters))))
  }

  /// Bin numbers by arithmetic in place of bits.
  static func bin(_ value: Float) -> Int? {
    guard value > 0, value.isFinite else { return nil }
    if value < 0x1p-16 { return 0 }
    if value >= 0x1p16 { return 65_535 }
    return (Int(value.exponent) + 16) * 2048 + Int((value.significand - 1) * 2048)
  }

  @Test(
    "Equals plain Swift that sorts, for every kind, width and padding",
    arguments: Array(stride(from: 1, through: 31, by: 5)))
  func twin(width: Int) {
    let size = RasterSize(width: width * width, height: 3)
    let numbers = DepthColorsTests.numbers(
      size, stride: size.width + width % 3, seed: UInt64(width))
    for values in DepthColorsTests.kinds(numbers) {
      let isDisparity = DepthColorsTests.isDisparity(values)
      let bins = numbers.map { Self.bin($0) ?? -1 }.samples
      let sorted = bins.filter { $0 >= 0 }.sorted()
      let colors = ColorMap.turbo.colors
      var colorOfBin: [Int: RGB8] = [:]
      var first = 0
      while first < sorted.count {
        let after = sorted[first...].firstIndex { $0 != sorted[first] } ?? sorted.count
        let place = 128 * (first + after) / sorted.count
        colorOfBin[sorted[first]] = colors[isDisparity ? 255 - place : place]
        first = after
      }
      let image = DepthColors(span: .equalized, missing: DepthColorsTests.hole)
        .colors(of: values)
      #expect(image.samples == bins.map { colorOfBin[$0] ?? DepthColorsTests.hole })
    }
  }

  @Test("Bins rise with the value and end where bits say")
  func bins() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<150 {
      let value =
        Float(sign: .plus, exponent: -20 + random.integer(below: 41), significand: 1)
        * Float(random.uniform(in: 1..<2))
      let map = DepthMap(meters: Raster(size: RasterSize(width: 1, height: 1), repeating: value))
      let histogram = ValueHistogram(.depth(map))
      #expect(histogram.total == 1)
      #expect(histogram.counts.firstIndex(of: 1) == Self.bin(value))
    }
  }

  @Test(
    "Farther is never nearer in color, and no color is used more than its share and two bins",
    arguments: [1, 2, 3] as [UInt64])
  func shares(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // A near face, a far wall and little in between, which a linear span would paint in two colors.
    let depths = (0..<20_000).map { _ -> Float in
      let isFace = random.chance(0.6)
      return Float(isFace ? random.gaussian(mean: 0.4, sigma: 0.02) : random.uniform(in: 0.5..<8))
    }
    let places = Self.places(ofDepths: depths)
    let sorted = zip(depths, places).sorted { $0.0 < $1.0 }.map(\.1)
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 })
    let fullest = Dictionary(grouping: depths, by: Self.bin).values.map(\.count).max() ?? 0
    var used = [Int](repeating: 0, count: 256)
    for place in places { used[place] += 1 }
    for count in used {
      #expect(abs(Double(count) - 20_000 / 256) <= Double(fullest) + 1)
    }
  }

  @Test("Distinct halves use each color equally often, to one pixel", arguments: [256, 1000, 5000])
  func distinct(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    // Normal halves below 4: the patterns that a TrueDepth camera can deliver.
    let patterns = (UInt16(0x0400)..<0x4400).shuffled(using: &random).prefix(count)
    let places = Self.places(
      ofDepths: patterns.map { half in
        let significand = 1 + Float(half & 0x3FF) / 1024
        return Float(sign: .plus, exponent: Int(half >> 10) - 15, significand: significand)
      })
    var used = [Int](repeating: 0, count: 256)
    for place in places { used[place] += 1 }
    for used in used { #expect(abs(Double(used) - Double(count) / 256) < 1) }
  }

  @Test(
    "The viewer takes the same places, holes and values beyond the bins included",
    .enabled(if: NodePeer.isPresent, "\(NodePeer.absence)"), arguments: [1, 2, 3] as [UInt64])
  func viewer(seed: UInt64) throws {
    let numbers = DepthColorsTests.numbers(Self.size, stride: Self.size.width, seed: seed)
    let bits = numbers.samples.map { String($0.bitPattern) }.joined(separator: ",")
    let answer = try NodePeer.run(
      after: "depthranks.js",
      """
      const depths = new Float32Array(Uint32Array.of(\(bits)).buffer);
      const ranks = new DepthRanks(depths);
      console.log(Array.from(depths, (depth) => ranks.positionOf(depth)).join());
      """)
    let found = String(decoding: answer, as: UTF8.self).split { ",\n".contains($0) }.map { Int($0) }
    let expected = Self.places(.depth(DepthMap(meters: numbers)))
    #expect(found.count == expected.count)
    for (value, (found, expected)) in zip(numbers.samples, zip(found, expected))
    where value > 0 && value.isFinite {
      #expect(found == expected, "\(value) m")
    }
  }

  @Test("A power of two times all depths changes no color")
  func scale() {
    var random = SeededGenerator(seed: 4)
    let depths = (0..<3_000).map { _ in Float(random.uniform(in: 0.3..<5)) }
    let places = Self.places(ofDepths: depths)
    for power in [0.125, 2, 64] as [Float] {
      #expect(Self.places(ofDepths: depths.map { power * $0 }) == places)
    }
  }

  @Test("A disparity of 1/z has the color of z, or its neighbor where a bin ends between them")
  func disparity() {
    var random = SeededGenerator(seed: 6)
    let depth = Raster<Float>(size: Self.size) { _, _ in Float(random.uniform(in: 0.3..<5)) }
    let inverse = DisparityMap(inverseMeters: depth.map { 1 / $0 })
    let (a, b) = (
      Self.places(.depth(DepthMap(meters: depth))), Self.places(.disparity(inverse))
    )
    #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test("A wall alone has the color in the middle")
  func wall() {
    #expect(Set(Self.places(ofDepths: Array(repeating: 1.5, count: 99))) == [128])
  }
}
