import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// A plane whose codes differ from pixel to pixel and use all bits.
private func plane(_ width: Int, _ height: Int, _ bitDepth: Int = 8) -> Raster<UInt16> {
  Raster(size: RasterSize(width: width, height: height)) { x, y in
    UInt16(truncatingIfNeeded: (x * 7919 + y * 104_729 + x * y) & ((1 << bitDepth) - 1))
  }
}

/// A file of one coded image.
private func file(_ image: RawHEVCImage<UInt16>, statedSize: RasterSize? = nil) -> HEIFBuilder {
  var builder = HEIFBuilder()
  let size = statedSize ?? image.luma.size
  let properties = [
    builder.addProperty("hvcC", image.configuration), builder.addSize(size.width, size.height),
  ]
  builder.items = [HEIFBuilder.Item(1, "hvc1", image.data, properties: properties)]
  return builder
}

@Suite("HEIF: synthetic files")
struct HEIFSyntheticTests {
  @Test(
    "Samples come back bit for bit at every size and depth",
    arguments: [(16, 16, 8), (40, 24, 8), (33, 17, 8), (64, 48, 10), (17, 31, 12)])
  func samples(width: Int, height: Int, bitDepth: Int) throws {
    let luma = plane(width, height, bitDepth)
    let opened = try HEIFFile(bytes: file(RawHEVCImage(luma: luma, bitDepth: bitDepth)).bytes)
    let image = try HEIFImageDecoder(opened, threadCount: 1).samples(of: 1)
    if bitDepth == 8 {
      #expect(image.pixels == .uint8(luma.map { UInt8($0) }))
    } else {
      #expect(image.pixels == .uint16(luma, bitDepth: bitDepth))
    }
  }

