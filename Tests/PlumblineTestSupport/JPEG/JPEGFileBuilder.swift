package import PlumblineIO
/// Puts JPEG images and metadata together as phones do: segments, a multi-picture index, images
/// behind the primary one.
package enum JPEGFileBuilder {
  /// An application segment with its signature.
  package static func segment(_ number: Int, _ signature: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(signature.utf8) + data
    precondition(content.count <= 65_533, "\(content.count) bytes do not fit into a segment")
    return [0xFF, 0xE0 + UInt8(number)] + number16(content.count + 2, .big) + content
  }

  /// A segment with an XMP packet.
  package static func xmp(_ packet: String) -> [UInt8] {
    segment(1, "http://ns.adobe.com/xap/1.0/\0", Array(packet.utf8))
  }

  /// A segment with a TIFF block.
  package static func exif(_ tiff: [UInt8]) -> [UInt8] {
    segment(1, "Exif\0\0", tiff)
  }

  /// The segments of an extended XMP packet, cut every `chunk` bytes.
  package static func extendedXMP(
    _ packet: String, guid: String, chunk: Int = 65_000
  ) -> [UInt8] {
    let bytes = Array(packet.utf8)
    return stride(from: 0, to: bytes.count, by: chunk).flatMap { offset in
      segment(
        1, "http://ns.adobe.com/xmp/extension/\0" + guid,
        number32(bytes.count, .big) + number32(offset, .big)
          + bytes[offset..<min(offset + chunk, bytes.count)])
    }
  }

  /// An image with segments inserted behind its start marker and its JFIF header.
  package static func inserting(_ segments: [UInt8], into image: [UInt8]) -> [UInt8] {
    let index = insertionPoint(of: image)
    return Array(image[..<index]) + segments + image[index...]
  }

  private static func insertionPoint(of image: [UInt8]) -> Int {
    guard image.count > 6, image[2] == 0xFF, image[3] == 0xE0 else { return 2 }
    return 4 + Int(image[4]) << 8 + Int(image[5])
  }

  /// A file with a multi-picture index in its primary image and the others behind it.
  ///
  /// - Parameters:
  ///   - primary: The first image.
  ///   - others: The images behind it.
  ///   - endianness: The byte order of the index.
  ///   - lengthError: Added to the primary image's length in the index, as real files err.
  /// - Returns: The whole file.
  package static func file(
    primary: [UInt8], others: [[UInt8]], endianness: ByteReader.Endianness = .big,
    lengthError: Int = 0
  ) -> [UInt8] {
    // The index has a fixed length, so it can be laid out first and filled afterwards.
    let emptyIndex = segment(2, "MPF\0", index(others.count + 1, [], endianness))
    let placed = inserting(emptyIndex, into: primary)
    // Behind marker, length and signature of the index, which `inserting` puts first.
    let tiffStart = insertionPoint(of: primary) + 8
    var entries = [Entry(attributes: 0x0003_0000, length: placed.count + lengthError, offset: 0)]
    var next = placed.count
    for other in others {
      entries.append(Entry(attributes: 0, length: other.count, offset: next - tiffStart))
      next += other.count
    }
    let filled = segment(2, "MPF\0", index(entries.count, entries, endianness))
    return inserting(filled, into: primary) + others.flatMap { $0 }
  }

  private struct Entry {
    var attributes: Int
    var length: Int
    var offset: Int
  }

  private static func index(
    _ count: Int, _ entries: [Entry], _ endianness: ByteReader.Endianness
  ) -> [UInt8] {
    let e = endianness
    var tiff: [UInt8] = e == .big ? [0x4D, 0x4D] : [0x49, 0x49]
    tiff += number16(42, e) + number32(8, e) + number16(3, e)
    tiff += number16(0xB000, e) + number16(7, e) + number32(4, e) + Array("0100".utf8)
    tiff += number16(0xB001, e) + number16(4, e) + number32(1, e) + number32(count, e)
    tiff += number16(0xB002, e) + number16(7, e) + number32(16 * count, e) + number32(50, e)
    tiff += number32(0, e)
    for position in 0..<count {
      let entry =
        position < entries.count
        ? entries[position] : Entry(attributes: 0, length: 0, offset: 0)
      tiff += number32(entry.attributes, e) + number32(entry.length, e)
      tiff += number32(entry.offset, e) + number32(0, e)
    }
    return tiff
  }

  private static func number16(_ value: Int, _ endianness: ByteReader.Endianness) -> [UInt8] {
    let bytes = [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    return endianness == .big ? bytes : bytes.reversed()
  }

  private static func number32(_ value: Int, _ endianness: ByteReader.Endianness) -> [UInt8] {
    let bytes = [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    return endianness == .big ? bytes : bytes.reversed()
  }
}
