import PlumblineIO
import PlumblineModel

/// Changes a JPEG photo without changing compressed data: unchanged parts are copied.
struct JPEGPhotoRewriter {
  private typealias Image = JPEGPhotoIndex.Image

  private let file: JPEGFile
  private let limits: ReadingLimits

  /// Finds the images of a file.
  ///
  /// - Throws: As ``JPEGFile`` does, and `.malformed` if the primary image has no end marker, since
  ///   the data after it then cannot be separated.
  init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    file = try JPEGFile(bytes, limits: limits)
    self.limits = limits
    if let damage = file.primary.damage { throw damage }
  }

  /// The data after the primary image, after the changes.
  private struct Tail {
    enum Part {
      case copy(JPEGPhotoChunks.Chunk)
      /// An image for the index.
      case image([UInt8])
      /// A map that only a directory refers to.
      case item([UInt8])

      var count: Int {
        switch self {
        case .copy(let chunk): chunk.range.count
        case .image(let bytes), .item(let bytes): bytes.count
        }
      }
    }

    var parts: [Part] = []
  }

  /// The changed file.
  ///
  /// - Throws: `.unreadable` for a damaged packet that must be changed; `.unrepresentable` if a
  ///   segment would exceed 65,533 bytes.
  func rewritten(_ changes: JPEGPhotoChanges) throws(PhotoWritingError) -> [UInt8] {
    do {
      var xmp: JPEGPhotoXMP?
      if !changes.isEmpty { xmp = try JPEGPhotoXMP(file.primary, limits: limits) }
      let tail = try tail(changes, &xmp)
      if let orientation = changes.orientation { xmp?.setOrientation(orientation) }
      if changes.isNewFile { xmp?.removeAppendices() }
      if let depth = changes.googleDepth { xmp?.add(depth, provenance: changes.provenance) }
      return try assembled(
        tail, try xmp?.result(limits: limits), try exif(changes),
        keepsToneMapping: !changes.removesGainMap)
    } catch let error as PhotoWritingError {
      throw error
    } catch let error as CaptureReadingError {
      throw .unreadable(error)
    } catch {
      throw .encoder("\(error)")
    }
  }

  private func exif(_ changes: JPEGPhotoChanges) throws(PhotoWritingError) -> [UInt8]? {
    guard let orientation = changes.orientation else { return nil }
    let block: [UInt8]
    if let old = file.primary.exif {
      var editing = try ExifEditing(Array(old))
      editing.setOrientation(orientation)
      block = editing.block
      if block == Array(old) { return nil }
    } else {
      block = ExifEditing.block(orientation: orientation)
    }
    return try JPEGAuxiliaryImage.segment(0xE1, Array("Exif\0\0".utf8) + block, "Exif")
  }

  /// Determines what stays after the primary image, and changes the directories accordingly.
  private func tail(
    _ changes: JPEGPhotoChanges, _ xmp: inout JPEGPhotoXMP?
  ) throws(CaptureReadingError) -> Tail {
    let primaryEnd = file.primary.range.upperBound
    let directories = xmp?.directories ?? []
    let ranges = directories.map {
      $0.ranges(primaryEnd: primaryEnd, fileEnd: file.bytes.endIndex)
    }
    let chunks = try JPEGPhotoChunks(file, directories: ranges, limits: limits).all
    var roles: Set<JPEGPhotoChunks.Role> = []
    var names: Set<String> = []
    if changes.removesDepth {
      roles.insert(.depth)
      names = xmp?.removeDepth() ?? []
    }
    if changes.removesMattes { roles.insert(.matte) }
    if changes.removesGainMap {
      roles.insert(.gainMap)
      xmp?.removeGainMap()
    }
    func goes(_ chunk: JPEGPhotoChunks.Chunk) -> Bool {
      roles.contains(chunk.role)
        || chunk.items.contains { place in
          let item = directories[place.directory].items[place.item]
          return item.dataURI.map { names.contains($0) } == true
            || changes.removesGainMap && item.semantic == "GainMap"
        }
    }
    var tail = Tail()
    /// The position of the first image that was removed.
    var gone: Int?
    var lastWent = false
    for chunk in chunks {
      if goes(chunk) {
        for place in chunk.items { xmp?.removeItem(place.item, ofDirectory: place.directory) }
        if gone == nil, chunk.items.isEmpty { gone = tail.parts.count }
        lastWent = true
        continue
      }
      // Padding is removed together with the chunk before it.
      if lastWent, chunk.role == .gap, file.bytes[chunk.range].allSatisfy({ $0 == 0 }) { continue }
      lastWent = false
      tail.parts.append(.copy(chunk))
    }
    insert(changes, into: &tail, at: gone, directories)
    setPaddings(of: tail, ranges, &xmp)
    return tail
  }

  /// Inserts new images where others were removed, or else where no directory becomes invalid.
  private func insert(
    _ changes: JPEGPhotoChanges, into tail: inout Tail, at gone: Int?,
    _ directories: [AppendedImagePlaces]
  ) {
    func firstItem(_ isMeant: (Int) -> Bool) -> Int? {
      tail.parts.firstIndex {
        if case .copy(let chunk) = $0 { return chunk.items.contains { isMeant($0.directory) } }
        return false
      }
    }
    let lastImage = tail.parts.lastIndex {
      if case .copy(let chunk) = $0 { return chunk.role != .gap }
      return false
    }
    // Files counted by a directory stay contiguous after the new images.
    let end = firstItem { _ in true } == nil ? (lastImage ?? -1) + 1 : 0
    tail.parts.insert(
      contentsOf: changes.images.map { .image($0) }, at: min(gone ?? end, tail.parts.count))
    if case .dynamicDepth(let image, _)? = changes.googleDepth {
      let own = firstItem { directories[$0].namespace == AppendedImagePlaces.dynamicDepth }
      tail.parts.insert(.item(image.bytes), at: own ?? 0)
    }
  }

  /// Updates in each directory the distance from the primary image to its first item.
  private func setPaddings(of tail: Tail, _ ranges: [[Range<Int>]?], _ xmp: inout JPEGPhotoXMP?) {
    for (number, places) in ranges.enumerated() where places != nil {
      let isDynamic = xmp?.directories[number].namespace == AppendedImagePlaces.dynamicDepth
      var padding = 0
      for part in tail.parts {
        if case .copy(let chunk) = part, chunk.items.contains(where: { $0.directory == number }) {
          xmp?.setPadding(padding, ofDirectory: number)
          break
        }
        if case .item = part, isDynamic {
          xmp?.setPadding(padding, ofDirectory: number)
          break
        }
        padding += part.count
      }
    }
  }

  private func assembled(
    _ tail: Tail, _ xmp: JPEGPhotoXMP.Result?, _ exif: [UInt8]?, keepsToneMapping: Bool
  ) throws(PhotoWritingError) -> [UInt8] {
    let head = JPEGPhotoHead(file.primary)
    let index = JPEGPhotoIndex(file.primary.multiPictureIndex, limits: limits)
    let packet = try xmp?.main.map { (packet) throws(PhotoWritingError) in
      try JPEGAuxiliaryImage.xmpSegment(packet)
    }
    let extended = xmp?.extendedSegments.map { (guid: xmp?.extendedGUID, segments: $0) }
    // The size of an index does not depend on its contents, so all other positions are known.
    let draft = images(tail, primarySize: 0)
    let hasIndex = index.isNeeded(for: draft)
    let keepsIndex = !hasIndex && file.primary.multiPictureIndex != nil && !index.isReadable
    let parts = head.parts(
      exif: exif, xmp: packet, extendedXMP: extended, hasIndex: keepsIndex ? nil : hasIndex,
      keepsToneMapping: keepsToneMapping)
    let indexSize = hasIndex ? index.segment(for: draft, at: 0).count : 0
    var primarySize = 0
    var indexPlace = 0
    for part in parts {
      switch part {
      case .copy(let range): primarySize += range.count
      case .new(let bytes): primarySize += bytes.count
      case .index:
        indexPlace = primarySize
        primarySize += indexSize
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(primarySize + tail.parts.reduce(0) { $0 + $1.count })
    for part in parts {
      switch part {
      case .copy(let range): bytes += file.bytes[range]
      case .new(let new): bytes += new
      case .index:
        bytes += index.segment(for: images(tail, primarySize: primarySize), at: indexPlace)
      }
    }
    for part in tail.parts {
      switch part {
      case .copy(let chunk): bytes += file.bytes[chunk.range]
      case .image(let new), .item(let new): bytes += new
      }
    }
    return bytes
  }

  /// The images of the changed file at their positions.
  private func images(_ tail: Tail, primarySize: Int) -> [Image] {
    var images = [Image(oldStart: 0, newStart: 0, length: primarySize, isRequired: true)]
    // A position of 0 means the primary image, so draft positions start after it.
    var position = max(primarySize, 1)
    for (number, part) in tail.parts.enumerated() {
      switch part {
      case .copy(let chunk):
        let next = number + 1 < tail.parts.count ? tail.parts[number + 1] : nil
        if chunk.role != .gap {
          let image = file.images.first { $0.range.lowerBound == chunk.range.lowerBound }
          images.append(
            Image(
              oldStart: chunk.range.lowerBound, newStart: position,
              length: image?.range.count ?? chunk.range.count, padding: zeros(next),
              isRequired: chunk.role != .other))
        }
      case .image(let bytes):
        images.append(
          Image(oldStart: nil, newStart: position, length: bytes.count, isRequired: true))
      case .item: break
      }
      position += part.count
    }
    images[0].padding = zeros(tail.parts.first)
    return images
  }

  /// The number of zero bytes in a gap; padding is short, and videos are not searched for it.
  private func zeros(_ part: Tail.Part?) -> Int {
    guard case .copy(let chunk)? = part, chunk.role == .gap, chunk.range.count <= 1 << 16,
      file.bytes[chunk.range].allSatisfy({ $0 == 0 })
    else { return 0 }
    return chunk.range.count
  }
}
