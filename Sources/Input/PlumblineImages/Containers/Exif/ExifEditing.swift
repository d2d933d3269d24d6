import PlumblineIO
package import PlumblineModel

/// Changes the Exif values that describe a photo's pixels and leaves every other byte in place, the
/// maker's note and all offsets included.
///
/// Values are overwritten in place. If an entry must be added, its directory is rewritten after the
/// end of the block, and the old directory remains unused.
///
/// - Source: CIPA DC-008 (Exif 3.0), sections 4.5 and 4.6; TIFF 6.0, section 2.
package struct ExifEditing: Sendable {
  private var editor: TIFFEditor

  /// Wraps a TIFF block that starts with the byte-order mark.
  ///
  /// - Throws: `.unreadable` for a block without a TIFF header and a first directory.
  package init(_ block: [UInt8]) throws(PhotoWritingError) {
    do throws(CaptureReadingError) {
      editor = try TIFFEditor(block, path: ["Exif"])
      guard editor.entryCount(editor.firstDirectory) != nil else {
        throw CaptureReadingError(
          .malformed, path: ["Exif"], expected: "a first directory within \(block.count) bytes",
          found: "offset \(editor.firstDirectory)")
      }
    } catch {
      throw .unreadable(error)
    }
  }

  /// The block with the changes so far.
  package var block: [UInt8] { editor.bytes }

  /// A block that contains only the orientation.
  package static func block(orientation: ImageOrientation) -> [UInt8] {
    TIFFBuilder(entries: [0x0112: .short([UInt16(orientation.rawValue)])]).bytes
  }

  /// Sets the orientation of the stored pixels.
  package mutating func setOrientation(_ orientation: ImageOrientation) {
    if let entry = editor.entry(0x0112, in: editor.firstDirectory) {
      if editor.integer(entry) != orientation.rawValue {
        editor.setInteger(orientation.rawValue, at: entry)
      }
    } else {
      // The initializer has checked that the directory exists.
      _ = editor.insertShort(0x0112, orientation.rawValue)
    }
  }

  /// Sets the size of the image in the tags A002 and A003 that the block contains.
  package mutating func setPixelSize(_ size: RasterSize) {
    var directories = [editor.firstDirectory]
    if let exif = editor.entry(0x8769, in: editor.firstDirectory).flatMap({ editor.integer($0) }) {
      directories.append(exif)
    }
    for directory in directories {
      for (tag, value) in [(0xA002, size.width), (0xA003, size.height)] {
        guard let entry = editor.entry(tag, in: directory), editor.integer(entry) != value else {
          continue
        }
        editor.setInteger(value, at: entry)
      }
    }
  }

  /// Removes the embedded thumbnail, which shows the unchanged image.
  ///
  /// Its directory is unlinked. Its bytes are set to zero, or are cut off if they are the last ones
  /// of the block; bytes that another directory uses are never overwritten.
  package mutating func removeThumbnail() {
    guard let link = editor.link(behind: editor.firstDirectory),
      let directory = editor.read32(link), directory != 0
    else { return }
    let thumbnail = thumbnailRange(in: directory)
    editor.write32(0, at: link)
    guard let thumbnail, !usedRanges().contains(where: { $0.overlaps(thumbnail) }) else { return }
    if thumbnail.upperBound == editor.bytes.count {
      editor.truncate(at: thumbnail.lowerBound)
    } else {
      editor.overwrite(thumbnail, with: [UInt8](repeating: 0, count: thumbnail.count))
    }
  }

  /// The bytes of a JPEG thumbnail (tags 0201 and 0202).
  private func thumbnailRange(in directory: Int) -> Range<Int>? {
    guard let start = editor.entry(0x0201, in: directory).flatMap({ editor.integer($0) }),
      let count = editor.entry(0x0202, in: directory).flatMap({ editor.integer($0) }),
      count > 0, start >= 8, count <= editor.bytes.count, start <= editor.bytes.count - count
    else { return nil }
    return start..<start + count
  }

  /// The ranges of the header, of the first directory and those that it names, and of their values.
  private func usedRanges() -> [Range<Int>] {
    let first = editor.firstDirectory
    // Exif, GPS, and the interoperability directory that Exif or GPS names.
    var directories = [first]
    for tag in [0x8769, 0x8825] {
      guard let named = editor.entry(tag, in: first).flatMap({ editor.integer($0) }) else {
        continue
      }
      directories.append(named)
      if let deeper = editor.entry(0xA005, in: named).flatMap({ editor.integer($0) }) {
        directories.append(deeper)
      }
    }
    return [0..<8]
      + directories.flatMap { directory -> [Range<Int>] in
        guard let end = editor.link(behind: directory) else { return [] }
        return [directory..<end + 4]
          + editor.entries(in: directory).compactMap { editor.value(of: $0) }
      }
  }
}

/// The position of the orientation entry in an Exif block.
struct ExifOrientationEntry {
  /// The index of the value's first byte; the value has two bytes.
  let place: Int
  private let isBigEndian: Bool

  /// Finds the entry in the first directory; `nil` if there is none or its type is not short.
  ///
  /// - Source: TIFF 6.0 §2; tag 0x0112.
  init?(_ block: ArraySlice<UInt8>) {
    var reader = ByteReader(block)
    guard let mark = try? reader.readUInt16(), mark == 0x4D4D || mark == 0x4949 else { return nil }
    isBigEndian = mark == 0x4D4D
    reader.endianness = isBigEndian ? .big : .little
    guard (try? reader.readUInt16()) == 42, let offset = try? reader.readUInt32(),
      (try? reader.seek(to: block.startIndex + Int(offset))) != nil,
      let count = try? reader.readUInt16()
    else { return nil }
    for _ in 0..<count {
      let start = reader.offset
      guard let tag = try? reader.readUInt16(), let type = try? reader.readUInt16(),
        (try? reader.skip(8)) != nil
      else { return nil }
      if tag == 0x0112 {
        guard type == 3 else { return nil }
        place = start + 8
        return
      }
    }
    return nil
  }

  /// The two bytes that encode an orientation in the block's byte order.
  func bytes(_ orientation: ImageOrientation) -> [UInt8] {
    let value = UInt8(orientation.rawValue)
    return isBigEndian ? [0, value] : [value, 0]
  }
}
