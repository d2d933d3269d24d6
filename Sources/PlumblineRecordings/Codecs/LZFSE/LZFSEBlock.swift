import PlumblineIO

/// One block of a stream: where its payload lies and how many bytes come out of it.
struct LZFSEBlock {
  enum Kind {
    /// `bvx-`: the bytes as they are.
    case stored
    /// `bvxn`: LZVN, bytes with opcodes.
    case lzvn
    /// `bvx1`, `bvx2`: entropy-coded literals and matches.
    case entropyCoded(LZFSEHeader)
  }

  let kind: Kind
  /// Offset of its first byte, in the indices of the stream.
  let offset: Int
  let payload: Range<Int>
  let rawCount: Int

  private static let endMark: UInt32 = 0x2478_7662
  private static let storedMark: UInt32 = 0x2D78_7662
  private static let version1Mark: UInt32 = 0x3178_7662
  private static let version2Mark: UInt32 = 0x3278_7662
  private static let lzvnMark: UInt32 = 0x6E78_7662

  /// Whether bytes start with the mark of any block.
  static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: "bvx".utf8)
      && bytes.dropFirst(3).first.map { "$-12n".utf8.contains($0) } == true
  }

  /// Reads all headers up to the end mark; what follows that is ignored.
  ///
  /// - Throws: `.malformed` when no end mark comes. O(blocks).
  static func blocks(of bytes: ArraySlice<UInt8>) throws(CaptureReadingError) -> [LZFSEBlock] {
    var blocks: [LZFSEBlock] = []
    var reader = ByteReader(bytes, endianness: .little, path: ["LZFSE"])
    while true {
      let offset = reader.offset
      let mark = try reader.readUInt32("the mark of a block")
      if mark == endMark { return blocks }
      let block: LZFSEBlock
      switch mark {
      case storedMark:
        let count = Int(try reader.readUInt32("a length"))
        let payload = try reader.readBytes(count, as: "a stored block").indices
        block = LZFSEBlock(kind: .stored, offset: offset, payload: payload, rawCount: count)
      case lzvnMark:
        let count = Int(try reader.readUInt32("a length"))
        let size = Int(try reader.readUInt32("a size"))
        let payload = try reader.readBytes(size, as: "an LZVN block").indices
        // Two bytes give at most 271, so a lie cannot take more memory than that.
        guard count / 271 <= size else {
          throw reader.malformed(
            expected: "at most 271 bytes from each of \(size)", found: "a promise of \(count)")
        }
        block = LZFSEBlock(kind: .lzvn, offset: offset, payload: payload, rawCount: count)
      case version1Mark, version2Mark:
        let header = try LZFSEHeader(&reader, isCompact: mark == version2Mark)
        let size = header.literalSize + header.matchSize
        let payload = try reader.readBytes(size, as: "a compressed block").indices
        block = LZFSEBlock(
          kind: .entropyCoded(header), offset: offset, payload: payload,
          rawCount: header.rawCount)
      default:
        throw CaptureReadingError(
          .malformed, path: ["LZFSE"], offset: offset, expected: "the mark of an LZFSE block",
          found: printable(bytes[offset..<(offset + 4)]))
      }
      blocks.append(block)
    }
  }
}
