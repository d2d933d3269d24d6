import PlumblineIO
import PlumblineModel

/// A change of a HEIF file on its way.
struct HEIFEditing {
  let file: HEIFFile
  var draft: HEIFDraft
  /// The orientation of the image after the change.
  var orientation: ImageOrientation
  /// The items that a new depth map belongs to.
  private(set) var depthOwners: [HEIFItemID]
  /// Bytes of the source that change in their places.
  var patches: [(place: Int, bytes: [UInt8])] = []
  private(set) var leaving: Set<HEIFItemID> = []
  private let auxiliaries: [HEIFAuxiliary]

  /// Takes a file apart.
  init(_ file: HEIFFile) throws(CaptureReadingError) {
    self.file = file
    draft = try HEIFDraft(file)
    auxiliaries = try file.auxiliaries()
    orientation = try HEIFShape(of: file.primaryItemID, in: file).orientation
    // The image, and what other ranges of brightness make of it.
    depthOwners =
      [file.primaryItemID]
      + file.items(referringTo: file.primaryItemID, as: "dimg").filter {
        file.item($0)?.type == "tmap"
      }
  }

  /// Decides which items go.
  mutating func plan(_ edit: PhotoEdit) throws(CaptureReadingError) {
    var seeds: Set<HEIFItemID> = []
    for auxiliary in auxiliaries {
      switch auxiliary.kind {
      case .depth:
        if case .keep = edit.depth { continue }
        if case .replace = edit.depth, isOfPrimary(auxiliary) {
          depthOwners = auxiliary.ownerIDs.filter { file.item($0) != nil }
        }
        seeds.insert(auxiliary.itemID)
      case .portraitEffectsMatte, .semanticMatte:
        if !edit.keepsMattes { seeds.insert(auxiliary.itemID) }
      case .hdrGainMap: if !edit.keepsGainMap { seeds.insert(auxiliary.itemID) }
      case .alpha, .appleRendition, .unknown: continue
      }
    }
    if !edit.keepsGainMap {
      // One in ISO's form alone is no auxiliary image: only the rendition names it.
      seeds.formUnion(file.renditions(of: file.primaryItemID).map(\.gainMap))
    }
    leaving = closure(of: seeds)
    depthOwners.removeAll { leaving.contains($0) }
    guard !leaving.contains(file.primaryItemID) else {
      throw CaptureReadingError(
        .unsupported, path: ["meta", "iref"],
        expected: "an image that does not depend on what shall go",
        found: "item \(file.primaryItemID) derived from it")
    }
    if depthOwners.isEmpty { depthOwners = [file.primaryItemID] }
  }

  /// Whether nothing changes.
  func isNothing(_ edit: PhotoEdit) -> Bool {
    if case .replace = edit.depth { return false }
    return leaving.isEmpty && (edit.orientation.map { $0 == orientation } ?? true)
  }

  /// Takes away what goes, and the brand that promises a rendition when the last one went.
  mutating func removeItems() {
    draft.remove(leaving)
    let renditions = file.items.filter { $0.type == "tmap" }.map(\.id)
    guard !renditions.isEmpty, renditions.allSatisfy(leaving.contains) else { return }
    draft.removeBrand("tmap", of: file.bytes)
  }

  private func isOfPrimary(_ auxiliary: HEIFAuxiliary) -> Bool {
    auxiliary.ownerIDs.contains(file.primaryItemID)
  }

  /// Items, what is made from them, and what only they had: descriptions, smaller images, tiles.
  private func closure(of seeds: Set<HEIFItemID>) -> Set<HEIFItemID> {
    guard !seeds.isEmpty else { return [] }
    var result = seeds
    while true {
      let before = result.count
      for reference in file.references {
        switch reference.type {
        case "dimg", "iloc":
          // An image derived from one that is gone cannot be shown.
          if reference.to.contains(where: result.contains) { result.insert(reference.from) }
        case "cdsc", "thmb", "auxl":
          let targets = reference.to.filter { file.item($0) != nil }
          if !targets.isEmpty, targets.allSatisfy(result.contains),
            isOnly(reference)
          {
            result.insert(reference.from)
          }
        default: break
        }
      }
      // Tiles that no other item uses; they are hidden.
      for reference in file.references where reference.type == "dimg" {
        guard result.contains(reference.from) else { continue }
        for tile in reference.to
        where tile != file.primaryItemID && file.item(tile)?.isHidden == true
          && !isNeeded(tile, beside: result)
        {
          result.insert(tile)
        }
      }
      if result.count == before { return result }
    }
  }

  /// Whether an item refers to others in this one entry alone.
  private func isOnly(_ reference: HEIFReference) -> Bool {
    file.references.count { $0.from == reference.from && $0.type == reference.type } == 1
  }

  /// Whether an item that stays is made from this one, or this one belongs to one that stays.
  private func isNeeded(_ item: HEIFItemID, beside leaving: Set<HEIFItemID>) -> Bool {
    file.references.contains { reference in
      if reference.from == item, ["auxl", "thmb"].contains(reference.type) {
        return reference.to.contains { !leaving.contains($0) }
      }
      return reference.to.contains(item) && !leaving.contains(reference.from)
    }
  }
}

extension HEIFPhotoWriter {
  /// The file with changes that touch none of its pixels.
  ///
  /// Every item that stays keeps its bytes, and every property its own, known here or not; tables are
  /// written anew around them, and the bytes of what goes are taken out. A change that changes nothing
  /// gives the same bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - edit: What shall change.
  ///   - options: How a new depth map is coded.
  ///   - limits: What reading may spend.
  /// - Returns: The whole file.
  /// - Throws: `.unreadable` for damage and for videos in the same file, `.encoder`,
  ///   `.unrepresentable`. O(*n*) in the file's bytes.
  package func edited(
    _ bytes: [UInt8], _ edit: PhotoEdit, options: PhotoWritingOptions = PhotoWritingOptions(),
    limits: ReadingLimits = ReadingLimits()
  ) throws(PhotoWritingError) -> [UInt8] {
    let file: HEIFFile
    var editing: HEIFEditing
    do throws(CaptureReadingError) {
      file = try HEIFFile(bytes: bytes, limits: limits)
      editing = try HEIFEditing(file)
      try editing.plan(edit)
      guard !editing.isNothing(edit) else { return bytes }
      editing.removeItems()
      if let orientation = edit.orientation { try editing.turn(to: orientation) }
    } catch { throw .unreadable(error) }
    if case .replace(let depth) = edit.depth {
      let coder = try HEVCImageCoder(options.hevc, threads: options.threads)
      try HEIFAuxiliaryWriter(
        coder, orientation: editing.orientation, owners: editing.depthOwners
      ).add(depth, options.depthCoding, to: &editing.draft)
    }
    var source = bytes
    for (place, patch) in editing.patches {
      source.replaceSubrange(place..<place + patch.count, with: patch)
    }
    return try editing.draft.bytes(from: source) { (item) throws(CaptureReadingError) in
      try file.data(of: item)
    }
  }
}
