import PlumblineIO
import PlumblineModel

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
  public func edited(
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
