import PlumblineIO

extension HEIFDraft {
  /// The bytes of the whole file.
  ///
  /// - Parameters:
  ///   - source: The file from which the draft was read, to which its offsets refer; empty for a
  ///     new file.
  ///   - data: Returns the bytes of an item of the source, for items outside the copied boxes.
  /// - Returns: The file.
  /// - Throws: `.unrepresentable` if the file needs offsets of more than 32 bits; errors of `data`
  ///   as `.unreadable`.
  func bytes(
    from source: [UInt8] = [],
    data: (HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> = {
      (_) throws(CaptureReadingError) in []
    }
  ) throws(PhotoWritingError) -> [UInt8] {
    var draft = self
    do throws(CaptureReadingError) {
      try draft.relocateStrays(source, data)
    } catch { throw .unreadable(error) }
    draft.cutItemData()
    let media = MediaData(draft, source)
    let added = draft.newData.reduce(0) { $0 + $1.bytes.count }
    guard source.count + added + (64 << 20) < Int(UInt32.max) else {
      throw .unrepresentable(
        format: "HEIC", place: "iloc", expected: "less than 4 GB", found: "\(added) bytes more")
    }
    // Fields have fixed widths, so the size of the tables does not depend on their values.
    let metaSize = draft.meta(placing: { $0 }, newDataAt: 0).count
    let layout = media.layout(metaSize: metaSize, preamble: preamble.count)
    let meta = draft.meta(placing: layout.place, newDataAt: layout.newDataOffset)
    return media.file(meta: meta, preamble: preamble, draft, source)
  }

  /// Converts items whose bytes lie outside the copied boxes, for example inside `meta`, to items
  /// with new bytes.
  private mutating func relocateStrays(
    _ source: [UInt8], _ data: (HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8>
  ) throws(CaptureReadingError) {
    let kept: [Range<Int>] = outerParts.compactMap { part in
      switch part {
      case .meta, .new: nil
      case .kept(let range): range
      case .mediaData(_, let payload): payload
      }
    }
    var moved = 0
    for index in locations.indices where locations[index].isInFile {
      for run in locations[index].extents.indices where locations[index].extents[run].length == 0 {
        let offset = locations[index].extents[run].offset
        locations[index].extents[run].length = max(source.count - offset, 0)
      }
      let isNew = locations[index].extents.isEmpty
      let isInside = locations[index].extents.allSatisfy { extent in
        let found = Self.last(kept.count) { kept[$0].lowerBound <= extent.offset }
        return found.map { extent.offset + extent.length <= kept[$0].upperBound } ?? false
      }
      guard !isNew, !isInside else { continue }
      // Locations outside the file are damage of the source and stay unchanged.
      guard let bytes = try? data(locations[index].id) else { continue }
      moved += bytes.count
      guard moved <= source.count else {
        throw CaptureReadingError(
          .limitExceeded, path: ["meta", "iloc"],
          expected: "items outside of media data with fewer bytes than the file", found: "more")
      }
      locations[index].extents = []
      newData.append((locations[index].id, [UInt8](bytes)))
    }
  }

  /// Removes the bytes of removed items from `idat`.
  private mutating func cutItemData() {
    let cuts = Cuts(
      of: removedLocations.filter(\.isInItemData), keeping: locations.filter(\.isInItemData),
      within: 0..<itemData.count)
    guard !cuts.ranges.isEmpty else { return }
    for index in locations.indices where locations[index].isInItemData {
      for run in locations[index].extents.indices {
        let extent = locations[index].extents[run]
        if extent.length == 0 {
          locations[index].extents[run].length = max(itemData.count - extent.offset, 0)
        }
        locations[index].extents[run].offset = cuts.moved(extent.offset)
      }
    }
    itemData = cuts.applied(to: itemData, within: 0..<itemData.count)
  }

  /// The `meta` box.
  private func meta(placing place: (Int) -> Int, newDataAt newDataOffset: Int) -> [UInt8] {
    var payload = metaHeader
    for part in parts {
      switch part {
      case .kept(let box): payload += box
      case .primaryItem: payload += primaryItemBox
      case .items: payload += itemsBox
      case .references: if !references.isEmpty { payload += referencesBox }
      case .properties: payload += propertiesBox
      case .groups: if !groups.isEmpty { payload += Self.box("grpl", groups.flatMap { $0 }) }
      case .itemData: if !itemData.isEmpty { payload += Self.box("idat", itemData) }
      case .locations:
        payload += Self.box(
          "iloc",
          HEIFDraftLocation.payload(
            locationsHeader, placed(locations, place, newDataAt: newDataOffset)))
      }
    }
    return Self.box("meta", payload)
  }

  private func placed(
    _ locations: [HEIFDraftLocation], _ place: (Int) -> Int, newDataAt newDataOffset: Int
  ) -> [HEIFDraftLocation] {
    var offsets: [HEIFItemID: (offset: Int, length: Int)] = [:]
    var offset = newDataOffset
    for (id, bytes) in newData {
      offsets[id] = (offset, bytes.count)
      offset += bytes.count
    }
    return locations.map { location in
      var result = location
      if let new = offsets[location.id] {
        result.extents = [.init(index: 0, offset: new.offset, length: new.length)]
        (result.construction, result.dataReference) = (location.construction & ~0xF, 0)
      } else if location.isInFile {
        for run in result.extents.indices {
          result.extents[run].offset = place(result.extents[run].offset)
        }
      }
      return result
    }
  }

  private var primaryItemBox: [UInt8] {
    let isWide = primaryItem > 0xFFFF
    return Self.box(
      "pitm",
      [isWide ? 1 : 0, 0, 0, 0] + [UInt8](bigEndian: Int(primaryItem), bytes: isWide ? 4 : 2))
  }

  private var itemsBox: [UInt8] {
    var payload: [UInt8] = [entriesVersion, 0, 0, 0]
    payload.appendBigEndian(entries.count, bytes: entriesVersion == 0 ? 2 : 4)
    for entry in entries { payload += entry.box }
    return Self.box("iinf", payload)
  }

  private var referencesBox: [UInt8] {
    let width = referencesVersion == 0 ? 2 : 4
    var payload: [UInt8] = [referencesVersion, 0, 0, 0]
    for reference in references {
      var body = [UInt8](bigEndian: Int(reference.from), bytes: width)
      body.appendBigEndian(reference.to.count, bytes: 2)
      for item in reference.to { body.appendBigEndian(Int(item), bytes: width) }
      payload += Self.box(reference.type, body)
    }
    return Self.box("iref", payload)
  }

  private var propertiesBox: [UInt8] {
    let isWide = properties.count > 0x7F
    let hasWideItems = associations.contains { $0.id > 0xFFFF }
    var uses: [UInt8] = [hasWideItems ? 1 : 0, 0, 0, isWide ? 1 : 0]
    uses.appendBigEndian(associations.count, bytes: 4)
    for association in associations {
      uses.appendBigEndian(Int(association.id), bytes: hasWideItems ? 4 : 2)
      uses.append(UInt8(truncatingIfNeeded: association.uses.count))
      for use in association.uses {
        let number = (use.property ?? -1) + 1
        uses.appendBigEndian(
          number | (use.isEssential ? 1 : 0) << (isWide ? 15 : 7), bytes: isWide ? 2 : 1)
      }
    }
    return Self.box(
      "iprp",
      Self.box("ipco", properties.flatMap { $0 }) + Self.box("ipma", uses)
        + furtherPropertyBoxes.flatMap { $0 })
  }
}
