import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// A file with what phones do not write: bytes in pieces, unknown items, properties and boxes.
private func oddFile() -> HEIFBuilder {
  let luma = mixedCodes(40, 40, bitDepth: 8, seed: 2)
  let half = Raster<UInt16>(size: RasterSize(width: 20, height: 20), repeating: 128)
  let color = RawHEVCImage(luma: luma, chroma: (half, half))
  let map = RawHEVCImage(luma: mixedCodes(20, 20, bitDepth: 8, seed: 3))
  var builder = HEIFBuilder()
  builder.primaryItem = 10
  let colorUses = [
    builder.addProperty("hvcC", color.configuration), builder.addSize(40, 40),
    builder.addProperty("irot", [3]), builder.addProperty("xyzw", [1, 2, 3]),
  ]
  let mapUses = [
    builder.addProperty("hvcC", map.configuration), builder.addSize(20, 20),
    builder.addAuxiliaryType("urn:mpeg:hevc:2015:auxid:2"), colorUses[2],
  ]
  let skinUses = [
    mapUses[0], mapUses[1],
    builder.addAuxiliaryType("urn:com:apple:photo:2019:aux:semanticskinmatte"), colorUses[2],
  ]
  let gainUses = [mapUses[0], mapUses[1], builder.addAuxiliaryType(GainMap.auxiliaryTypeURN)]
  // A property that no item uses stays all the same.
  _ = builder.addProperty("free", [9, 9])
  var image = HEIFBuilder.Item(10, "hvc1", color.data, properties: colorUses)
  image.extentLengths = [100, color.data.count - 100]
  var depth = HEIFBuilder.Item(11, "hvc1", map.data, properties: mapUses)
  depth.isHidden = true
  var packet = HEIFBuilder.Item(12, "mime", Array("<depth/>".utf8))
  packet.contentType = "application/rdf+xml"
  packet.isInItemData = true
  var note = HEIFBuilder.Item(13, "abcd", Array("unknown".utf8))
  note.isInItemData = true
  let skin = HEIFBuilder.Item(14, "hvc1", map.data, properties: skinUses)
  let gain = HEIFBuilder.Item(15, "hvc1", map.data, properties: gainUses)
  let rendition = HEIFBuilder.Item(16, "tmap", [0, 0], properties: [colorUses[1]])
  builder.items = [image, depth, packet, note, skin, gain, rendition]
  // As iPhone 16 writes: one depth map of the image and of its rendition.
  builder.references = [
    ("auxl", 11, [10, 16]), ("cdsc", 12, [11]), ("cdsc", 13, [10]), ("auxl", 14, [10, 16]),
    ("auxl", 15, [10]), ("dimg", 16, [10, 15]),
  ]
  builder.groups = [("altr", [16, 10]), ("abcd", [10, 13, 14])]
  return builder
}

@Suite("HEIF: editing")
struct HEIFEditingTests {
  private let writer = HEIFPhotoWriter()

  private func edited(_ bytes: [UInt8], _ change: (inout PhotoEdit) -> Void) throws -> [UInt8] {
    var edit = PhotoEdit()
    change(&edit)
    return try writer.edited(bytes, edit, options: SampleContents.raw)
  }

