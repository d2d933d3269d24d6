import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

/// The conversion of depth records to codes.
@Suite("Photo depth")
struct PhotoDepthTests {
  static let size = RasterSize(width: 31, height: 17)

  /// A record of random disparities, with holes at the given pixels.
  static func record(_ seed: UInt64, hasHoles: Bool = false) -> DepthRecord {
    var random = SeededGenerator(seed: seed)
    let scale = Float(random.next() % 300 + 1) / 100
    let values = Raster<Float>(size: size) { _, _ in
      let value = 0.1 + scale * Float(random.next() % 10_000) / 10_000
      return hasHoles && random.next() % 5 == 0 ? .nan : value
    }
    return DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: values)), storedType: "fdis",
      accuracy: .absolute)
  }

  static func values(_ depth: PhotoDepth) -> [Float] {
    depth.quantization.values(of: depth.codes).samples
  }

  @Test("Values lie within half a step, ends inside the range, holes at code 0", arguments: 0..<20)
  func quantized(seed: UInt64) throws {
    for hasHoles in [false, true] {
      for bits in [8, 16] {
        let record = Self.record(seed, hasHoles: hasHoles)
        let depth = try PhotoDepth(record, bits: bits)
        #expect(depth.codes.maximumCode == (1 << bits) - 1)
        let rule = depth.quantization
        if hasHoles { #expect(rule.minimumValue == 0) }
        guard case .disparity(let map) = record.values else { return }
        let given = map.inverseMeters.samples
        #expect(depth.holeCount == given.count { $0.isNaN })
        for (code, value) in zip(Self.values(depth), given) {
          if value.isNaN {
            #expect(code == 0)
          } else {
            #expect(Double(value) >= rule.minimumValue && Double(value) <= rule.maximumValue)
            // Half a step, and the rounding of the value to single precision.
            #expect(abs(Double(code) - Double(value)) <= rule.step * 0.5 + 1e-6)
            #expect(code > 0)
          }
        }
        // Six decimals say the range exactly.
        for end in [rule.minimumValue, rule.maximumValue] {
          #expect((end * 1e6).rounded() / 1e6 == end)
        }
      }
    }
  }

  @Test("Codes that mean the record's values are kept, whatever is asked")
  func kept() throws {
    let written = SamplePhotos.depth(9, bits: 8, quantity: .depth)
    var record = DepthRecord(
      values: .depth(DepthMap(meters: written.quantization.values(of: written.codes))),
      storedType: "L008")
    record.storedSamples = written.codes
    record.quantization = written.quantization
    let same = try PhotoDepth(record, quantity: .disparity, bits: 16)
    #expect(same.codes == written.codes)
    #expect(same.quantization == written.quantization)
    #expect(same.quantity == .depth)
    // One changed value, and they mean something else.
    if case .depth(var map) = record.values {
      map.meters[0, 0] += 0.5
      record.values = .depth(map)
    }
    let anew = try PhotoDepth(record, quantity: .disparity, bits: 16)
    #expect(anew.quantity == .disparity)
    #expect(anew.codes.maximumCode == 65_535)
  }

  @Test("Values that descend with codes are mirrored and stay what they are")
  func ascending() throws {
    let codes = StoredSamples.uint8(Raster(size: Self.size) { x, y in UInt8(x * 7 + y) })
    let rule = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 3, maximumValue: 0.5)
    var record = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: rule.values(of: codes))), storedType: "u8")
    record.storedSamples = codes
    record.quantization = rule
    record.hasUnit = false
    let depth = try PhotoDepth(record)
    #expect(depth.quantization.minimumValue == 0.5)
    #expect(depth.accuracy == .relative)
    for (a, b) in zip(Self.values(depth), rule.values(of: codes).samples) {
      // The line is drawn from its other end: the last bit of a single-precision number.
      #expect(abs(a - b) <= 3 * Float.ulpOfOne)
    }
  }

  @Test("A map of one value gets a range that readers believe")
  func constant() throws {
    let map = DisparityMap(inverseMeters: Raster(size: Self.size, repeating: 0.75))
    let record = DepthRecord(values: .disparity(map), storedType: "f32")
    var photo = PhotoContents(color: SamplePhotos.image(1))
    photo.depth = try PhotoDepth(record)
    let bytes = try JPEGPhotoWriter().bytes(of: photo)
    guard case .disparity(let back)? = try CaptureReader().capture(from: bytes).depth?.values else {
      Issue.record("no depth")
      return
    }
    #expect(back.inverseMeters.samples.allSatisfy { abs($0 - 0.75) < 3e-6 })
  }

  @Test("No value at all, ranges along rays and distances beyond sense are refused")
  func refused() {
    let empty = Raster<Float>(size: Self.size, repeating: .nan)
    let far = Raster<Float>(size: Self.size, repeating: 20_000)
    for values in [
      DepthRecord.Values.depth(DepthMap(meters: empty)), .range(RangeMap(meters: far)),
      .depth(DepthMap(meters: far)),
    ] {
      let record = DepthRecord(values: values, storedType: "f32")
      #expect(throws: PhotoWritingError.self) { try PhotoDepth(record, quantity: .depth) }
    }
  }
}
