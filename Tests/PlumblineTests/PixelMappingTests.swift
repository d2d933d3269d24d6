import Plumbline
import PlumblineImages
import PlumblineModel
import PlumblineSimulation
import PlumblineTestSupport
import Testing

/// Where a pixel of the photo as shown lies in the stored map.
@Suite struct PixelMappingTests {
  private static func capture(
    map: RasterSize, photo: RasterSize?, _ mapTurn: ImageOrientation,
    _ photoTurn: ImageOrientation, aperture: PixelRectangle? = nil
  ) -> Capture {
    var capture = Capture(source: CaptureSource())
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: map, repeating: 1))), storedType: "fdep")
    record.orientation = mapTurn
    record.cleanAperture = aperture
    capture.depth = record
    capture.colorSize = photo
    capture.colorOrientation = photoTurn
    return capture
  }

  @Test("As the rasters themselves turn: a marked pixel of the map is found where it is shown")
  func agreesWithRasters() throws {
    let size = RasterSize(width: 5, height: 3)
    for turn in ImageOrientation.allCases {
      let mapping = try #require(
        PixelMapping(Self.capture(map: size, photo: nil, turn, .up)))
      #expect(mapping.photoSize == turn.uprightSize(of: size))
      // The oracle: the raster whose samples say where they were stored, turned as a whole.
      let shown = Raster(size: size) { x, y in SIMD2(x, y) }.oriented(by: turn)
      for y in 0..<shown.height {
        for x in 0..<shown.width {
          let found = try mapping.located(.photo([Double(x), Double(y)]))
          #expect(found.depth == shown[x, y], "\(turn) \(x),\(y)")
          let place = SIMD2(Double(shown[x, y].x), Double(shown[x, y].y))
          #expect(mapping.photoPixel(ofMap: place) == [Double(x), Double(y)])
        }
      }
    }
  }

  @Test("There and back is the same place, for any sizes, turns and crops", arguments: 0..<40)
  func isInverse(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let map = RasterSize(width: number(8...400), height: number(8...400))
    let aperture = PixelRectangle(
      x: number(0...3), y: number(0...3), width: map.width - 4, height: map.height - 4)
    let capture = Self.capture(
      map: map, photo: RasterSize(width: number(1...5000), height: number(1...5000)),
      ImageOrientation.allCases[number(0...7)], ImageOrientation.allCases[number(0...7)],
      aperture: seed.isMultiple(of: 2) ? aperture : nil)
    let mapping = try #require(PixelMapping(capture))
    for _ in 0..<50 {
      let pixel = SIMD2(
        Double(number(0...mapping.photoSize.width - 1)),
        Double(number(0...mapping.photoSize.height - 1)))
      let there = mapping.mapPixel(ofPhoto: pixel)
      let back = mapping.photoPixel(ofMap: there)
      // Pixels; a few roundings of doubles below 5000.
      #expect(abs(back.x - pixel.x) < 1e-8 && abs(back.y - pixel.y) < 1e-8)
      let located = try mapping.located(.photo(pixel))
      #expect(abs(Double(located.depth.x) - there.x) <= 0.5 + 1e-8)
      #expect(abs(Double(located.depth.y) - there.y) <= 0.5 + 1e-8)
      #expect(located.depth.x >= 0 && located.depth.x < map.width)
      #expect(located.depth.y >= 0 && located.depth.y < map.height)
      let own = SIMD2(Double(located.depth.x), Double(located.depth.y))
      #expect(try mapping.located(.depth(own)).depth == located.depth)
    }
  }

  @Test("Half a pixel around the border is inside, and what is beyond is refused")
  func bounds() throws {
    let size = RasterSize(width: 4, height: 3)
    let photo = RasterSize(width: 40, height: 30)
    let mapping = try #require(PixelMapping(Self.capture(map: size, photo: photo, .up, .up)))
    #expect(try mapping.located(.photo([39, 29])).depth == [3, 2])
    #expect(try mapping.located(.photo([-0.5, -0.5])).depth == [0, 0])
    for pixel in [SIMD2(40.0, 0), [0, 30], [-1, 0], [1e300, 0]] {
      #expect(throws: PixelError.outsidePhoto(pixel, size: photo)) {
        try mapping.located(.photo(pixel))
      }
    }
    for pixel in [SIMD2(4.0, 0), [0, 3], [-1, 0], [0, -1e300]] {
      #expect(throws: PixelError.outsideMap(pixel, size: size)) {
        try mapping.located(.depth(pixel))
      }
    }
    #expect(PixelMapping(Capture(source: CaptureSource())) == nil)
  }
}
