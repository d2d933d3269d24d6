import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Depth as colors")
struct DepthColorsTests {
  static let hole = RGB8(red: 1, green: 2, blue: 3)
  static let holes: [Float] = [.nan, -.nan, .infinity, -.infinity, 0, -0.0, -1]

  /// Numbers as a producer may store them, with padding and a twentieth of each kind of hole.
  static func numbers(_ size: RasterSize, stride: Int, seed: UInt64) -> Raster<Float> {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<stride * size.height).map { _ -> Float in
      if random.chance(0.05) { return holes.randomElement(using: &random) ?? .nan }
      if random.chance(0.02) {
        return [.leastNonzeroMagnitude, 1e-9, 1e9, 3e38].randomElement(using: &random) ?? 1
      }
      return Float(random.uniform(in: 0.2..<6))
    }
    return Raster(size: size, rowStride: stride, samples: samples)
  }

  /// The three kinds of map, holes as they are: properties are open to everyone.
  static func kinds(_ numbers: Raster<Float>) -> [DepthRecord.Values] {
    let ones = Raster<Float>(size: numbers.size, repeating: 1)
    var depth = DepthMap(meters: ones)
    var disparity = DisparityMap(inverseMeters: ones)
    var range = RangeMap(meters: ones)
    (depth.meters, disparity.inverseMeters, range.meters) = (numbers, numbers, numbers)
    return [.depth(depth), .disparity(disparity), .range(range)]
  }

  static func isDisparity(_ values: DepthRecord.Values) -> Bool {
    if case .disparity = values { true } else { false }
  }

  /// One pixel after the other, in single precision as the kernel.
  static func slowlyLinear(
    _ numbers: Raster<Float>, isDisparity: Bool, near: Float, far: Float, _ colors: [RGB8]
  ) -> [RGB8] {
    numbers.map { number in
      let depth = isDisparity ? 1 / number : number
      guard number > 0, number.isFinite, depth.isFinite else { return hole }
      let place = (depth - near) * (255 / (far - near)) + 0.5
      return colors[Int(min(max(place, 0), 255))]
    }.samples
  }

  @Test("A fixed span equals plain Swift at any width and padding", arguments: 1...70)
  func fixed(width: Int) {
    let size = RasterSize(width: width, height: 3)
    let numbers = Self.numbers(size, stride: width + width % 4, seed: UInt64(width))
    for (map, values) in zip(ColorMap.allCases, Self.kinds(numbers)) {
      let colors = DepthColors(
        map, span: .fixed(nearMeters: 0.4, farMeters: 4.5), missing: Self.hole)
      let expected = Self.slowlyLinear(
        numbers, isDisparity: Self.isDisparity(values), near: 0.4, far: 4.5, map.colors)
      #expect(colors.colors(of: values).samples == expected)
      var reused = Raster(size: size, repeating: RGB8(red: 9, green: 9, blue: 9))
      colors.colors(of: values, into: &reused)
      #expect(reused.samples == expected)
      var other = Raster(size: RasterSize(width: 2, height: 2), repeating: Self.hole)
      colors.colors(of: values, into: &other)
      #expect(other.size == size && other.samples == expected)
    }
  }

  @Test("A map larger than a block equals plain Swift")
  func large() {
    let size = RasterSize(width: 1_731, height: 5)
    for stride in [1_731, 1_733] {
      let numbers = Self.numbers(size, stride: stride, seed: 5)
      for values in Self.kinds(numbers) {
        let colors = DepthColors(
          .jet, span: .fixed(nearMeters: 0, farMeters: 3), missing: Self.hole)
        #expect(
          colors.colors(of: values).samples
            == Self.slowlyLinear(
              numbers, isDisparity: Self.isDisparity(values), near: 0, far: 3,
              ColorMap.jet.colors))
      }
    }
  }

  @Test("What is not finite and above 0 has the color of holes", arguments: ColorMap.allCases)
  func missing(map: ColorMap) {
    let size = RasterSize(width: Self.holes.count, height: 1)
    let spans: [DepthColors.Span] = [
      .fixed(nearMeters: 0.1, farMeters: 1), .automatic, .equalized,
    ]
    for values in Self.kinds(Raster(size: size, samples: Self.holes)) {
      for span in spans {
        let colors = DepthColors(map, span: span, missing: Self.hole)
        #expect(colors.colors(of: values).samples.allSatisfy { $0 == Self.hole })
      }
      #expect(DepthColors(map, span: .automatic).rangeMeters(of: values) == nil)
    }
    let none = Self.kinds(Raster(size: RasterSize(width: 0, height: 4), samples: []))
    for span in spans { #expect(DepthColors(span: span).colors(of: none[0]).samples.isEmpty) }
  }

  @Test("The automatic span holds the quantiles, exact to a bin and the 2 % around them")
  func automatic() throws {
    let size = RasterSize(width: 97, height: 83)
    var random = SeededGenerator(seed: 8)
    let depths = Raster<Float>(size: size) { _, _ in Float(random.uniform(in: 0.5..<2)) }
    let inverse = depths.map { 1 / $0 }
    let sorted = depths.samples.sorted()
    let last = Float(sorted.count - 1)
    let quantiles = (sorted[Int(0.002 * last)], sorted[Int((0.998 * last).rounded(.up))])
    let pad = (quantiles.1 - quantiles.0) / 50
    let colors = DepthColors(span: .automatic)
    for values in [Self.kinds(depths)[0], Self.kinds(inverse)[1], Self.kinds(depths)[2]] {
      let range = try #require(colors.rangeMeters(of: values))
      // Two bins of 1/2048 each, and as much of the pad.
      #expect(abs(range.lowerBound - (quantiles.0 - pad)) < 0.002 * quantiles.0)
      #expect(abs(range.upperBound - (quantiles.1 + pad)) < 0.002 * quantiles.1)
      let fixed = DepthColors(
        span: .fixed(nearMeters: range.lowerBound, farMeters: range.upperBound))
      #expect(colors.colors(of: values).samples == fixed.colors(of: values).samples)
      #expect(fixed.rangeMeters(of: values) == range)
    }
    let wall = Raster<Float>(size: size, repeating: 1)
    for values in Self.kinds(wall) {
      let range = try #require(colors.rangeMeters(of: values))
      #expect(range.lowerBound < 1 && range.upperBound > 1 && range.upperBound < 1.01)
      #expect(Set(colors.colors(of: values).samples).count == 1)
    }
  }
}
