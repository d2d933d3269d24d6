import Plumbline
import PlumblineModel
import PlumblineSimulation
import Testing

/// A region of a watch counts in the image as shown, whatever turn and mirroring a capture states.
@Suite("A region of a watch")
struct ProximityRegionTests {
  private static let mapSize = RasterSize(width: 40, height: 28)

  /// A map at 2 m, in which nothing else is than what `meters` gives at stored pixels.
  private static func capture(
    _ orientation: ImageOrientation, aperture: PixelRectangle? = nil,
    meters: (SIMD2<Int>) -> Float
  ) -> Capture {
    var capture = Capture(source: CaptureSource(camera: .lidar))
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: mapSize) { x, y in meters([x, y]) })),
      storedType: "fdep", accuracy: .absolute)
    record.orientation = orientation
    record.cleanAperture = aperture
    capture.depth = record
    return capture
  }

  private static func watch(_ region: ProximityWatch.Region) -> ProximityWatch {
    ProximityWatch(ProximityAlert(nearMeters: 0.5, confirmingFrames: 1), region: region)
  }

  @Test(
    "Its stored pixels are those that a map turned as a whole shows in it",
    arguments: ImageOrientation.allCases)
  func pixels(orientation: ImageOrientation) throws {
    let apertures: [PixelRectangle?] = [nil, PixelRectangle(x: 3, y: 1, width: 33, height: 26)]
    for aperture in apertures {
      for seed in 0..<20 {
        var random = SeededGenerator(seed: UInt64(seed))
        let corner = SIMD2(
          Double.random(in: 0...0.9, using: &random), Double.random(in: 0...0.9, using: &random))
        let region = ProximityWatch.Region(
          x: corner.x, y: corner.y, width: Double.random(in: 0.02...1 - corner.x, using: &random),
          height: Double.random(in: 0.02...1 - corner.y, using: &random))
        var watch = Self.watch(region)
        let capture = Self.capture(orientation, aperture: aperture) { _ in 2 }
        _ = try watch.next(capture)
        let found = try #require(watch.latestRegion)
        // The oracle: a raster whose samples say where they were stored, turned as a whole.
        let part =
          aperture
          ?? PixelRectangle(x: 0, y: 0, width: Self.mapSize.width, height: Self.mapSize.height)
        let places = Raster<SIMD2<Int>>(size: part.size) { (x: Int, y: Int) -> SIMD2<Int> in
          SIMD2(part.x + x, part.y + y)
        }
        let shown = places.oriented(by: orientation)
        #expect(found.photo == region.pixels(of: shown.size))
        let expected = Set(shown.cropped(to: found.photo).samples)
        let depth = found.depth
        let stored = Set(
          (0..<depth.size.pixelCount).map { (index: Int) -> SIMD2<Int> in
            let (row, column) = index.quotientAndRemainder(dividingBy: depth.size.width)
            return SIMD2(depth.x + column, depth.y + row)
          })
        #expect(stored == expected, "\(orientation) \(region)")
      }
    }
  }

  @Test("What is near in the upper left as shown is seen there and nowhere else")
  func reading() throws {
    let corners: [(place: SIMD2<Double>, meters: Double)] = [
      ([0, 0], 0.3), ([0.5, 0], 2), ([0, 0.5], 2), ([0.5, 0.5], 2),
    ]
    for orientation in ImageOrientation.allCases {
      let upright = orientation.uprightSize(of: Self.mapSize)
      let capture = Self.capture(orientation) { pixel in
        let place = orientation.upright([Double(pixel.x), Double(pixel.y)], in: Self.mapSize)
        let isNear = place.x < Double(upright.width / 2) && place.y < Double(upright.height / 2)
        return isNear ? 0.3 : 2
      }
      for (corner, meters) in corners {
        var watch = Self.watch(
          ProximityWatch.Region(x: corner.x, y: corner.y, width: 0.5, height: 0.5))
        let event = try #require(try watch.next(capture))
        // Steps of a reading are 2⁻¹⁰ of the depth.
        let nearest = try #require(event.reading.nearestMeters)
        #expect(abs(nearest - meters) < 0.003, "\(orientation) \(corner)")
        #expect(event.state == (meters < 0.5 ? .near : .clear))
      }
    }
  }

  @Test("Without a region all that is shown counts, and what lies beyond a clean aperture does not")
  func whole() throws {
    let aperture = PixelRectangle(x: 4, y: 0, width: 36, height: 28)
    let capture = Self.capture(.up, aperture: aperture) { $0.x < 4 ? 0.1 : 2 }
    var watch = Self.watch(.whole)
    #expect(try watch.next(capture)?.state == .clear)
    #expect(watch.latestRegion?.depth == aperture)
    #expect(watch.latestRegion?.text == "0,0,36x28 (depth:4,0,36x28)")
  }
}
