package import PlumblineIO

/// One box of an ISO base-media file (ISO/IEC 14496-12 §4.2): a type and its payload.
package struct ISOBox: Sendable {
  /// The four-character type, escaped by ``printable(_:)``; `uuid` for user types.
  package let type: String
  /// The 16 bytes of a `uuid` box's user type in lowercase hexadecimal; `nil` for other boxes.
  let userType: String?
  /// The file offset of the box's first byte.
  package let offset: Int
  /// The bytes after the header; indices are file offsets.
  package let payload: ArraySlice<UInt8>

  /// A cursor at the start of the payload; errors name `path` and this box.
  package func reader(in path: [String]) -> ByteReader { ByteReader(payload, path: path + [type]) }
}

/// The version and flags that start the payload of a full box.
package struct FullBoxHeader: Sendable {
  /// The version of the layout that follows.
  package let version: UInt8
  /// 24 flags whose meaning depends on the box.
  package let flags: UInt32
}

extension ByteReader {
  /// Reads the version and flags of a full box.
  package mutating func readFullBoxHeader() throws(CaptureReadingError) -> FullBoxHeader {
    let word = try readUInt32("a version and flags")
    return FullBoxHeader(version: UInt8(word >> 24), flags: word & 0xFF_FFFF)
  }

  /// Reads the next box.
  ///
  /// - Throws: `.malformed` when its size is smaller than its header or exceeds the bytes left.
  package mutating func readBox() throws(CaptureReadingError) -> ISOBox {
    let start = offset
    let word = try readUInt32("a box size")
    let type = try readFourCC("a box type")
    var size = Int(word)
    if word == 1 {
      size = Int(clamping: try readUInt64("a 64-bit box size"))
    } else if word == 0 {
      // A size of 0 means: to the end of the enclosing structure.
      size = bytes.endIndex - start
    }
    let userType =
      type == "uuid" ? Hexadecimal.lowercase(try readBytes(16, as: "a user type")) : nil
    let headerSize = offset - start
    guard size >= headerSize, size - headerSize <= remaining else {
      // A known top-level box that is too long indicates an interrupted transfer.
      let isCut = path.isEmpty && size > headerSize && ["mdat", "meta"].contains(type)
      throw CaptureReadingError(
        .malformed, path: path, offset: start,
        expected: "a size of \(type) between \(headerSize) and \(headerSize + remaining)",
        found: "\(size)" + (isCut ? " (the file ends early: copy it again from the phone)" : ""))
    }
    let payload = try readBytes(size - headerSize, as: type)
    return ISOBox(type: type, userType: userType, offset: start, payload: payload)
  }

  /// Reads boxes up to the end of the slice; O(*n*) in the number of boxes.
  ///
  /// - Throws: `.malformed` for an impossible size, `.limitExceeded` for too many boxes.
  package mutating func readBoxes(_ limits: ReadingLimits) throws(CaptureReadingError) -> [ISOBox] {
    var boxes: [ISOBox] = []
    while !isAtEnd {
      try limits.require(
        boxes.count + 1, atMost: limits.boxChildren, "boxes", path: path, offset: offset)
      boxes.append(try readBox())
    }
    return boxes
  }

  /// Reads an unsigned number of 0, 2, 4 or 8 bytes that must fit a signed offset.
  package mutating func readOffset(
    byteCount: Int, _ what: String
  ) throws(CaptureReadingError) -> Int {
    switch byteCount {
    case 0: return 0
    case 2: return Int(try readUInt16(what))
    case 4: return Int(try readUInt32(what))
    default:
      let start = offset
      let value = try readUInt64(what)
      guard let offset = Int(exactly: value) else {
        throw CaptureReadingError(
          .malformed, path: path, offset: start, expected: "\(what) below 2^63",
          found: "\(value)")
      }
      return offset
    }
  }

  /// Reads a signed 32-bit number.
  package mutating func readInt32(_ what: String) throws(CaptureReadingError) -> Int32 {
    Int32(bitPattern: try readUInt32(what))
  }

  /// Reads text up to a NUL or, if the writer omitted the NUL, to the end of the slice.
  package mutating func readText(
    _ limits: ReadingLimits, as what: String
  ) throws(CaptureReadingError) -> String {
    let rest = bytes[offset...]
    let length = (rest.firstIndex(of: 0) ?? bytes.endIndex) - offset
    try limits.require(
      length, atMost: limits.stringBytes, "bytes of \(what)", path: path, offset: offset)
    let text = printable(try readBytes(length, as: what))
    if !isAtEnd { try skip(1) }
    return text
  }
}
