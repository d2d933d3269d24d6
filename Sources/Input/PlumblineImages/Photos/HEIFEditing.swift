import PlumblineIO
import PlumblineModel

/// A pending change of a HEIF file.
struct HEIFEditing {
  let file: HEIFFile
  var draft: HEIFDraft
  /// The orientation of the image after the change.
  var orientation: ImageOrientation
  /// The items to which a new depth map belongs.
  private(set) var depthOwners: [HEIFItemID]
  /// Bytes of the source that are replaced in place.
  var patches: [(place: Int, bytes: [UInt8])] = []
  private(set) var leaving: Set<HEIFItemID> = []
  private let auxiliaries: [HEIFAuxiliary]

  /// Reads a file for a change.
  init(_ file: HEIFFile) throws(CaptureReadingError) {
    self.file = file
    draft = try HEIFDraft(file)
    auxiliaries = try file.auxiliaries()
    orientation = try HEIFShape(of: file.primaryItemID, in: file).orientation
    // The image and its renditions for other brightness ranges.
    depthOwners =
      [file.primaryItemID]
      + file.items(referringTo: file.primaryItemID, as: "dimg").filter {
        file.item($0)?.type == "tmap"
      }
  }

  /// Determines which items are removed.
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
      // A gain map in ISO's form only is not an auxiliary image: only the rendition refers to it.
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

  /// Removes these items, and the brand for renditions if the last rendition is removed.
  mutating func removeItems() {
    draft.remove(leaving)
    let renditions = file.items.filter { $0.type == "tmap" }.map(\.id)
    guard !renditions.isEmpty, renditions.allSatisfy(leaving.contains) else { return }
    draft.removeBrand("tmap", of: file.bytes)
  }

  private func isOfPrimary(_ auxiliary: HEIFAuxiliary) -> Bool {
    auxiliary.ownerIDs.contains(file.primaryItemID)
  }

  /// Items, the items derived from them, and what only these use: descriptions, thumbnails, tiles.
  private func closure(of seeds: Set<HEIFItemID>) -> Set<HEIFItemID> {
    guard !seeds.isEmpty else { return [] }
    var result = seeds
    while true {
      let before = result.count
      for reference in file.references {
        switch reference.type {
        case "dimg", "iloc":
          // An image derived from a removed one cannot be displayed.
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
      // Hidden tiles that no other item uses.
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

  /// Whether this reference is the item's only one.
  private func isOnly(_ reference: HEIFReference) -> Bool {
    file.references.count { $0.from == reference.from && $0.type == reference.type } == 1
  }

  /// Whether a remaining item is derived from this one, or this one belongs to a remaining item.
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
  /// The file after changes that affect none of its pixels.
  ///
  /// Every remaining item keeps its bytes and every property its own, whether known here or not.
  /// The tables are rewritten, and the bytes of removed items are deleted. A change without effect
  /// returns the same bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - edit: The change.
  ///   - options: The coding of a new depth map.
  ///   - limits: The limits for reading.
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
