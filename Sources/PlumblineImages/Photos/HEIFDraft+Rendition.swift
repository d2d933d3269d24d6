import PlumblineIO
import PlumblineModel

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