  private var newDepth: PhotoDepth {
    PhotoDepth(
      codes: .uint8(Raster(size: RasterSize(width: 5, height: 4)) { x, y in UInt8(x * 40 + y) }),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 0.25, maximumValue: 2),
      quantity: .disparity)
  }

  @Test("A change that changes nothing gives the same bytes")
  func nothing() throws {
    let bytes = oddFile().bytes
    #expect(try edited(bytes) { _ in } == bytes)
    #expect(try edited(bytes) { $0.orientation = .right } == bytes)
    let plain = try HEIFPhotoWriter().bytes(
      of: PhotoContents(color: colorful(20, 20)), options: SampleContents.raw)
    #expect(
      try edited(plain) {
        $0.depth = .remove
        $0.keepsMattes = false
        $0.keepsGainMap = false
      } == plain)
  }

  @Test("Depth goes with its XMP and its properties; everything else stays byte for byte")
  func removingDepth() throws {
    let bytes = oddFile().bytes
    let result = try edited(bytes) { $0.depth = .remove }
    let comparison = try HEIFComparison(bytes, result)
    #expect(comparison.removed == ["11 hvc1", "12 mime"])
    #expect(comparison.added == [] && comparison.changed == [] && comparison.boxes == [])
    #expect(comparison.links == ["auxl 11 → [10, 16]", "cdsc 12 → [11]"])
    let draft = try HEIFDraft(HEIFFile(bytes: result))
    // The type of the auxiliary image is gone, the property without a user is not.
    let names = draft.properties.map { String(decoding: $0[4..<8], as: UTF8.self) }
    #expect(names == ["hvcC", "ispe", "irot", "xyzw", "hvcC", "ispe", "auxC", "auxC", "free"])
    #expect(!String(decoding: result, as: UTF8.self).contains("<depth/>"))
    #expect(result.count < bytes.count - 400)
  }

  @Test("A gain map takes along what is derived from it; mattes leave their groups")
  func removingCompanions() throws {
    let bytes = oddFile().bytes
    let result = try edited(bytes) {
      $0.keepsGainMap = false
      $0.keepsMattes = false
    }
    let comparison = try HEIFComparison(bytes, result)
    #expect(comparison.removed == ["14 hvc1", "15 hvc1", "16 tmap"])
    #expect(comparison.changed == [] && comparison.boxes == [])
    let file = try HEIFFile(bytes: result)
    #expect(file.groups.map(\.items) == [[10, 13]])
    #expect(file.items(referredToBy: 11, as: "auxl") == [10])
  }

  @Test("A new depth map belongs to all that the old one belonged to")
  func replacing() throws {
    let bytes = oddFile().bytes
    let result = try edited(bytes) { $0.depth = .replace(newDepth) }
    let comparison = try HEIFComparison(bytes, result)
    #expect(comparison.removed == ["11 hvc1", "12 mime"])
    #expect(comparison.added == ["17 hvc1", "18 mime"])
    #expect(comparison.changed == [] && comparison.boxes == [])
    let file = try HEIFFile(bytes: result)
    #expect(file.items(referredToBy: 17, as: "auxl") == [10, 16])
    let capture = try CaptureReader().capture(from: result)
    #expect(capture.depth?.storedSamples == newDepth.codes)
    #expect(capture.depth?.orientation == .right)
  }

  @Test("The last box of a table may say \"to the end\"; what follows it is not swallowed")
  func boxesToTheEnd() throws {
    var bytes = oddFile().bytes
    for type in ["infe", "free"] {
      let last = try #require(
        bytes.indices.dropLast(3).last { bytes[$0..<$0 + 4].elementsEqual(type.utf8) })
      bytes.replaceSubrange(last - 4..<last, with: [0, 0, 0, 0])
    }
    let result = try edited(bytes) { $0.depth = .replace(newDepth) }
    let file = try HEIFFile(bytes: result)
    #expect(file.items.map(\.id) == [10, 13, 14, 15, 16, 17, 18])
    #expect(try CaptureReader().capture(from: result).depth?.storedSamples == newDepth.codes)
  }

  @Test("Turning turns the image and all that lies as it does, and Exif says so")
  func turning() throws {
    for seed: UInt64 in 0..<12 {
      let contents = SampleContents.photo(seed: seed)
      let bytes = try writer.bytes(of: contents, options: SampleContents.raw)
      for target in ImageOrientation.allCases {
        let result = try edited(bytes) { $0.orientation = target }
        let read = try PhotoContents(heif: result, CaptureReader())
        var expected = contents
        expected.metadata.orientation = target
        expected.metadata.exif = SampleContents.exif(orientation: target)
        #expect(differences(expected, read) == [])
        let back = try edited(result) { $0.orientation = contents.metadata.orientation }
        #expect(try differences(contents, PhotoContents(heif: back, CaptureReader())) == [])
      }
    }
  }

  @Test("Crops stay where they are when the image is turned")
  func turningCropped() throws {
    // 40×40, cropped to 30×20 at the first pixel, then a quarter turn.
    var builder = oddFile()
    let window = [30, 1, 20, 1, -10, 2, -20, 2].flatMap { [UInt8](bigEndian: $0, bytes: 4) }
    let crop = builder.addProperty("clap", window)
    builder.items[0].properties.insert(crop, at: 2)
    let bytes = builder.bytes
    let result = try edited(bytes) { $0.orientation = .down }
    let (before, after) = (
      try HEIFShape(of: 10, in: HEIFFile(bytes: bytes)),
      try HEIFShape(of: 10, in: HEIFFile(bytes: result))
    )
    #expect(after.orientation == .down && before.orientation == .right)
    #expect(after.cleanAperture == before.cleanAperture)
  }

  @Test("Bytes outside of media data come along")
  func strays() throws {
    // An item whose bytes lie in `ftyp`, one that goes on to the end of the file.
    var bytes = oddFile().bytes
    let file = try HEIFFile(bytes: bytes)
    let draft = try HEIFDraft(file)
    var moved = draft
    let index = try #require(moved.locations.firstIndex { $0.id == 10 })
    let data = [UInt8](try file.data(of: 10))
    bytes = try moved.bytes(from: bytes)
    // The last item of the file written anew to its end, with a length of 0.
    let end = try HEIFFile(bytes: bytes).data(of: 10)
    #expect([UInt8](end) == data)
    moved.locations[index].extents = [.init(index: 0, offset: 8, length: 4)]
    let strange = try moved.bytes(from: oddFile().bytes) { (_) throws(CaptureReadingError) in
      Array("heic".utf8)[...]
    }
    #expect(try [UInt8](HEIFFile(bytes: strange).data(of: 10)) == Array("heic".utf8))
  }

  @Test("A video in the same file is refused, and damage too")
  func refused() throws {
    let video = oddFile().bytes + HEIFBuilder.box("moov", [0, 0, 0, 0])
    #expect(throws: PhotoWritingError.self) { try edited(video) { $0.depth = .remove } }
    #expect(throws: PhotoWritingError.self) { try edited([]) { $0.depth = .remove } }
    #expect(throws: PhotoWritingError.self) {
      try edited(Array("\u{0}\u{0}\u{0}\u{8}ftyp".utf8)) { _ in }
    }
  }

  @Test("Ten changes do not drift")
  func drift() throws {
    var bytes = try writer.bytes(of: SampleContents.photo(seed: 3), options: SampleContents.raw)
    let first = try PhotoContents(heif: bytes, CaptureReader())
    var sizes: Set<Int> = []
    for _ in 0..<10 {
      let depth = try #require(try PhotoContents(heif: bytes, CaptureReader()).depth)
      bytes = try edited(bytes) { $0.depth = .replace(depth) }
      sizes.insert(bytes.count)
    }
    #expect(sizes.count == 1)
    #expect(try differences(first, PhotoContents(heif: bytes, CaptureReader())) == [])
  }

  @Test("Damaged files are refused or changed, never a trap")
  func hostile() throws {
    let bytes = oddFile().bytes
    let structure = 1_600
    var results = 0
    for seed: UInt64 in 0..<1_500 {
      let damaged = ByteDamage.flipped(bytes, seed: seed, within: structure)
      if let result = try? edited(
        damaged,
        {
          $0.depth = seed % 2 == 0 ? .remove : .replace(newDepth)
          $0.keepsMattes = seed % 3 == 0
          $0.keepsGainMap = seed % 5 == 0
          $0.orientation = seed % 7 == 0 ? .leftMirrored : nil
        })
      {
        results += 1
        // What was readable enough to change is readable still.
        _ = try HEIFFile(bytes: result)
      }
    }
    #expect(results > 0)
    for length in ByteDamage.truncations(of: bytes.count, steps: 150) {
      _ = try? edited(Array(bytes.prefix(length))) { $0.depth = .remove }
    }
  }
}
