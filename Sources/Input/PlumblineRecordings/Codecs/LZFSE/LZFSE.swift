package import PlumblineIO

/// Apple's LZFSE compression (`COMPRESSION_LZFSE`), which Record3D uses for depth and confidence.
///
/// - Source: the public description of Apple's `lzfse` project; see
///   `Documentation/formats/lzfse.md`.
package enum LZFSE {
  /// Decompresses a stream.
  ///
  /// Headers are read first, so the size is known and checked against the limit before memory is
  /// allocated. O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The whole stream, including its end mark; errors contain its indices as offsets.
  ///   - limit: The maximum number of decompressed bytes.
  /// - Returns: Exactly the number of bytes that the block headers state.
  /// - Throws: `.malformed` with the position, `.limitExceeded`.
  package static func decoded(
    _ bytes: ArraySlice<UInt8>, atMost limit: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    let blocks = try LZFSEBlock.blocks(of: bytes)
    // At most one block per 8 bytes with 4 GB each, so the sum does not overflow.
    let count = blocks.reduce(0) { $0 + $1.rawCount }
    guard count <= limit else {
      throw CaptureReadingError(
        .limitExceeded, path: ["LZFSE"], offset: bytes.startIndex,
        expected: "at most \(limit) decompressed bytes", found: "\(count)")
    }
    #if canImport(Compression)
      return try decodedBySystem(bytes, count: count)
    #else
      return try LZFSEDecoder.decoded(bytes, blocks: blocks, count: count)
    #endif
  }
}

/// One block of a stream: the position of its payload and its decompressed size.
struct LZFSEBlock {
  enum Kind {
    /// `bvx-`: stored without compression.
    case stored
    /// `bvxn`: LZVN, byte-oriented opcodes.
    case lzvn
    /// `bvx1`, `bvx2`: entropy-coded literals and matches.
    case entropyCoded(LZFSEHeader)
  }

  let kind: Kind
  /// The offset of the block's first byte, as an index of the stream.
  let offset: Int
  let payload: Range<Int>
  let rawCount: Int

  private static let endMark: UInt32 = 0x2478_7662
  private static let storedMark: UInt32 = 0x2D78_7662
  private static let version1Mark: UInt32 = 0x3178_7662
  private static let version2Mark: UInt32 = 0x3278_7662
  private static let lzvnMark: UInt32 = 0x6E78_7662

  /// Whether bytes start with the mark of a block.
  static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: "bvx".utf8)
      && bytes.dropFirst(3).first.map { "$-12n".utf8.contains($0) } == true
  }

  /// Reads all headers up to the end mark; data after it are ignored.
  ///
  /// - Throws: `.malformed` when there is no end mark. O(blocks).
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
        // Two compressed bytes give at most 271, so a wrong size cannot allocate more memory than
        // that.
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

/// Decompressed bytes in memory with ``LZFSEDecoder/slack`` extra bytes at the end.
struct LZFSEOutput {
  private let start: UnsafeMutablePointer<UInt8>
  private let count: Int
  private(set) var written = 0

  /// Starts without bytes.
  init(start: UnsafeMutablePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  /// Appends bytes exactly; returns an error text if they do not fit.
  mutating func append(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> String? {
    guard size <= count - written else { return "more" }
    (start + written).update(from: bytes, count: size)
    written += size
    return nil
  }

  /// Appends bytes; the caller has checked that they fit and that 15 further bytes of the source
  /// can be read.
  @inline(__always)
  mutating func appendWithSlack(_ bytes: UnsafePointer<UInt8>, _ size: Int) {
    let target = UnsafeMutableRawPointer(start + written)
    let source = UnsafeRawPointer(bytes)
    var done = 0
    while done < size {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
        toByteOffset: done, as: SIMD16<UInt8>.self)
      done &+= 16
    }
    written &+= size
  }

  /// Appends `size` bytes, each equal to the byte `distance` before it; the caller has checked that
  /// they fit.
  ///
  /// Returns `false` if `distance` reaches before the start.
  @inline(__always)
  mutating func repeatBytes(from distance: Int, count size: Int) -> Bool {
    if size == 0 { return true }
    guard distance > 0, distance <= written else { return false }
    let target = UnsafeMutableRawPointer(start + written)
    let source = UnsafeRawPointer(target - distance)
    var done = 0
    if distance >= 16 {
      while done < size {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
          toByteOffset: done, as: SIMD16<UInt8>.self)
        done &+= 16
      }
    } else if distance >= 8 {
      while done < size {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: UInt64.self), toByteOffset: done,
          as: UInt64.self)
        done &+= 8
      }
    } else if distance == 1 {
      let byte = source.load(as: UInt8.self)
      (start + written).update(repeating: byte, count: size)
    } else {
      let bytes = start + written
      while done < size {
        bytes[done] = bytes[done &- distance]
        done &+= 1
      }
    }
    written &+= size
    return true
  }
}
