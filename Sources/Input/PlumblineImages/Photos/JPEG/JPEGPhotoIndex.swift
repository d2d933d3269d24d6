import PlumblineIO

/// The multi-picture index of a photo that is rewritten: its new entries, with as few other changes
/// of its bytes as possible.
struct JPEGPhotoIndex {
  /// One image at its future position.
  struct Image {
    /// The old position of the image; `nil` for a new one.
    var oldStart: Int?
    var newStart: Int
    var length: Int
    /// The number of zero bytes after it, which an index may count.
    var padding = 0
    /// Whether it must be in the index: Apple's auxiliary images cannot be found otherwise.
    var isRequired: Bool
  }

  private struct Entry {
    /// Its number in the old list, counted from 1; `nil` for a new one.
    var oldNumber: Int?
    var attributes: Int
    var length: Int
    /// The position in the file; 0 for the first image.
    var start: Int
    var dependents: [Int]
  }

  /// The block of the file, with file offsets as indices; `nil` for none.
  private let block: ArraySlice<UInt8>?
  private var old: [Entry]?

  init(_ block: ArraySlice<UInt8>?, limits: ReadingLimits) {
    self.block = block
    old = nil
    guard let block, let tiff = try? TIFFBlock(block, path: ["MPF"]),
      let directory = try? tiff.directory(at: tiff.firstDirectory, limits: limits),
      let index = try? MultiPictureIndex(block, limits: limits), let list = directory[0xB002]?.bytes
    else { return }
    var reader = ByteReader(list, endianness: tiff.endianness)
    old = index.entries.enumerated().map { number, entry in
      try? reader.skip(12)
      let dependents = [try? reader.readUInt16(), try? reader.readUInt16()].map { Int($0 ?? 0) }
      return Entry(
        oldNumber: number + 1, attributes: Int(entry.attributes), length: entry.length,
        start: entry.fileOffset,
        dependents: dependents)
    }
  }

  /// Whether there is a readable index.
  var isReadable: Bool { old != nil }

  /// The entries for a file with these images, the primary image first.
  private func entries(of images: [Image]) -> [Entry] {
    var entries: [Entry] = []
    var listed: Set<Int> = []
    for (number, entry) in (old ?? []).enumerated() {
      let position = images.firstIndex { image in
        number == 0 ? image.newStart == 0 : image.oldStart == entry.start && image.newStart != 0
      }
      guard let position, listed.insert(position).inserted else { continue }
      let image = images[position]
      let surplus = entry.length - image.length
      entries.append(
        Entry(
          oldNumber: number + 1, attributes: entry.attributes,
          length: image.length + ((0...image.padding).contains(surplus) ? surplus : 0),
          start: image.newStart, dependents: entry.dependents))
    }
    for (position, image) in images.enumerated()
    where image.isRequired && !listed.contains(position) {
      let attributes = image.newStart == 0 ? Int(MultiPictureIndex.primaryAttributes) : 0
      let entry = Entry(
        oldNumber: nil, attributes: attributes, length: image.length, start: image.newStart,
        dependents: [0, 0])
      // In file order, so that a map that is restored is at its old position.
      entries.insert(entry, at: entries.firstIndex { $0.start > image.newStart } ?? entries.count)
    }
    // Dependent images refer to others by number.
    for position in entries.indices {
      entries[position].dependents = entries[position].dependents.map { number in
        number == 0 ? 0 : (entries.firstIndex { $0.oldNumber == number } ?? -1) + 1
      }
    }
    return entries
  }

  /// Whether these images need an index: there is one already, or there are new images to find.
  func isNeeded(for images: [Image]) -> Bool {
    let entries = entries(of: images)
    guard let old else {
      // An unreadable index is useless; without auxiliary images it may stay unchanged.
      return entries.count > 1 && (block != nil || images.contains { $0.oldStart == nil })
    }
    // An index with only the photo has no content, unless the file had such an index before.
    return entries.count > 1 || old.count == 1 || hasOtherTags
  }

  /// Whether the index has tags other than version, number and list.
  private var hasOtherTags: Bool {
    guard let block, let editor = try? TIFFEditor(block, path: ["MPF"]) else { return false }
    return editor.entries(in: editor.firstDirectory).contains {
      ![0xB000, 0xB001, 0xB002].contains(editor.read16($0) ?? 0)
    } || editor.link(behind: editor.firstDirectory).flatMap { editor.read32($0) } != 0
  }

  /// The segment for images at their positions, marker included.
  ///
  /// - Parameters:
  ///   - images: The images of the file, the primary image first.
  ///   - position: The file offset of the segment.
  /// - Returns: Its bytes; their count does not depend on any position or length.
  func segment(for images: [Image], at position: Int) -> [UInt8] {
    let entries = entries(of: images)
    if let block, let old, old.count == entries.count || hasOtherTags,
      let patched = patched(block, entries, at: position)
    {
      return JPEGSegments.segment(0xE2, Array("MPF\0".utf8) + patched)
    }
    return MultiPictureIndex(
      entries: entries.map {
        .init(attributes: UInt32($0.attributes), length: $0.length, fileOffset: $0.start)
      }
    ).segment(at: position)
  }

  /// The old block with its list overwritten, or with a new list at its end if its length changes.
  private func patched(
    _ block: ArraySlice<UInt8>, _ entries: [Entry], at position: Int
  ) -> [UInt8]? {
    guard var editor = try? TIFFEditor(block, path: ["MPF"]),
      let list = editor.entry(0xB002, in: editor.firstDirectory),
      var place = editor.value(of: list)
    else { return nil }
    if place.count / 16 < entries.count || old?.count != entries.count {
      let start = editor.append([UInt8](repeating: 0, count: 16 * entries.count))
      place = start..<start + 16 * entries.count
      editor.write16(7, at: list + 2)
      editor.write32(place.count, at: list + 4)
      editor.write32(start, at: list + 8)
      if let number = editor.entry(0xB001, in: editor.firstDirectory) {
        editor.setInteger(entries.count, at: number)
      }
      guard editor.bytes.count <= JPEGSegments.maximumPayload - 4 else { return nil }
    }
    // Offsets are relative to the byte-order mark: after the marker, the length and "MPF\0".
    let origin = position + 8
    for (number, entry) in entries.enumerated() {
      let start = place.lowerBound + 16 * number
      editor.write32(entry.attributes, at: start)
      editor.write32(entry.length, at: start + 4)
      editor.write32(entry.start == 0 ? 0 : entry.start - origin, at: start + 8)
      editor.write16(entry.dependents[0], at: start + 12)
      editor.write16(entry.dependents[1], at: start + 14)
    }
    return editor.bytes
  }
}
