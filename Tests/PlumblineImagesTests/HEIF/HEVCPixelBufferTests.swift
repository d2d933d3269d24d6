import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

/// What VideoToolbox hands over, made here: planes with rows that are longer than their samples.
@Suite("Planes of a platform codec")
struct HEVCPixelBufferTests {
  /// The parameters that an image without compression states.
  static func parameters(
    _ size: RasterSize, bitDepth: Int = 8, isMonochrome: Bool = true, isFullRange: Bool? = true
  ) throws -> SequenceParameterSet {
    let half = RasterSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let chroma = Raster(size: half, samples: [UInt16](repeating: 0, count: half.pixelCount))
    var image = RawHEVCImage(
      luma: Raster(size: size, samples: [UInt16](repeating: 0, count: size.pixelCount)),
      chroma: isMonochrome ? nil : (chroma, chroma), bitDepth: bitDepth)
    image.color = isFullRange.map { (2, 2, 2, $0) }
    return try SequenceParameterSet(unit: image.sequenceParameters[...])
  }

  /// A plane whose rows have extra bytes, and of which one sample is given by its place.
  struct Memory {
    var bytes: [UInt8]
    var bytesPerRow: Int
    var size: RasterSize

    init(
      _ size: RasterSize, bytesPerColumn: Int, padding: Int,
      _ sample: (_ x: Int, _ y: Int, _ byte: Int) -> UInt8
    ) {
      self.size = size
      bytesPerRow = size.width * bytesPerColumn + padding
      bytes = [UInt8](repeating: 0xEE, count: bytesPerRow * size.height)
      for y in 0..<size.height {
        for x in 0..<size.width {
          for byte in 0..<bytesPerColumn {
            bytes[y * bytesPerRow + x * bytesPerColumn + byte] = sample(x, y, byte)
          }
        }
      }
    }
  }

  static func packed(
    _ format: UInt32, _ planes: [Memory], _ parameters: SequenceParameterSet,
    size: RasterSize? = nil
  ) throws -> [UInt8] {
    // The bytes of all planes in one array, so that their pointers live through the call.
    let all = planes.flatMap(\.bytes)
    return try all.withUnsafeBytes { memory in
      var start = 0
      let described = planes.map { plane in
        defer { start += plane.bytes.count }
        return HEVCPixelBuffer.Plane(
          bytes: UnsafeRawBufferPointer(rebasing: memory[start..<start + plane.bytes.count]),
          bytesPerRow: plane.bytesPerRow, size: plane.size)
      }
      let buffer = HEVCPixelBuffer(
        formatCode: format, size: size ?? parameters.size, planes: described)
      return try buffer.packed(as: parameters, path: ["item 7"])
    }
  }

  @Test("Eight-bit luma comes without the bytes after its rows", arguments: [0, 1, 13, 64])
  func gray8(padding: Int) throws {
    let size = RasterSize(width: 37, height: 5)
    let plane = Memory(size, bytesPerColumn: 1, padding: padding) { x, y, _ in UInt8(40 * y + x) }
    let packed = try Self.packed(0x4C30_3038, [plane], Self.parameters(size))
    var expected: [UInt8] = []
    for y in 0..<5 { for x in 0..<37 { expected.append(UInt8(40 * y + x)) } }
    #expect(packed == expected)
  }

  @Test("Ten bits are moved down by six, and every code comes back", arguments: [0, 2, 62])
  func gray10(padding: Int) throws {
    let size = RasterSize(width: 64, height: 16)
    let plane = Memory(size, bytesPerColumn: 2, padding: padding) { x, y, byte in
      UInt8(truncatingIfNeeded: ((64 * y + x) << 6) >> (8 * byte))
    }
    let packed = try Self.packed(0x4C30_3130, [plane], Self.parameters(size, bitDepth: 10))
    let codes = packed.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(codes == [UInt16](0..<1_024))
  }

  @Test("Pairs of chroma are split into blue and red")
  func pairs8() throws {
    let size = RasterSize(width: 8, height: 6)
    let half = RasterSize(width: 4, height: 3)
    let luma = Memory(size, bytesPerColumn: 1, padding: 9) { x, y, _ in UInt8(10 * y + x) }
    let chroma = Memory(half, bytesPerColumn: 2, padding: 5) { x, y, byte in
      UInt8((byte == 0 ? 100 : 200) + 4 * y + x)
    }
    let parameters = try Self.parameters(size, isMonochrome: false)
    let packed = try Self.packed(0x3432_3066, [luma, chroma], parameters)
    var expected: [UInt8] = []
    for y in 0..<6 { for x in 0..<8 { expected.append(UInt8(10 * y + x)) } }
    expected += [UInt8](100..<112)
    expected += [UInt8](200..<212)
    #expect(packed == expected)
    #expect(packed.count == PackedPlanes(parameters).byteCount)
  }