  @Test("A grid is put together from its tiles and cut to its size, for any number of threads")
  func grid() throws {
    let whole = plane(48, 32)
    var builder = HEIFBuilder()
    builder.items = [HEIFBuilder.Item(1, "grid", [0, 0, 1, 2, 0, 41, 0, 19])]
    builder.items[0].isInItemData = true
    builder.items[0].properties = [builder.addSize(41, 19)]
    let size = builder.addSize(16, 16)
    for index in 0..<6 {
      let (left, top): (Int, Int) = (index % 3 * 16, index / 3 * 16)
      let tile = Raster(size: RasterSize(width: 16, height: 16)) { x, y in
        whole[left + x, top + y]
      }
      let image = RawHEVCImage(luma: tile)
      let configuration = builder.addProperty("hvcC", image.configuration)
      var item = HEIFBuilder.Item(
        index + 2, "hvc1", image.data, properties: [configuration, size])
      item.extentLengths = [100, image.data.count - 100]
      item.isHidden = true
      builder.items.append(item)
    }
    builder.references = [("dimg", 1, Array(2...7))]
    let opened = try HEIFFile(bytes: builder.bytes)
    let expected = Raster(size: RasterSize(width: 41, height: 19)) { UInt8(whole[$0, $1]) }
    for threads in 1...4 {
      let image = try HEIFImageDecoder(opened, threadCount: threads).samples(of: 1)
      #expect(image.pixels == .uint8(expected))
    }
    builder.references = [("dimg", 1, Array(2...6))]
    let short = try HEIFFile(bytes: builder.bytes)
    let error = #expect(throws: CaptureReadingError.self) {
      try HEIFImageDecoder(short, threadCount: 2).samples(of: 1)
    }
    #expect(error?.expected == "3 × 2 tiles")
  }

  @Test("Steps apply in file order: crop, turn, mirror")
  func transformations() throws {
    let luma = plane(20, 12)
    var builder = file(RawHEVCImage(luma: luma))
    let fractions = [10, 1, 6, 1, -1, 1, 1, 1].flatMap { value in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    builder.items[0].properties += [
      builder.addProperty("clap", fractions), builder.addProperty("irot", [1]),
      builder.addProperty("imir", [1]),
    ]
    let opened = try HEIFFile(bytes: builder.bytes)
    let decoder = HEIFImageDecoder(opened, threadCount: 1)
    let stored = try decoder.samples(of: 1)
    #expect(stored.transformations.count == 3)
    #expect(stored.pixels.size == RasterSize(width: 20, height: 12))
    // The window spans columns 4…13 and rows 4…9. A counterclockwise turn takes its pixel
    // (x, y) to (y, 9 − x); exchanging left and right then takes that to (5 − y, 9 − x).
    let shown = Raster(size: RasterSize(width: 6, height: 10)) { x, y in
      UInt8(luma[4 + 9 - y, 4 + 5 - x])
    }
    #expect(try decoder.samples(of: 1, .shown).pixels == .uint8(shown))
  }

  @Test("A size that the stream contradicts is refused before anything is decoded")
  func sizes() throws {
    for stated in [(65_535, 65_535), (100, 16), (16, 15), (17, 16), (15, 80)] {
      let size = RasterSize(width: stated.0, height: stated.1)
      let opened = try HEIFFile(
        bytes: file(RawHEVCImage(luma: plane(79, 80)), statedSize: size).bytes)
      let error = #expect(throws: CaptureReadingError.self) {
        try HEIFImageDecoder(opened, threadCount: 1).samples(of: 1)
      }
      #expect(error?.path.last == "ispe")
    }
  }

  @Test("Few bytes that claim many pixels are refused before the codec sees them")
  func bomb() throws {
    var image = RawHEVCImage(luma: plane(16, 16))
    let data = image.data
    image.luma = Raster(size: RasterSize(width: 4096, height: 4080), repeating: 0)
    var builder = HEIFBuilder()
    let properties = [builder.addProperty("hvcC", image.configuration)]
    builder.items = [HEIFBuilder.Item(1, "hvc1", Array(data.prefix(300)), properties: properties)]
    let opened = try HEIFFile(bytes: builder.bytes)
    let error = #expect(throws: CaptureReadingError.self) {
      try HEIFImageDecoder(opened, threadCount: 1).samples(of: 1)
    }
    #expect(error?.reason == .malformed)
  }

  @Test("Unknown items and types, and auxl with several owners, are listed and nothing more")
  func unknown() throws {
    var builder = file(RawHEVCImage(luma: plane(16, 16)))
    var auxiliary = builder.items[0]
    auxiliary.id = 2
    auxiliary.properties.append(builder.addAuxiliaryType("urn:example:\u{1B}[31m"))
    builder.items += [auxiliary, HEIFBuilder.Item(3, "xyz1", [1, 2, 3])]
    auxiliary.id = 4
    auxiliary.properties[2] = builder.addAuxiliaryType("urn:mpeg:hevc:2015:auxid:2")
    builder.items.append(auxiliary)
    builder.references = [("auxl", 2, [1, 3]), ("auxl", 4, [1, 3, 77])]
    let opened = try HEIFFile(bytes: builder.bytes)
    #expect(opened.unknownItemTypes == ["xyz1"])
    #expect(try opened.unknownAuxiliaryTypes() == ["urn:example:\\x1B[31m"])
    let auxiliaries = try opened.auxiliaries(of: 1)
    #expect(auxiliaries.map(\.kind) == [.unknown, .depth])
    #expect(auxiliaries[1].ownerIDs == [1, 3, 77])
    #expect(try HEIFImageDecoder(opened, threadCount: 1).samples(of: 1).pixels.size.width == 16)
  }

  @Test("Cut at every length, a small file is refused or read, never worse")
  func truncation() throws {
    let bytes = file(RawHEVCImage(luma: plane(33, 17))).bytes
    for length in 0..<bytes.count {
      #expect(throws: CaptureReadingError.self) {
        let opened = try HEIFFile(bytes: Array(bytes.prefix(length)))
        _ = try HEIFImageDecoder(opened, threadCount: 1).samples(of: 1)
      }
    }
  }
}
