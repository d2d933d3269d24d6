import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@Suite("Google depth formats")
struct GoogleDepthTests {
  @Test(
    "Turns codes into depth by both laws and all units",
    arguments: [
      (DynamicDepthRange.Format.linear, 0.3, 8.0, DynamicDepthRange.Unit.meters, 0, 0.3),
      (.linear, 0.3, 8, .meters, 255, 8),
      (.linear, 0.3, 8, .meters, 51, 1.84),
      (.inverse, 0.5, 10, .meters, 0, 0.5),
      (.inverse, 0.5, 10, .meters, 255, 10),
      // 10·0.5 / (10 − 0.2·9.5) = 5/8.1
      (.inverse, 0.5, 10, .meters, 51, 0.617283950617284),
      (.inverse, 500, 10_000, .millimeters, 51, 0.617283950617284),
      // 4 + 0.2·(0.5 − 4) = 3.3 1/m
      (.linear, 4, 0.5, .diopters, 51, 0.303030303030303),
    ])
  func vectors(
    format: DynamicDepthRange.Format, near: Double, far: Double, unit: DynamicDepthRange.Unit,
    code: Int, depth: Double
  ) throws {
    let range = try DynamicDepthRange(format: format, near: near, far: far, unit: unit)
    let result = try #require(range.depth(code: code, maximumCode: 255))
    // Doubles of a few operations: 1e-12 relative leaves room for rounding only.
    #expect(abs(result - depth) <= 1e-12 * depth)
    let dn = Double(code) / 255
    #expect(abs(range.normalizedCode(distance: range.distance(normalizedCode: dn)) - dn) < 1e-12)
  }

  @Test("Gives no meters without a unit, and none at distance 0")
  func unspecified() throws {
    let range = try DynamicDepthRange(format: .inverse, near: 18.8, far: 633, unit: .unspecified)
    #expect(range.depth(code: 9, maximumCode: 255) == nil)
    let zero = try DynamicDepthRange(format: .linear, near: 0, far: 8, unit: .meters)
    #expect(zero.depth(code: 0, maximumCode: 65_535) == nil)
  }

  @Test(
    "Refuses ranges that divide by zero or run backwards",
    arguments: [
      (DynamicDepthRange.Format.inverse, 0.0, 5.0), (.linear, 5, 1), (.linear, 2, 2),
      (.inverse, -1, 5), (.linear, .nan, 5), (.inverse, 1, .infinity), (.inverse, 1e-300, 5),
    ])
  func impossible(format: DynamicDepthRange.Format, near: Double, far: Double) {
    #expect(throws: CaptureReadingError.self) {
      try DynamicDepthRange(format: format, near: near, far: far, unit: .meters)
    }
  }

  @Test("Reads a map out of GDepth properties, folded base64 included")
  func gdepth() throws {
    let packet = XMPSamples.packet(
      """
      xmlns:G="http://ns.google.com/photos/1.0/depthmap/" G:Format="RangeLinear" G:Near="0.25" \
      G:Far="4" G:Units="mm" G:MeasureType="OpticRay" G:Mime="image/png" G:Data="Zm9v\nYmE="
      """)
    let metadata = try #require(try GDepthMetadata(try XMPPacket(Array(packet.utf8))))
    #expect(metadata.depthImage == Array("fooba".utf8))
    #expect(metadata.measureType == .opticRay)
    #expect(metadata.range.unit == .millimeters)
    #expect(metadata.range.format == .linear)
    #expect(metadata.confidenceImage == nil)
    let other = try XMPPacket(Array(XMPSamples.packet("").utf8))
    #expect(try GDepthMetadata(other) == nil)
    #expect(try DynamicDepthMetadata(other) == nil)
    #expect(AppendedImageDirectory(other) == nil)
  }

  @Test(
    "Reads a real Lens Blur photo: 21 segments, a PNG of the size of the photo",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func lensBlur() throws {
    let file = try JPEGFile(try RealData.bytes("photos/gdepth_range_inverse.jpg")[...])
    let packet = try #require(try file.primary.xmpPacket())
    let metadata = try #require(try GDepthMetadata(packet))
    #expect(metadata.range.format == .inverse)
    #expect(metadata.range.near == 18.849538803100586)
    #expect(metadata.range.far == 633.323486328125)
    #expect(metadata.range.unit == .unspecified)
    #expect(metadata.mime == "image/png")
    let samples = try PNGImage(metadata.depthImage[...]).storedSamples()
    #expect(samples.size.aspectRatio == file.primary.frame?.size.aspectRatio)
    #expect(samples.maximumCode == 255)
  }

  @Test(
    "Reads the Dynamic Depth of a real Pixel",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func pixel() throws {
    let bytes = try RealData.bytes("photos/dynamic_depth_pixel.xmp.xml")
    // The file holds two packets, one after the other; the second is the extended one.
    let starts = bytes.indices.filter { bytes[$0...].starts(with: Array("<x:xmpmeta".utf8)) }
    try #require(starts.count == 2)
    let packet = try XMPPacket(bytes[..<starts[1]]).merging(try XMPPacket(bytes[starts[1]...]))
    let metadata = try #require(try DynamicDepthMetadata(packet))
    let camera = try #require(metadata.cameras.first)
    let map = try #require(camera.depthMap)
    #expect(map.range.format == .linear)
    #expect(map.range.near == 0.3)
    #expect(map.range.far == 8)
    #expect(map.range.unit == .unspecified)
    #expect(map.itemSemantic == "Segmentation")
    #expect(map.depthURI == "android/depthmap")
    #expect(map.confidenceURI == "android/confidencemap")
    #expect(camera.imagingModel?.focalLengthX == 1_812.5)
    #expect(camera.imagingModel?.principalPointY == 1_232.100342)
    let directory = try #require(metadata.directory)
    #expect(directory.items.map(\.length) == [0, 2_420_326, 135_047, 96_395])
    let ranges = directory.ranges(primaryEnd: 1_000, fileEnd: 2_600_000)
    #expect(ranges[2] == 2_421_326..<2_556_373)
    #expect(ranges[3] == nil)
  }
}