  @Test("Pairs of ten bits are split and moved down")
  func pairs10() throws {
    let size = RasterSize(width: 6, height: 4)
    let luma = Memory(size, bytesPerColumn: 2, padding: 4) { x, y, byte in
      UInt8(truncatingIfNeeded: ((6 * y + x + 900) << 6) >> (8 * byte))
    }
    let chroma = Memory(
      RasterSize(width: 3, height: 2), bytesPerColumn: 4, padding: 0
    ) { x, y, byte in
      let code = (byte < 2 ? 500 : 1_000) + 3 * y + x
      return UInt8(truncatingIfNeeded: (code << 6) >> (8 * (byte % 2)))
    }
    let parameters = try Self.parameters(
      size, bitDepth: 10, isMonochrome: false, isFullRange: false)
    let packed = try Self.packed(0x7834_3230, [luma, chroma], parameters)
    let codes = packed.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    let ranges: [Range<UInt16>] = [900..<924, 500..<506, 1_000..<1_006]
    let expected: [UInt16] = ranges.flatMap { Array($0) }
    #expect(codes == expected)
  }

  @Test("Luma of a monochrome image is taken from a format with chroma, whose chroma is not used")
  func monochromeWithChroma() throws {
    let size = RasterSize(width: 6, height: 4)
    let luma = Memory(size, bytesPerColumn: 1, padding: 2) { x, y, _ in UInt8(6 * y + x) }
    let chroma = Memory(
      RasterSize(width: 3, height: 2), bytesPerColumn: 2, padding: 0
    ) { _, _, _ in 128 }
    let packed = try Self.packed(0x3432_3066, [luma, chroma], Self.parameters(size))
    #expect(packed == [UInt8](0..<24))
  }

  @Test("What the stream does not state is refused with the reason")
  func refusals() throws {
    let size = RasterSize(width: 8, height: 4)
    let parameters = try Self.parameters(size)
    let plane = Memory(size, bytesPerColumn: 1, padding: 0) { _, _, _ in 1 }
    func error(_ work: () throws -> [UInt8]) -> CaptureReadingError? {
      #expect(throws: CaptureReadingError.self) { _ = try work() }
    }
    let format = error { try Self.packed(0x4247_5241, [plane], parameters) }
    #expect(format?.reason == .unsupported && format?.found == "“BGRA”")
    #expect(format?.path == ["item 7"])
    // A converter was at work: the range is another one than the stream's.
    #expect(error { try Self.packed(0x3432_3076, [plane, plane], parameters) }?.found == "“420v”")
    let larger = RasterSize(width: 16, height: 4)
    #expect(
      error { try Self.packed(0x4C30_3038, [plane], parameters, size: larger) }?
        .expected.contains("\(size)") == true)
    #expect(error { try Self.packed(0x4C30_3038, [], parameters) }?.expected == "1 planes")
    var short = plane
    short.bytes.removeLast()
    #expect(
      error { try Self.packed(0x4C30_3038, [short], parameters) }?.found.contains("31 bytes")
        == true)
    var narrow = plane
    narrow.bytesPerRow = 7
    #expect(error { try Self.packed(0x4C30_3038, [narrow], parameters) } != nil)
    let wide = Memory(size, bytesPerColumn: 2, padding: 0) { _, _, byte in byte == 0 ? 0x41 : 0 }
    #expect(
      error { try Self.packed(0x4C30_3130, [wide], Self.parameters(size, bitDepth: 10)) }?
        .found == "bits below them")
  }

  @Test("The formats asked for keep the range and the depth of the stream")
  func choices() throws {
    let size = RasterSize(width: 8, height: 8)
    func formats(
      _ depth: Int, _ isMonochrome: Bool, _ isFullRange: Bool?
    ) throws -> [HEVCPixelFormat] {
      try HEVCPixelFormat.choices(
        for: Self.parameters(
          size, bitDepth: depth, isMonochrome: isMonochrome, isFullRange: isFullRange), path: [])
    }
    #expect(try formats(8, true, true) == [.gray8, .fullRange8])
    #expect(try formats(10, true, true) == [.gray10, .fullRange10])
    // One component states no range, so it might be stretched.
    #expect(try formats(8, true, false) == [.videoRange8])
    #expect(try formats(8, true, nil) == [.videoRange8])
    #expect(try formats(8, false, true) == [.fullRange8])
    #expect(try formats(10, false, false) == [.videoRange10])
    #expect(throws: CaptureReadingError.self) { try formats(12, true, true) }
    for format in HEVCPixelFormat.allCases {
      #expect(HEVCPixelBuffer.name(of: format.rawValue).count == 6)
    }
  }
}
