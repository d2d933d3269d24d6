import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineImages
@testable import PlumblineIO
/// A HEIC file as phones of iOS 18 write it: an image, its gain map, what both make together by ISO
/// 21496-1, depth with portrait tags, a matte, and an item that only its URI names.
enum ToneMappedPhoto {
  static let size = RasterSize(width: 80, height: 60)
  static let half = RasterSize(width: 40, height: 30)
  /// Versions, one flag, two headrooms, and five fractions of one channel.
  static let metadata: [UInt8] =
    [0, 0, 0, 0, 0x40]
    + [0, 1, 3, 2, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64].flatMap { [UInt8](bigEndian: $0, bytes: 4) }
  static let profile = PhotoColorSpace(primaries: 12, transfer: 13).iccProfile ?? []
  static let uriData = Array("what only its maker reads".utf8)
  static let lighting = "http://ns.apple.com/portraitLightingEffect/2.0/"

  /// The items by number.
  enum Item {
    static let (image, gain, rendition, depth, depthXMP, matte, uri) = (1, 2, 3, 4, 5, 6, 7)
    static let gainXMP = 8
  }

  static func codes(_ seed: Int) -> Raster<UInt16> {
    Raster(size: half) { x, y in UInt16(40 + (x * 5 + y * 3 + seed * 7) % 180) }
  }

  /// The file; a gain map that only the rendition names is ISO's form, without Apple's.
  static func heic(isApples: Bool = true) -> [UInt8] {
    let luma = Raster<UInt16>(size: size) { (x: Int, y: Int) -> UInt16 in
      let code: Int = 20 + (x * 2 + y) % 200
      return UInt16(code)
    }
    let flat = Raster(size: half, repeating: UInt16(128))
    let color = RawHEVCImage(luma: luma, chroma: (flat, flat))
    let (gain, map, cover) = (
      RawHEVCImage(luma: codes(1)), RawHEVCImage(luma: codes(2)),
      RawHEVCImage(luma: codes(3))
    )
    var builder = HEIFBuilder()
    let whole = builder.addSize(size.width, size.height)
    let small = builder.addSize(half.width, half.height)
    let turn = builder.addProperty("irot", [3])
    let own = builder.addProperty("colr", Array("prof".utf8) + profile)
    // BT.2020 with PQ, which is what the rendition is in.
    let high = builder.addProperty("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
    let light = builder.addProperty("clli", [3, 232, 0, 203])
    func uses(_ image: RawHEVCImage<UInt16>, _ more: [Int]) -> [Int] {
      [builder.addProperty("hvcC", image.configuration)] + more
    }
    let gainType = builder.addAuxiliaryType(GainMap.auxiliaryTypeURN)
    let depthType = builder.addAuxiliaryType("urn:mpeg:hevc:2015:auxid:2")
    let matteType = builder.addAuxiliaryType(Matte.Kind.skin.auxiliaryTypeURN)
    let gainProperties: [Int] = isApples ? [small, turn, own, gainType] : [small, turn, own]
    var items: [HEIFBuilder.Item] = [
      HEIFBuilder.Item(Item.image, "hvc1", color.data, properties: uses(color, [whole, turn])),
      HEIFBuilder.Item(
        Item.gain, "hvc1", gain.data,
        properties: uses(gain, gainProperties)),
      HEIFBuilder.Item(
        Item.rendition, "tmap", [0] + metadata, properties: [whole, turn, high, light]),
      HEIFBuilder.Item(
        Item.depth, "hvc1", map.data, properties: uses(map, [small, turn, depthType])),
      HEIFBuilder.Item(Item.depthXMP, "mime", depthPacket),
      HEIFBuilder.Item(
        Item.matte, "hvc1", cover.data, properties: uses(cover, [small, turn, matteType])),
      HEIFBuilder.Item(Item.uri, "uri ", uriData),
    ]
    items[4].contentType = "application/rdf+xml"
    items[6].uriType = "tag:example.com,2024:photo:note"
    for index in items.indices where ![0, 2].contains(index) { items[index].isHidden = true }
    builder.items = items
    builder.references = [
      ("dimg", Item.rendition, [Item.image, Item.gain]),
      ("auxl", Item.depth, [Item.image]), ("cdsc", Item.depthXMP, [Item.depth]),
      ("auxl", Item.matte, [Item.image]), ("cdsc", Item.uri, [Item.image]),
    ]
    if isApples {
      let map = GainMap(
        samples: .uint8(codes(1).map { UInt8($0) }), version: 131_072, headroom: 2.5)
      var packet = HEIFBuilder.Item(Item.gainXMP, "mime", ApplePhotoXMP().packet(for: map))
      packet.contentType = "application/rdf+xml"
      packet.isHidden = true
      builder.items.append(packet)
      builder.references += [
        ("auxl", Item.gain, [Item.image]), ("cdsc", Item.gainXMP, [Item.gain]),
      ]
    }
    builder.groups = [("altr", [Item.rendition, Item.image])]
    return builder.bytes
  }

  /// What a phone says of portrait depth, scores and light included.
  private static var depthPacket: [UInt8] {
    var depth = PhotoDepth(
      codes: .uint8(codes(2).map { UInt8($0) }),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 3),
      quantity: .disparity)
    depth.accuracy = .absolute
    depth.simulatedAperture = 4.5
    depth.blurRenderingParameters = "UkVORAYAAAA="
    let tags: [XMPWriter.Property] = [
      .simple(ApplePhotoXMP.depthData, "depthData", "PortraitScore", "0.966253"),
      .simple(ApplePhotoXMP.depthData, "depthData", "PortraitScoreIsHigh", "True"),
      .simple(lighting, "portraitLightingEffect", "EffectStrength", "0.500000"),
    ]
    return Array(XMPWriter().packet(ApplePhotoXMP.properties(of: depth) + tags).utf8)
  }
}
