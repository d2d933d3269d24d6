import Plumbline
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// What `write` keeps of a photo, and what it says of the rest.
@Suite struct PhotoPartsTests {
  private static func written(
    _ photo: [UInt8], _ change: (inout PhotoWriter) -> Void
  ) throws -> PhotoWritingResult {
    var writer = PhotoWriter()
    writer.options.hevc = .raw
    writer.options.companionCoding = .lossless
    change(&writer)
    return try writer.write(photo, fileName: "photo")
  }

  private static func text(_ result: PhotoWritingResult) -> String {
    JSONWriter().text(result.document())
  }

  /// What must hold of every HEIC that was made of the sample; the rendition's item.
  @discardableResult
  private static func expectRendition(
    _ bytes: [UInt8], image: RasterSize, gain: RasterSize, orientation: ImageOrientation,
    isApples: Bool = true
  ) throws -> HEIFFile {
    let file = try HEIFFile(bytes: bytes)
    let id = try #require(file.items.first { $0.type == "tmap" }?.id, "no tmap")
    #expect(try Array(file.data(of: id)) == [0] + ToneMappedPhoto.metadata)
    let inputs = file.items(referredToBy: id, as: "dimg")
    #expect(inputs.count == 2 && inputs.first == file.primaryItemID)
    #expect(file.groups.first { $0.type == "altr" }?.items == [id, file.primaryItemID])
    #expect(file.brands.contains("tmap"))
    let shape = try HEIFShape(of: id, in: file)
    #expect(try shape == HEIFShape(of: file.primaryItemID, in: file))
    let cut = shape.cleanAperture?.size ?? shape.size
    #expect(cut == image && shape.orientation == orientation)
    let map = try HEIFShape(of: inputs[1], in: file)
    #expect(map.size == gain && map.orientation == orientation)
    #expect(file.item(inputs[1])?.isHidden == true)
    #expect(
      try file.auxiliaries().contains { $0.kind == .hdrGainMap && $0.itemID == inputs[1] }
        == isApples)
    #expect(file.iccProfile(of: inputs[1]) == ToneMappedPhoto.profile)
    return file
  }

  private static func color(of item: HEIFItemID, in file: HEIFFile) -> ColorInformation? {
    for use in file.properties(of: item) {
      if case .color(let color) = use.property { return color }
    }
    return nil
  }

  @Test("A crop cuts the gain map too, and the rendition, its colors and its group stay")
  func crop() throws {
    let photo = ToneMappedPhoto.heic()
    let result = try Self.written(photo) {
      $0.framing.crop = PixelRectangle(x: 20, y: 0, width: 40, height: 40)
    }
    // Upright (20, 0) of an image that is turned right is the stored (0, 0).
    let file = try Self.expectRendition(
      result.bytes, image: RasterSize(width: 40, height: 40),
      gain: RasterSize(width: 20, height: 20), orientation: .right)
    let id = try #require(file.items.first { $0.type == "tmap" }?.id)
    #expect(
      Self.color(of: id, in: file)
        == .codes(ColorCodes(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)))
    #expect(
      file.properties(of: id).contains {
        if case .unknown("clli", let payload) = $0.property { return payload.count == 4 }
        return false
      })
    let gain = try #require(try PhotoContents(reading: result.bytes).gainMap)
    #expect(
      gain.samples
        == .uint8(
          ToneMappedPhoto.codes(1).map { UInt8($0) }
            .cropped(to: PixelRectangle(x: 0, y: 0, width: 20, height: 20))))
    let uri = try #require(file.items.first { $0.type == "uri " }, "no uri item")
    #expect(try Array(file.data(of: uri.id)) == ToneMappedPhoto.uriData)
    #expect(file.items(referredToBy: uri.id, as: "cdsc") == [file.primaryItemID])
    let name = Array("tag:example.com,2024:photo:note".utf8)
    let place = try #require(result.bytes.firstRange(of: name))
    #expect(result.bytes[place.upperBound] == 0)
    // Positions in the image that it states cannot be corrected, which is reported.
    #expect(Self.text(result).contains("photo.carriedUnread"))
  }

  @Test("Portrait score and light stay with the depth", arguments: ["crop", "jpeg", "metric"])
  func portraitTags(how: String) throws {
    let result = try Self.written(ToneMappedPhoto.heic()) {
      switch how {
      case "crop": $0.framing.crop = PixelRectangle(x: 20, y: 0, width: 40, height: 40)
      case "jpeg": $0.container = .jpeg
      default:
        $0.depth = .corrected(
          PhotoCorrection(
            corrector: nil, knownDistances: [KnownDistance(x: 9, y: 9, meters: 0.6)]))
      }
    }
    let text = String(decoding: result.bytes, as: UTF8.self)
    for tag in ["PortraitScore>0.966253", "PortraitScoreIsHigh>True", "EffectStrength>0.500000"] {
      #expect(text.contains(tag), "\(tag)")
    }
    #expect(text.contains("UkVORAYAAAA=") && text.contains(ToneMappedPhoto.lighting))
    #expect(!Self.text(result).contains("photo.portraitTagsLeftOut"))
  }

  @Test("Tags of a map that another one replaces are missed by name")
  func replacedTags() throws {
    let photo = ToneMappedPhoto.heic()
    let record = try #require(try CaptureReader().capture(from: photo).depth)
    let result = try Self.written(photo) {
      $0.depth = .other(PhotoDepthSource(name: "map", record: record))
    }
    #expect(Self.text(result).contains("photo.portraitTagsLeftOut"))
    #expect(Self.text(result).contains("PortraitScore"))
    // Google's layouts have no place for them.
    let google = try Self.written(photo) {
      $0.container = .jpeg
      $0.options.depthLayout = .googleDepth
    }
    #expect(Self.text(google).contains("photo.portraitTagsLeftOut"))
  }

  @Test("Upright pixels, another size and a turn keep the rendition", arguments: [true, false])
  func otherFramings(isApples: Bool) throws {
    let photo = ToneMappedPhoto.heic(isApples: isApples)
    let upright = try Self.written(photo) { $0.framing.bakesOrientation = true }
    try Self.expectRendition(
      upright.bytes, image: ToneMappedPhoto.size.transposed,
      gain: ToneMappedPhoto.half.transposed, orientation: .up, isApples: isApples)
    let small = try Self.written(photo) {
      $0.framing.maximumSize = RasterSize(width: 25, height: 100)
    }
    // 60×80 upright in 25 columns is 25×33, an odd height and width.
    try Self.expectRendition(
      small.bytes, image: RasterSize(width: 33, height: 25),
      gain: RasterSize(width: 33, height: 25), orientation: .right, isApples: isApples)
    let plain = try Self.written(photo) { $0.stripped = [.depth, .mattes] }
    #expect(plain.isImageCopied)
    let file = try HEIFFile(bytes: plain.bytes)
    #expect(
      file.items.map(\.type).sorted()
        == ["hvc1", "hvc1"] + (isApples ? ["mime"] : []) + ["tmap", "uri "])
    let turned = try Self.written(photo) { $0.framing.turn = .right }
    #expect(turned.isImageCopied)
    let after = try HEIFFile(bytes: turned.bytes)
    for item: HEIFItemID in [1, 2, 3, 4, 6] {
      #expect(try HEIFShape(of: item, in: after).orientation == .down, "item \(item)")
    }
  }

  @Test(
    "A gain map that only a rendition names goes with --strip gain-map", arguments: [true, false])
  func strippedGainMap(isApples: Bool) throws {
    let result = try Self.written(ToneMappedPhoto.heic(isApples: isApples)) {
      $0.stripped = [.gainMap]
    }
    let file = try HEIFFile(bytes: result.bytes)
    #expect(file.items.map(\.id) == [1, 4, 5, 6, 7])
    #expect(Self.text(result).contains("photo.toneMapLeftOut"))
    let anew = try Self.written(ToneMappedPhoto.heic(isApples: isApples)) {
      $0.stripped = [.gainMap]
      $0.framing.bakesOrientation = true
    }
    #expect(try !HEIFFile(bytes: anew.bytes).items.contains { $0.type == "tmap" })
    #expect(Self.text(anew).contains("photo.toneMapLeftOut"))
  }

  @Test("JPEG holds the gain map's profile and ISO's numbers, and HEIC takes them back")
  func jpegAndBack() throws {
    let result = try Self.written(ToneMappedPhoto.heic()) { $0.container = .jpeg }
    let file = try JPEGFile(result.bytes[...])
    let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    func numbers(_ image: JPEGImage) -> [UInt8]? {
      image.payloads(of: .application(2)).first { $0.starts(with: name) }
        .map { Array($0.dropFirst(name.count)) }
    }
    #expect(numbers(file.primary) == [0, 0, 0, 0])
    let map = try #require(file.images.dropFirst().first { numbers($0) != nil }, "no ISO numbers")
    #expect(numbers(map) == ToneMappedPhoto.metadata)
    #expect(map.iccProfile == ToneMappedPhoto.profile)
    // PQ has no profile, and an item that its URI names no place.
    let text = Self.text(result)
    #expect(text.contains("photo.metadataLeftOut") && text.contains("tag:example.com"))
    #expect(text.contains("photo.toneMapLeftOut") && text.contains("PQ"))
    let back = try Self.written(result.bytes) { $0.container = .heic }
    try Self.expectRendition(
      back.bytes, image: ToneMappedPhoto.size, gain: ToneMappedPhoto.half, orientation: .right)
    let turned = try Self.written(result.bytes) { $0.framing.turn = .right }
    #expect(
      try numbers(
        #require(JPEGFile(turned.bytes[...]).images.dropFirst().first { numbers($0) != nil }))
        == ToneMappedPhoto.metadata)
    let plain = try Self.written(result.bytes) { $0.stripped = [.gainMap] }
    #expect(try JPEGFile(plain.bytes[...]).images.allSatisfy { numbers($0) == nil })
  }

  @Test(
    "A real portrait keeps its score and its light through a crop",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func realPortrait() throws {
    let photo = try RealData.bytes("photos/truedepth_iphone14.heic")
    let result = try Self.written(photo) {
      $0.framing.crop = PixelRectangle(x: 400, y: 800, width: 600, height: 600)
    }
    let text = String(decoding: result.bytes, as: UTF8.self)
    #expect(text.contains("PortraitScore>0.966253") && text.contains("EffectStrength>0.500000"))
  }

  @Test("Damaged renditions, items and tags are refused or carried, never a trap")
  func hostile() throws {
    let photo = ToneMappedPhoto.heic()
    let tables = try #require(photo.firstRange(of: Array("mdat".utf8))).lowerBound
    var written = 0
    for seed: UInt64 in 0..<600 {
      let damaged = ByteDamage.flipped(photo, seed: seed, within: tables)
      let result = try? Self.written(damaged) {
        switch seed % 4 {
        case 0: $0.framing.crop = PixelRectangle(x: 20, y: 0, width: 40, height: 40)
        case 1: $0.container = .jpeg
        case 2: $0.framing.turn = .right
        default: $0.stripped = [.gainMap]
        }
      }
      guard let result else { continue }
      written += 1
      // An image that is only copied is as damaged as it was.
      _ = try? CaptureReader().capture(from: result.bytes)
    }
    #expect(written > 0)
  }

  @Test(
    "Others read what was written: libheif the image and its companions, exiftool the tags",
    .enabled(if: PythonPeer.has("pillow_heif"), "\(PythonPeer.absence("pillow_heif"))"))
  func peers() throws {
    let folder = try TemporaryFolder()
    let result = try Self.written(ToneMappedPhoto.heic()) {
      $0.framing.crop = PixelRectangle(x: 20, y: 0, width: 40, height: 40)
    }
    try folder.put(result.bytes, at: "out.heic")
    let answer = String(
      decoding: try PythonPeer.run("heif_parts.py", folder.file("out.heic")), as: UTF8.self)
    #expect(answer.contains("size 40 40"), "\(answer)")
    #expect(answer.contains("depth 1"), "\(answer)")
    #expect(answer.contains(GainMap.auxiliaryTypeURN), "\(answer)")
    // exiftool is not on every machine; where it is, it finds what Apple's phones wrote.
    if answer.contains("exiftool") {
      #expect(answer.contains("PortraitScore 0.966253"), "\(answer)")
      #expect(answer.contains("EffectStrength 0.5"), "\(answer)")
    }
  }
}
