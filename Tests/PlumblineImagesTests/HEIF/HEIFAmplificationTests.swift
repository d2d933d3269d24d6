import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO

/// Small files that need much work by naming one thing many times.
@Suite struct HEIFAmplificationTests {
  static let size = RasterSize(width: 16, height: 16)
  static let image = RawHEVCImage<UInt16>(
    luma: Raster(size: size, repeating: 100))

  /// A photo with auxiliary images that all show the same image.
  static func photo(data: [UInt8], auxiliaries: [String] = []) -> HEIFBuilder {
    var builder = HEIFBuilder()
    let properties = [builder.addSize(16, 16), builder.addProperty("hvcC", image.configuration)]
    builder.items = [HEIFBuilder.Item(1, "hvc1", data, properties: properties)]
    for (index, type) in auxiliaries.enumerated() {
      let kind = builder.addAuxiliaryType(type)
      builder.items.append(
        HEIFBuilder.Item(2 + index, "hvc1", data, properties: properties + [kind]))
      builder.references.append((type: "auxl", from: 2 + index, to: [1]))
    }
    return builder
  }

  @Test("Units are counted even when they are empty")
  func emptyUnits() throws {
    let few = [UInt8](repeating: 0, count: 4 * 900) + Self.image.data
    _ = try CaptureReader().capture(from: Self.photo(data: few).bytes)
    let many = [UInt8](repeating: 0, count: 4 * HEVCStillImage.maximumUnits) + Self.image.data
    let error = #expect(throws: CaptureReadingError.self) {
      try CaptureReader().capture(from: Self.photo(data: many).bytes)
    }
    #expect(error?.reason == .limitExceeded)
  }

  @Test("Tiles that are named again and again cannot make the codec read more than a few files")
  func repeatedTiles() throws {
    // A reserved unit of 16 KB after the slices would be skipped; a parameter set is decoded.
    let set = [UInt8(0x44), 1] + [UInt8](repeating: 0x80, count: 16 << 10)
    let length = [UInt8(0), 0, UInt8(set.count >> 8), UInt8(set.count & 255)]
    var builder = Self.photo(data: length + set + Self.image.data)
    builder.items[0].id = 2
    let whole = builder.addSize(512, 512)
    builder.items.insert(
      HEIFBuilder.Item(1, "grid", [0, 0, 31, 31, 2, 0, 2, 0], properties: [whole]), at: 0)
    builder.references = [(type: "dimg", from: 1, to: [Int](repeating: 2, count: 1024))]
    let error = #expect(throws: CaptureReadingError.self) {
      try CaptureReader().capture(from: builder.bytes)
    }
    #expect(error?.reason == .limitExceeded)
  }

  @Test("A second matte or gain map of the same kind is left aside")
  func secondMatte() throws {
    let apple = "urn:com:apple:photo:2020:aux:"
    let kinds = ["semanticskinmatte", "hdrgainmap"].map { apple + $0 }
    let capture = try CaptureReader().capture(
      from: Self.photo(data: Self.image.data, auxiliaries: kinds + kinds).bytes)
    #expect(capture.mattes.count == 1)
    #expect(capture.gainMap != nil)
    #expect(capture.findings.count { $0.message.hasPrefix("a second ") } == 2)
  }
}
