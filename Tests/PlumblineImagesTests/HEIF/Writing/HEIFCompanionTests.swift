import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineRecordings
/// What belongs to an image and must not be left behind when the image changes.
@Suite("HEIF: smaller images, pairs and brands")
struct HEIFCompanionTests {
  /// A spatial photo with smaller images of its left one, none of which says a turn of its own.
  ///
  /// They are coded as it is, in another coding, and a grid of a hidden tile. Both images have Exif.
  private static func pair() -> HEIFBuilder {
    let color = RawHEVCImage(
      luma: mixedCodes(40, 24, bitDepth: 8, seed: 2),
      chroma: (
        Raster(size: RasterSize(width: 20, height: 12), repeating: UInt16(128)),
        Raster(size: RasterSize(width: 20, height: 12), repeating: UInt16(128))
      ))
    var builder = HEIFBuilder()
    builder.primaryItem = 1
    let uses = [
      builder.addProperty("hvcC", color.configuration), builder.addSize(40, 24),
      builder.addProperty("irot", [0]),
    ]
    let size = [builder.addSize(20, 12)]
    var tile = HEIFBuilder.Item(5, "hvc1", color.data, properties: [uses[0], uses[1]])
    tile.isHidden = true
    let exif = [0, 0, 0, 0] + SampleContents.exif(orientation: .up)
    builder.items = [
      HEIFBuilder.Item(1, "hvc1", color.data, properties: uses),
      HEIFBuilder.Item(2, "hvc1", color.data, properties: uses),
      HEIFBuilder.Item(3, "hvc1", color.data, properties: [uses[0]] + size),
      HEIFBuilder.Item(4, "grid", [0, 0, 0, 0, 0, 20, 0, 12], properties: size), tile,
      HEIFBuilder.Item(6, "jpeg", [0xFF, 0xD8, 0xFF, 0xD9], properties: size),
      HEIFBuilder.Item(7, "Exif", exif), HEIFBuilder.Item(8, "Exif", exif),
      HEIFBuilder.Item(9, "iden", [], properties: [uses[1]]),
    ]
    builder.references = [
      ("thmb", 3, [1]), ("thmb", 4, [1]), ("dimg", 4, [5]), ("thmb", 6, [1]), ("cdsc", 7, [1]),
      ("cdsc", 8, [2]), ("dimg", 9, [1]),
    ]
    builder.groups = [("ster", [1, 2])]
    return builder
  }

  @Test(
    "Smaller images and the other eye's image are turned with the image",
    arguments: ImageOrientation.allCases)
  func turning(target: ImageOrientation) throws {
    let bytes = Self.pair().bytes
    var edit = PhotoEdit()
    edit.orientation = target
    let result = try HEIFPhotoWriter().edited(bytes, edit)
    let file = try HEIFFile(bytes: result)
    for item: HEIFItemID in [1, 2, 3, 4, 6] {
      #expect(try HEIFShape(of: item, in: file).orientation == target, "item \(item)")
    }
    // A tile is turned with its grid, what is derived from the image with the image.
    #expect(try HEIFShape(of: 5, in: file).orientation == .up)
    #expect(try HEIFShape(of: 9, in: file).orientation == .up)
    for item: HEIFItemID in [1, 2] {
      let exif = try #require(try file.exif(of: item))
      #expect(try ExifMetadata(tiff: exif).orientation == target.rawValue)
    }
    edit.orientation = .up
    let back = try HEIFFile(bytes: HEIFPhotoWriter().edited(result, edit))
    for item: HEIFItemID in [1, 2, 3, 4, 6] {
      #expect(try HEIFShape(of: item, in: back).orientation == .up)
    }
  }

  /// A file with a gain map and what is made by it, under a list of brands.
  private static func rendition(_ brands: String) -> [UInt8] {
    let map = RawHEVCImage(luma: mixedCodes(20, 20, bitDepth: 8, seed: 3))
    var builder = HEIFBuilder()
    let uses = [builder.addProperty("hvcC", map.configuration), builder.addSize(20, 20)]
    let gain = uses + [builder.addAuxiliaryType(GainMap.auxiliaryTypeURN)]
    builder.items = [
      HEIFBuilder.Item(1, "hvc1", map.data, properties: uses),
      HEIFBuilder.Item(2, "hvc1", map.data, properties: gain),
      HEIFBuilder.Item(3, "tmap", [0, 0], properties: [uses[1]]),
    ]
    builder.references = [("auxl", 2, [1]), ("dimg", 3, [1, 2])]
    // The builder's list has the same length, so that no place moves.
    let bytes = builder.bytes
    return Array(bytes[..<16]) + Array(brands.utf8) + bytes[24...]
  }

  private static func brands(_ bytes: [UInt8]) -> String {
    let size = Int(bytes[3])
    return String(decoding: bytes[8..<12] + bytes[16..<size], as: UTF8.self)
  }

  @Test("The brand of renditions goes with the last of them, and nothing else of the list")
  func brand() throws {
    for (list, rest) in [("tmapmif1", "heicmif1"), ("mif1tmap", "heicmif1"), ("tmaptmap", "heic")] {
      let bytes = Self.rendition(list)
      #expect(Self.brands(bytes) == "heic" + list)
      var edit = PhotoEdit()
      edit.keepsGainMap = false
      let result = try HEIFPhotoWriter().edited(bytes, edit)
      #expect(Self.brands(result) == rest)
      // All positions moved with the shorter list.
      let (before, after) = (try HEIFFile(bytes: bytes), try HEIFFile(bytes: result))
      #expect(after.items.map(\.id) == [1])
      #expect(try after.data(of: 1) == before.data(of: 1))
      // While a rendition is there, its brand stays.
      var depth = PhotoEdit()
      depth.orientation = .right
      #expect(try Self.brands(HEIFPhotoWriter().edited(bytes, depth)) == "heic" + list)
    }
  }
}
