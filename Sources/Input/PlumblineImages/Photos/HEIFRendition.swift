import PlumblineIO
import PlumblineModel

/// The properties of the rendition (`tmap`) that a HEIC file's image and gain map give together,
/// except the ISO 21496-1 metadata.
///
/// - Source: ISO/IEC 23008-12:2022/Amd 1 for the item, ISO 21496-1:2025 annex C for its payload.
package struct HEIFRendition: Sendable, Hashable {
  /// A property that stays valid after a crop or a rotation.
  package struct Property: Sendable, Hashable {
    package var type: String
    package var payload: [UInt8]
    var isEssential: Bool
  }

  /// Colors, bit depths and light levels.
  package var properties: [Property] = []
  /// Whether depth, mattes and gain map belong to the rendition as well as to the image, as in
  /// files of the iPhone 16.
  var sharesCompanions = false

  /// The rendition's colors; `nil` if not stated.
  package var color: Property? { properties.first { $0.type == "colr" } }
}

/// A `tmap` item and its inputs.
package struct HEIFRenditionItem: Sendable, Hashable {
  package let id: HEIFItemID
  package let gainMap: HEIFItemID
  /// The ISO 21496-1 metadata, starting with the versions; `nil` for an unknown version of the
  /// item.
  package let numbers: [UInt8]?
}

extension HEIFFile {
  /// The renditions of an image and a gain map, in file order.
  func renditions(of image: HEIFItemID) -> [HEIFRenditionItem] {
    items.filter { $0.type == "tmap" }.compactMap { item in
      let inputs = items(referredToBy: item.id, as: "dimg")
      guard inputs.count == 2, inputs[0] == image, self.item(inputs[1]) != nil else { return nil }
      let payload = try? data(of: item.id)
      let isKnown = payload.map { $0.first == 0 && $0.count > 5 && $0.count < 1 << 16 } ?? false
      return HEIFRenditionItem(
        id: item.id, gainMap: inputs[1],
        numbers: isKnown ? payload.map { [UInt8]($0.dropFirst()) } : nil)
    }
  }

  /// The properties of a rendition that stay valid for a changed image.
  package func rendition(_ item: HEIFRenditionItem) -> HEIFRendition {
    var rendition = HEIFRendition()
    for use in properties(of: item.id) {
      guard let (type, payload) = use.property.unmoved else { continue }
      rendition.properties.append(
        HEIFRendition.Property(type: type, payload: payload, isEssential: use.isEssential))
    }
    rendition.sharesCompanions = references.contains {
      $0.type == "auxl" && $0.to.contains(item.id)
    }
    return rendition
  }

  /// The color of an item's own `colr` property; `nil` for none.
  func ownColor(of item: HEIFItemID) -> ColorInformation? {
    for use in properties(of: item) { if case .color(let color) = use.property { return color } }
    return nil
  }
}

extension HEIFProperty {
  /// The box of a property that does not depend on positions in the image.
  fileprivate var unmoved: (type: String, payload: [UInt8])? {
    switch self {
    case .color(let color): color.payload.map { ("colr", $0) }
    case .bitDepths(let depths): ("pixi", [0, 0, 0, 0, UInt8(min(depths.count, 255))] + depths)
    // Light levels and the mastering display.
    case .unknown(let type, let payload)
    where ["clli", "mdcv", "cclv", "amve", "reve", "ndwt"].contains(type):
      (type, [UInt8](payload))
    default: nil
    }
  }
}

extension ColorInformation {
  /// The payload of `colr`; `nil` for a type that is not known here.
  package var payload: [UInt8]? {
    switch self {
    case .profile(let bytes): return Array("prof".utf8) + bytes
    case .codes(let codes):
      let numbers = [codes.primaries, codes.transfer, codes.matrix].flatMap {
        [UInt8](bigEndian: $0 & 0xFFFF, bytes: 2)
      }
      return Array("nclx".utf8) + numbers + [codes.isFullRange ? 0x80 : 0]
    case .unknown: return nil
    }
  }
}

extension HEIFDraft {
  /// Adds the item of a rendition, with the shape of its image.
  ///
  /// ``complete(_:of:_:)`` adds its inputs later, since companions may refer to it first.
  ///
  /// - Parameters:
  ///   - numbers: The ISO 21496-1 metadata.
  ///   - rendition: Its own properties; without colors it has those of the gain map, or else of the
  ///     image.
  ///   - photo: The image with its metadata.
  /// - Returns: The item.
  mutating func addRendition(
    _ numbers: [UInt8], _ rendition: HEIFRendition, of photo: PhotoContents
  ) -> HEIFItemID {
    var uses = shapeUses(photo.color.size, photo.metadata.orientation)
    if rendition.color == nil {
      let profile = photo.gainMap?.iccProfile.map { Array("prof".utf8) + $0 }
      uses.append(use("colr", profile ?? photo.metadata.colorPayload, isEssential: true))
    }
    if !rendition.properties.contains(where: { $0.type == "pixi" }) {
      uses.append(use("pixi", [0, 0, 0, 0, 3, 8, 8, 8], isEssential: false))
    }
    uses += rendition.properties.map { use($0.type, $0.payload, isEssential: $0.isEssential) }
    return addItem("tmap", [0] + numbers, uses: uses)
  }

  /// Adds the inputs of a rendition, its group with the image, and the brand of the file.
  mutating func complete(_ rendition: HEIFItemID, of image: HEIFItemID, _ gainMap: HEIFItemID) {
    addReference("dimg", from: rendition, to: [image, gainMap])
    let group = freeItemID()
    var body: [UInt8] = [0, 0, 0, 0]
    // A reader displays the first one that it supports.
    for number in [Int(group), 2, Int(rendition), Int(image)] {
      body.appendBigEndian(number, bytes: 4)
    }
    groups.append(Self.box("altr", body))
    reservedIDs.insert(group)
    let size = Int(preamble.count) + 4
    preamble = [UInt8](bigEndian: size, bytes: 4) + preamble.dropFirst(4) + Array("tmap".utf8)
  }
}
