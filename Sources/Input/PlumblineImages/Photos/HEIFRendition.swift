import PlumblineIO
import PlumblineModel

/// What a HEIC file says of the rendition that its image and gain map make together (`tmap`), beside
/// the numbers of ISO 21496-1.
///
/// - Source: ISO/IEC 23008-12:2022/Amd 1 for the item, ISO 21496-1:2025 annex C for its payload.
package struct HEIFRendition: Sendable, Hashable {
  /// A property that no crop or turn makes untrue.
  package struct Property: Sendable, Hashable {
    package var type: String
    package var payload: [UInt8]
    var isEssential: Bool
  }

  /// Colors, bit depths and light levels.
  package var properties: [Property] = []
  /// Whether depth, mattes and gain map belong to it as they do to the image, as in files of the
  /// iPhone 16.
  var sharesCompanions = false

  /// The rendition's colors; `nil` where nothing says them.
  package var color: Property? { properties.first { $0.type == "colr" } }
}

/// A `tmap` item and what it is made from.
package struct HEIFRenditionItem: Sendable, Hashable {
  package let id: HEIFItemID
  package let gainMap: HEIFItemID
  /// The numbers of ISO 21496-1, from the versions on; `nil` for an unknown version of the item.
  package let numbers: [UInt8]?
}

extension HEIFFile {
  /// The renditions that are made from an image and a gain map, in file order.
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

  /// What a rendition's properties say that stays true of a changed image.
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

  /// The color of an item's own property as `colr` holds it; `nil` for none.
  func ownColor(of item: HEIFItemID) -> ColorInformation? {
    for use in properties(of: item) { if case .color(let color) = use.property { return color } }
    return nil
  }
}

extension HEIFProperty {
  /// The box of a property that says nothing of positions in the image.
  fileprivate var unmoved: (type: String, payload: [UInt8])? {
    switch self {
    case .color(let color): color.payload.map { ("colr", $0) }
    case .bitDepths(let depths): ("pixi", [0, 0, 0, 0, UInt8(min(depths.count, 255))] + depths)
    // Light levels and the display that the image was graded on.
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
  /// Adds the item of a rendition, of the shape of its image; its inputs follow by
  /// ``complete(_:of:_:)``, since companions may name it first.
  ///
  /// - Parameters:
  ///   - numbers: Those of ISO 21496-1.
  ///   - rendition: Its own properties; without colors it has the gain map's, else the image's.
  ///   - photo: The image, with its metadata.
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

  /// Says what a rendition is made from, that it is the better of two, and that the file has one.
  mutating func complete(_ rendition: HEIFItemID, of image: HEIFItemID, _ gainMap: HEIFItemID) {
    addReference("dimg", from: rendition, to: [image, gainMap])
    let group = freeItemID()
    var body: [UInt8] = [0, 0, 0, 0]
    // The first that a reader can show is shown.
    for number in [Int(group), 2, Int(rendition), Int(image)] {
      body.appendBigEndian(number, bytes: 4)
    }
    groups.append(Self.box("altr", body))
    reservedIDs.insert(group)
    let size = Int(preamble.count) + 4
    preamble = [UInt8](bigEndian: size, bytes: 4) + preamble.dropFirst(4) + Array("tmap".utf8)
  }
}
