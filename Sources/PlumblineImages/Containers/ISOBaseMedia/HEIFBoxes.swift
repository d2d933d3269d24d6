import PlumblineIO

/// The boxes on the outermost level of a HEIF file.
struct HEIFOuterBoxes {
  /// The major brand and the compatible ones.
  let brands: [String]
  /// The box that describes the items.
  let meta: ISOBox

  /// Finds `ftyp` and `meta`.
  ///
  /// - Throws: `.malformed`, `.missing` without them, `.unsupported` for files that hold only
  ///   image sequences, `.limitExceeded`.
  init(_ bytes: ArraySlice<UInt8>, _ limits: ReadingLimits) throws(CaptureReadingError) {
    var reader = ByteReader(bytes)
    let boxes = try reader.readBoxes(limits)
    guard let type = boxes.first(where: { $0.type == "ftyp" }) else {
      throw CaptureReadingError(
        .malformed, offset: bytes.startIndex, expected: "an ftyp box",
        found: boxes.first.map { "\($0.type) first, and no ftyp" } ?? "an empty file")
    }
    var typeReader = type.reader(in: [])
    var brands = [try typeReader.readFourCC("a major brand")]
    try typeReader.skip(4, as: "a minor version")
    while typeReader.remaining >= 4 && brands.count < limits.brands {
      brands.append(try typeReader.readFourCC("a brand"))
    }
    self.brands = brands
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      guard !boxes.contains(where: { $0.type == "moov" }) else {
        throw CaptureReadingError(
          .unsupported, expected: "a still image with a meta box",
          found: "an image sequence or video")
      }
      throw CaptureReadingError(.missing, expected: "a meta box", found: "none")
    }
    self.meta = meta
  }
}

/// The boxes inside `meta`, by type.
struct HEIFMetaBoxes {
  private let boxes: [String: ISOBox]

  /// Reads the children; of several with one type the first counts.
  ///
  /// - Throws: `.malformed`, `.unsupported` when the box does not describe images.
  init(_ meta: ISOBox, _ limits: ReadingLimits) throws(CaptureReadingError) {
    var reader = meta.reader(in: [])
    _ = try reader.readFullBoxHeader()
    let children = try reader.readBoxes(limits)
    boxes = Dictionary(children.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    guard let handler = boxes["hdlr"] else { return }
    var handlerReader = handler.reader(in: ["meta"])
    try handlerReader.skip(8, as: "version, flags and a predefined field")
    let type = try handlerReader.readFourCC("a handler type")
    guard type == "pict" else {
      throw CaptureReadingError(
        .unsupported, path: ["meta", "hdlr"], offset: handler.offset, expected: "pict",
        found: type)
    }
  }

  /// The first box of a type.
  subscript(type: String) -> ISOBox? { boxes[type] }

  /// The first box of a type, which must exist.
  func require(_ type: String) throws(CaptureReadingError) -> ISOBox {
    guard let box = boxes[type] else {
      throw CaptureReadingError(
        .missing, path: ["meta"], expected: "a box of type \(type)", found: "none")
    }
    return box
  }

  /// The number that `pitm` names.
  func primaryItemID() throws(CaptureReadingError) -> HEIFItemID {
    var reader = try require("pitm").reader(in: ["meta"])
    return try reader.readFullBoxHeader().version == 0
      ? UInt32(try reader.readUInt16("an item number")) : try reader.readUInt32("an item number")
  }
}
