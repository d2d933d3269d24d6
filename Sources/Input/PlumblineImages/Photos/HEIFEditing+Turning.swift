import PlumblineIO
import PlumblineModel

extension HEIFEditing {
  /// Rotates the image and all images that are aligned with it.
  ///
  /// Each item keeps its crops and is rotated after them. The other image of a spatial photo is
  /// rotated in the same way, since the two must be aligned.
  mutating func turn(to target: ImageOrientation) throws(CaptureReadingError) {
    guard target != orientation else { return }
    let turn = orientation.inverse.followed(by: target)
    let before = draft.usedProperties
    let images = images
    for id in family(of: images) where draft.associations.contains(where: { $0.id == id }) {
      try turnItem(id, by: turn)
    }
    draft.removeProperties(before.subtracting(draft.usedProperties))
    orientation = target
    for id in images {
      let old = try HEIFShape(of: id, in: file).orientation
      try patchExif(of: id, old.followed(by: turn))
    }
  }

  /// The primary image, and the image for the other eye.
  private var images: [HEIFItemID] {
    let pair = file.groups.filter { $0.type == "ster" && $0.items.contains(file.primaryItemID) }
      .flatMap(\.items).filter { file.item($0) != nil }
    return Set(pair + [file.primaryItemID]).subtracting(leaving).sorted()
  }

  /// Images, the images derived from them, and their companions and thumbnails.
  private func family(of images: [HEIFItemID]) -> [HEIFItemID] {
    var members = Set(images)
    for reference in file.references
    where reference.type == "dimg" && reference.to.contains(where: images.contains) {
      members.insert(reference.from)
    }
    for image in images {
      members.formUnion(file.renditions(of: image).map(\.gainMap))
    }
    for reference in file.references where ["auxl", "thmb"].contains(reference.type) {
      if reference.to.contains(where: members.contains) { members.insert(reference.from) }
    }
    return members.subtracting(leaving).sorted()
  }

  private mutating func turnItem(
    _ id: HEIFItemID, by turn: ImageOrientation
  ) throws(CaptureReadingError) {
    guard let index = draft.associations.firstIndex(where: { $0.id == id }) else { return }
    let types = draft.associations[index].uses.map { use in
      use.property.map { String(decoding: draft.properties[$0][4..<8], as: UTF8.self) } ?? ""
    }
    // A derived image without its own rotation has that of its input (ISO/IEC 23008-12 §6.3); one
    // derived from hidden tiles, as a thumbnail may be, has its own.
    if !types.contains(where: { ["irot", "imir"].contains($0) }),
      file.references.contains(where: {
        $0.type == "dimg" && $0.from == id && $0.to.contains(where: images.contains)
      })
    {
      return
    }
    let old = try HEIFShape(of: id, in: file).orientation
    let crop = types.lastIndex(of: "clap")
    var kept = ImageOrientation.up
    var uses: [HEIFDraft.Use] = []
    for (place, use) in draft.associations[index].uses.enumerated() {
      let isTurn = ["irot", "imir"].contains(types[place])
      if isTurn, place > crop ?? -1 { continue }
      if isTurn, let property = use.property {
        kept = kept.followed(by: Self.orientation(of: draft.properties[property]))
      }
      uses.append(use)
    }
    let rest = kept.inverse.followed(by: old.followed(by: turn))
    let turns = draft.orientationUses(rest).map {
      HEIFDraft.Use(property: $0.property, isEssential: $0.isEssential)
    }
    let firstTurn = types.firstIndex { ["irot", "imir"].contains($0) } ?? uses.count
    let place = min(max(firstTurn, (crop ?? -1) + 1), uses.count)
    uses.insert(contentsOf: turns, at: place)
    draft.associations[index].uses = uses
  }

  private static func orientation(of box: [UInt8]) -> ImageOrientation {
    guard let last = box.last, box.count == 9 else { return .up }
    let step: ImageTransformation =
      box[4..<8].elementsEqual("irot".utf8)
      ? .rotation(counterclockwiseQuarterTurns: Int(last & 3))
      : .mirror(last & 1 == 0 ? .topToBottom : .leftToRight)
    return step.orientation ?? .up
  }

  /// Updates the orientation in Exif too, if Exif states the old one.
  ///
  /// Readers of HEIC use only `irot`, but programs that display Exif would show a wrong
  /// orientation.
  private mutating func patchExif(
    of image: HEIFItemID, _ target: ImageOrientation
  ) throws(CaptureReadingError) {
    guard let block = try? file.exif(of: image), !block.isEmpty,
      // Blocks in several extents are copies, whose indices are not positions in the file.
      let entry = ExifOrientationEntry(block), block.endIndex <= file.bytes.endIndex,
      file.bytes[block.startIndex..<block.endIndex] == block
    else { return }
    if file.itemData.indices.contains(entry.place) {
      let place = entry.place - file.itemData.startIndex
      draft.itemData.replaceSubrange(place..<place + 2, with: entry.bytes(target))
    } else {
      patches.append((entry.place, entry.bytes(target)))
    }
  }
}
