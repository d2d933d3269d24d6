import Plumbline
import PlumblineTestSupport
import Testing

/// What users write for settings: places, numbers with their ±, ranges.
@Suite struct SettingTextTests {
  private static func pixel(_ generator: inout SeededGenerator) -> NamedPixel {
    let place = SIMD2(Double(Int.random(in: 0...4000, using: &generator)), 0) / 4
    let row = Double(Int.random(in: 0...9000, using: &generator)) / 4
    return NamedPixel(Bool.random(using: &generator) ? .photo : .depth, [place.x, row])
  }

  private static func point(_ generator: inout SeededGenerator) -> SIMD3<Double> {
    SIMD3(
      .random(in: -9...9, using: &generator), .random(in: -1e5...1e5, using: &generator),
      .random(in: -1e-3...1e-3, using: &generator))
  }

  private static func requests(seed: UInt64) throws -> [PlacedRequest] {
    var generator = SeededGenerator(seed: seed)
    let pixels = (0..<3).map { _ in pixel(&generator) }
    let area = MeasuredRectangle(
      pixels[0], size: [Double(Int.random(in: 1...900, using: &generator)), 7])
    let points = (0..<3).map { _ in point(&generator) }
    let region = CloudRegion(points[0], size: [0.1, 3, .random(in: 1e-3...9, using: &generator)])
    let plane = try #require(SectionPlane(point: [0, points[1].x, 0], normal: [0, 1, 0]))
    let ofPixels: [MeasurementRequest] = [
      .point(pixels[0]), .distance(pixels[0], pixels[1]), .angle(pixels[0], pixels[1], pixels[2]),
      .plane(area), .box(area), .height(pixels[1], area), .volume(area),
    ]
    let ofPoints: [CloudMeasurementRequest] = [
      .point(points[0]), .distance(points[0], points[1]), .angle(points[0], points[1], points[2]),
      .plane(region), .box(region), .height(points[1], region), .volume(.all), .area(region),
      .section(plane),
    ]
    return ofPixels.map(PlacedRequest.pixels) + ofPoints.map(PlacedRequest.points)
  }

  @Test(
    "What a request says of itself is read as that request",
    arguments: 1...40 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    for request in try Self.requests(seed: seed) {
      let (kind, text) =
        switch request {
        case .pixels(let request): (request.kind, request.description)
        case .points(let request): (request.kind, request.description)
        }
      let read = try #require(MeasurementKind(rawValue: kind)).request(parsing: text)
      #expect(read == request, "\(kind) \(text)")
    }
  }

  @Test("Pixels and points are not mixed, in one measurement or in several")
  func mixed() throws {
    for (kind, text) in [
      (MeasurementKind.distance, "1,2:1,2,3"), (.height, "1,2,3:1,2,5x5"),
      (.height, "1,2:1,2,3,1x1x1"),
    ] {
      let error = #expect(throws: SettingTextError.self) { try kind.request(parsing: text) }
      #expect(error?.expected.hasPrefix("all places alike") == true && error?.found == text)
    }
    let pixel = try MeasurementKind.point.request(parsing: "1,2")
    let point = try MeasurementKind.point.request(parsing: "1,2,3")
    #expect(throws: SettingTextError.self) { try MeasurementRequests([pixel, point]) }
    #expect(try MeasurementRequests([pixel, pixel]).count == 2)
    #expect(try MeasurementRequests([]).count == 0)
  }

  @Test(
    "What is no place is refused with the text that was written",
    arguments: [
      (.point, ""), (.point, "1"), (.point, "1,nan"), (.point, "depth:1,2,3"), (.point, "1,2,1e6"),
      (.point, "1,2:3,4"), (.distance, "1,2"), (.angle, "1,2:3,4"), (.plane, "1,2,0x4"),
      (.plane, "1,2,4"), (.plane, "1,2,4x4x4"), (.box, "0,0,0,1x-1x1"), (.height, "1,2"),
      (.area, "1,2,3x4"), (.section, "w=1"), (.section, "x="), (.section, "1,2,3:0,0,0"),
    ] as [(MeasurementKind, String)])
  func noPlace(kind: MeasurementKind, text: String) {
    let error = #expect(throws: SettingTextError.self) { try kind.request(parsing: text) }
    #expect(error?.expected.isEmpty == false && error?.found == text)
  }

  @Test("A number has its ± with either sign, and a length is above it")
  func stated() throws {
    for text in ["995±2", "995+-2", "995.0±2.0"] {
      let number = try StatedNumber(parsing: text)
      #expect(number.value == 995 && number.sigma == 2)
    }
    #expect(try StatedNumber(parsing: "-3").sigma == nil)
    for text in ["", "±", "995±", "995±0", "995±-1", "1e6", "nan", "995±nan", "1±2±3", "1+-2+-3"] {
      #expect(throws: SettingTextError.self) { try StatedNumber(parsing: text) }
    }
    #expect(try StatedNumber.length(parsing: "0.1±0.09").sigma == 0.09)
    for text in ["0", "-1", "0.1±0.1", "0.1±0.2"] {
      #expect(throws: SettingTextError.self) { try StatedNumber.length(parsing: text) }
    }
  }

  @Test("Ranges, sizes, parts and distances are read, and nothing else is")
  func others() throws {
    #expect(try ClosedRange(parsingDepths: "0.2:3") == 0.2...3)
    #expect(try Range(parsingDisparities: "-8:64") == -8..<65)
    #expect(try RasterSize(parsing: "640x480") == RasterSize(width: 640, height: 480))
    #expect(try CaptureParts(parsing: "depth,color") == [.color, .depth])
    let distance = try MeasuredDistance(parsing: "depth:3,4=0.41")
    #expect(distance == MeasuredDistance(at: .depth([3, 4]), meters: 0.41))
    for text in ["", ":", "3:0.2", "-1:2", "0:1001", "1:2:3", "1:x", "nan:2"] {
      #expect(throws: SettingTextError.self) { try ClosedRange(parsingDepths: text) }
    }
    for text in ["", "0:0", "1:0", "0:65535", "0:x:9", "0.5:2"] {
      #expect(throws: SettingTextError.self) { try Range(parsingDisparities: text) }
    }
    for text in ["", "0x4", "16385x1", "16384x16384", "4x4x4"] {
      #expect(throws: SettingTextError.self) { try RasterSize(parsing: text) }
    }
    for text in ["", "color,", "mattes"] {
      #expect(throws: SettingTextError.self) { try CaptureParts(parsing: text) }
    }
    for text in ["", "1,2", "1,2=", "1,2=0", "1,2=1001", "1,2=nan", "1,2=1=2", "x=1"] {
      #expect(throws: SettingTextError.self) { try MeasuredDistance(parsing: text) }
    }
  }
}
