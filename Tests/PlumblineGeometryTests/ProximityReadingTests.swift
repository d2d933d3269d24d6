import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct ProximityReadingTests {
  /// Steps of a thousandth of the depth, and no more.
  static let stepShare = 0x1p-10

  static func wall(_ meters: Float, _ size: RasterSize = RasterSize(width: 64, height: 48))
    -> DepthMap
  { DepthMap(meters: Raster(size: size, repeating: meters)) }

  static func reading(_ depth: DepthMap, in region: PixelRectangle? = nil) -> ProximityReading {
    let focal = Double(depth.size.width)
    return ProximityReading(depth, in: region, focalLength: [focal, focal])
  }

  @Test(arguments: [Float(0.02), 0.1, 0.31, 1, 2.7, 5, 40])
  func aWallIsAsNearAsItIs(meters: Float) throws {
    for width in [16, 64, 320] {
      let size = RasterSize(width: width, height: width * 3 / 4)
      let nearest = try #require(Self.reading(Self.wall(meters, size)).nearestMeters)
      #expect(abs(nearest / Double(meters) - 1) <= Self.stepShare)
    }
  }

  @Test func aLonelyPixelIsNoThingAndAHandIs() throws {
    let size = RasterSize(width: 320, height: 240)
    var depth = Self.wall(3, size)
    depth.meters[100, 100] = 0.2
    let lonely = try #require(Self.reading(depth).nearestMeters)
    #expect(abs(lonely / 3 - 1) <= Self.stepShare)
    // At 0.3 m and f = 320 px, 10 cm² are (0.0316 m · 320 / 0.3)² = 33.7² pixels.
    for y in 50..<84 { for x in 200..<234 { depth.meters[x, y] = 0.3 } }
    let hand = try #require(Self.reading(depth).nearestMeters)
    #expect(abs(hand / 0.3 - 1) <= Self.stepShare)
    // Outside of the region it is not seen.
    let left = PixelRectangle(x: 0, y: 0, width: 160, height: 240)
    let beside = try #require(Self.reading(depth, in: left).nearestMeters)
    #expect(abs(beside / 3 - 1) <= Self.stepShare)
  }

  @Test func itIsTheSortedPixelsAnswer() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let size = RasterSize(width: 40, height: 30)
      let samples = (0..<size.pixelCount).map { _ in
        random.uniform(in: 0..<1) < 0.3 ? Float.nan : Float(random.uniform(in: 0.01..<6))
      }
      let depth = DepthMap(meters: Raster(size: size, samples: samples))
      let reading = Self.reading(depth)
      let measured = samples.filter { $0 > 0 }.map(Double.init).sorted()
      #expect(reading.measuredShare == Double(measured.count) / Double(size.pixelCount))
      var area = 0.0
      var slow: Double?
      for (index, z) in measured.enumerated() where slow == nil {
        area += z * z / (40 * 40)
        if area >= ProximityReading.leastAreaSquareMeters || index + 1 >= size.pixelCount / 2 {
          slow = z
        }
      }
      let nearest = try #require(reading.nearestMeters)
      let expected = try #require(slow)
      // One step for the depth itself, two for the areas of the pixels before it.
      #expect(abs(nearest / expected - 1) <= 3 * Self.stepShare)
    }
  }

  @Test func whatIsNotMeasuredSaysNothing() {
    let reading = Self.reading(Self.wall(.nan))
    #expect(reading.nearestMeters == nil)
    #expect(reading.sigmaMeters == nil)
    #expect(reading.measuredShare == 0)
    let none = Self.reading(
      Self.wall(1), in: PixelRectangle(x: 3, y: 3, width: 0, height: 0))
    #expect(none.nearestMeters == nil && none.measuredShare == 0)
  }

  @Test func theSigmaIsThatOfTheThing() throws {
    var depth = Self.wall(2)
    var sigma = Raster<Float>(size: depth.size, repeating: 0.5)
    for y in 0..<24 {
      for x in 0..<64 {
        depth.meters[x, y] = 0.5
        sigma[x, y] = 0.02
      }
    }
    let map = ProximityReading(depth, focalLength: [64, 64], uncertainty: .meters(sigma))
    #expect(abs(try #require(map.sigmaMeters) - 0.02) < 1e-7)
    let curve = ProximityReading(
      depth, focalLength: [64, 64], uncertainty: .curve(SigmaCurve(perMeter: 0.1)))
    let nearest = try #require(curve.nearestMeters)
    #expect(abs(try #require(curve.sigmaMeters) - 0.1 * nearest) < 1e-12)
  }
}
