import PlumblineIO

extension HEIFDraft {
  /// Reads an opened file into a draft.
  ///
  /// - Throws: `.malformed` for damage in tables that the image reader does not need,
  ///   `.unsupported` for videos, whose own tables contain file offsets.
  init(_ file: HEIFFile) throws(CaptureReadingError) {
    var reader = ByteReader(file.bytes)
    var hasMeta = false
    for box in try reader.readBoxes(file.limits) {
      let range = box.offset..<box.payload.endIndex
      switch box.type {
      case "meta" where !hasMeta:
        hasMeta = true
        outerParts.append(.meta)
        try readMeta(box, of: file)
      case "mdat":
        outerParts.append(
          .mediaData(header: box.offset..<box.payload.startIndex, payload: box.payload.indices))
      case "moov", "moof", "sidx", "mfra":
        throw CaptureReadingError(
          .unsupported, offset: box.offset, expected: "a photo without a video in the same file",
          found: "a box of type \(box.type), which names places that would move")
      default: outerParts.append(.kept(range))
      }
    }
  }

  private mutating func readMeta(_ box: ISOBox, of file: HEIFFile) throws(CaptureReadingError) {
    var reader = box.reader(in: [])
    metaHeader = [UInt8](try reader.readBytes(4, as: "a version and flags"))
    var seen: Set<String> = []
    for child in try reader.readBoxes(file.limits) {
      // The first of several boxes with one type counts.
      guard seen.insert(child.type).inserted else {
        parts.append(.kept(Self.whole(child, in: file.bytes)))
        continue
      }
      switch child.type {
      case "iinf":
        parts.append(.items)
        try readEntries(child, of: file)
      case "iloc":
        parts.append(.locations)
        (locationsHeader, locations) = try HEIFDraftLocation.readAll(child, file.limits)
      case "iref":
        parts.append(.references)
        try readReferences(child, of: file)
      case "iprp":
        parts.append(.properties)
        try readProperties(child, of: file)
      case "grpl":
        parts.append(.groups)
        var childReader = child.reader(in: ["meta"])
        groups = try childReader.readBoxes(file.limits).map { Self.whole($0, in: file.bytes) }
      case "idat":
        parts.append(.itemData)
        itemData = [UInt8](child.payload)
      default: parts.append(.kept(Self.whole(child, in: file.bytes)))
      }
    }
    primaryItem = file.primaryItemID
    reservedIDs = Set(file.groups.map(\.id))
    // A change may need these tables; a file with images has all others.
    for part in [Part.references, .properties] where !parts.contains(part) { parts.append(part) }
  }

  /// The bytes of a box with its header; its size is made explicit, since other boxes may follow.
  private static func whole(_ box: ISOBox, in bytes: ArraySlice<UInt8>) -> [UInt8] {
    sized([UInt8](bytes[box.offset..<box.payload.endIndex]))
  }

  /// The box with an explicit size, if its size was 0 ("to the end", ISO/IEC 14496-12 §4.2).
  static func sized(_ box: [UInt8]) -> [UInt8] {
    guard box.starts(with: [0, 0, 0, 0]) else { return box }
    return [UInt8](bigEndian: box.count, bytes: 4) + box.dropFirst(4)
  }

  private mutating func readEntries(_ box: ISOBox, of file: HEIFFile) throws(CaptureReadingError) {
    var reader = box.reader(in: ["meta"])
    entriesVersion = try reader.readFullBoxHeader().version
    let count = try reader.readOffset(byteCount: entriesVersion == 0 ? 2 : 4, "an item count")
    for _ in 0..<count {
      let entry = try reader.readBox()
      var entryReader = entry.reader(in: reader.path)
      var id: HEIFItemID?
      if entry.type == "infe" {
        let version = try entryReader.readFullBoxHeader().version
        if version == 2 { id = HEIFItemID(try entryReader.readUInt16("an item")) }
        if version == 3 { id = try entryReader.readUInt32("an item") }
      }
      entries.append(Entry(id: id, box: Self.whole(entry, in: file.bytes)))
    }
  }

  private mutating func readReferences(
    _ box: ISOBox, of file: HEIFFile
  ) throws(CaptureReadingError) {
    var reader = box.reader(in: ["meta"])
    referencesVersion = try reader.readFullBoxHeader().version
    // The image reader has already counted and checked these boxes.
    let boxes = try reader.readBoxes(file.limits)
    references = zip(boxes, file.references).map { box, reference in
      Reference(
        type: [UInt8](file.bytes[box.offset + 4..<box.offset + 8]), from: reference.from,
        to: reference.to)
    }
  }

  private mutating func readProperties(
    _ box: ISOBox, of file: HEIFFile
  ) throws(CaptureReadingError) {
    var reader = box.reader(in: ["meta"])
    for child in try reader.readBoxes(file.limits) {
      switch child.type {
      case "ipco":
        var childReader = child.reader(in: reader.path)
        properties += try childReader.readBoxes(file.limits).map { Self.whole($0, in: file.bytes) }
      case "ipma": try readAssociations(child, in: reader.path)
      default: furtherPropertyBoxes.append(Self.whole(child, in: file.bytes))
      }
    }
  }

  private mutating func readAssociations(
    _ box: ISOBox, in path: [String]
  ) throws(CaptureReadingError) {
    var reader = box.reader(in: path)
    let header = try reader.readFullBoxHeader()
    let isWide = header.flags & 1 == 1
    for _ in 0..<Int(try reader.readUInt32("an item count")) {
      let id = try reader.readOffset(byteCount: header.version == 0 ? 2 : 4, "an item")
      var uses: [Use] = []
      for _ in 0..<Int(try reader.readUInt8("a property count")) {
        let code =
          isWide
          ? Int(try reader.readUInt16("a property")) : Int(try reader.readUInt8("a property"))
        let number = code & (isWide ? 0x7FFF : 0x7F)
        uses.append(
          Use(
            property: number == 0 ? nil : number - 1,
            isEssential: code >> (isWide ? 15 : 7) == 1))
      }
      associations.append(Association(id: HEIFItemID(id), uses: uses))
    }
  }
}
