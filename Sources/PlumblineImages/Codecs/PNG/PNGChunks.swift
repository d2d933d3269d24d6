import PlumblineIO

/// The chunks of a PNG file that its pixels depend on, all checksums verified.
struct PNGChunks {
  let header: PNGHeader
  private(set) var imageData: [ArraySlice<UInt8>] = []

  /// Iterates over all chunks up to the end chunk; O(*n*).
  init(
    _ bytes: ArraySlice<UInt8>, maximumPixels: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var reader = ByteReader(bytes, path: ["PNG"])
    guard PNGImage.recognizes(bytes) else {
      throw reader.malformed(
        expected: "the PNG signature",
        found: bytes.isEmpty ? "no bytes" : printable(bytes.prefix(8)))
    }
    try reader.skip(PNGImage.signature.count)
    let first = try Self.readChunk(&reader)
    guard first.name == "IHDR" else {
      throw reader.malformed(expected: "a header chunk (IHDR)", found: first.name)
    }
    header = try PNGHeader(first.data, maximumPixels: maximumPixels, limits: limits)
    var isBehindImageData = false
    while true {
      let chunk = try Self.readChunk(&reader)
      switch chunk.name {
      case "IDAT":
        guard !isBehindImageData else {
          throw reader.malformed(expected: "image data in one run", found: "a second run")
        }
        // Empty chunks are legal and would only make the list grow.
        if !chunk.data.isEmpty { imageData.append(chunk.data) }
        continue
      case "IEND":
        return
      case "PLTE" where header.colorType.channelCount >= 3:
        break  // Only a suggestion for displays with few colors.
      default:
        // An upper-case first letter marks a chunk without which the image cannot be understood.
        guard chunk.name.utf8.first.map({ $0 & 0x20 != 0 }) ?? false else {
          throw CaptureReadingError(
            .unsupported, path: ["PNG"], offset: chunk.data.startIndex,
            expected: "a chunk that this reader knows", found: chunk.name)
        }
      }
      isBehindImageData = !imageData.isEmpty
    }
  }

  private static func readChunk(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> (name: String, data: ArraySlice<UInt8>) {
    let length = Int(try reader.readUInt32("the length of a chunk"))
    let type = try reader.readBytes(4, as: "the name of a chunk")
    let name = printable(type)
    let data = try reader.readBytes(length, as: "chunk \(name)")
    let stored = try reader.readUInt32("the checksum of chunk \(name)")
    let computed = ZlibStream.crc32(type, data)
    guard stored == computed else {
      throw reader.malformed(
        expected: "checksum \(String(computed, radix: 16)) of chunk \(name)",
        found: String(stored, radix: 16))
    }
    return (name, data)
  }
}
