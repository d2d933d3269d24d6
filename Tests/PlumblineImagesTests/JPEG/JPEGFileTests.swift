import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("JPEGFile")
struct JPEGFileTests {
  let gray: [UInt8]
  let color: [UInt8]

  init() throws {
    gray = try JPEGEncoder(quality: 90).encoded(
      Raster(size: RasterSize(width: 40, height: 30)) { x, y in UInt8((x * 5 + y) & 0xFF) })
    color = try JPEGEncoder(quality: 80).encoded(
      Raster(size: RasterSize(width: 64, height: 48)) { x, y in
        RGB8(red: UInt8(x * 4), green: UInt8(y * 5), blue: 128)
      })
  }

  @Test("Finds the images that an index names, in either byte order")
  func index() throws {
    for endianness in [ByteReader.Endianness.big, .little] {
      let bytes = JPEGFileBuilder.file(
        primary: color, others: [gray, color], endianness: endianness)
      let file = try JPEGFile(bytes[...])
      #expect(file.images.map(\.origin) == [.primary, .multiPictureIndex, .multiPictureIndex])
      #expect(file.images[1].bytes.elementsEqual(gray))
      #expect(file.images[2].bytes.elementsEqual(color))
      #expect(file.images[1].frame?.components.count == 1)
      #expect(file.primary.frame?.size == RasterSize(width: 64, height: 48))
      #expect(file.notes.isEmpty)
      #expect(file.trailer == nil)
    }
  }

  @Test("Trusts end markers above the lengths of an index", arguments: [-224, 500])
  func damagedLength(error: Int) throws {
    let bytes = JPEGFileBuilder.file(primary: color, others: [gray], lengthError: error)
    let file = try JPEGFile(bytes[...])
    #expect(file.images.count == 2)
    #expect(file.images[1].bytes.elementsEqual(gray))
    #expect(file.notes.map(\.code) == [.multiPictureLengthDiffers])
  }

  @Test("Finds images by scanning where no index names them, behind padding too")
  func scan() throws {
    let bytes = color + [0, 0, 0] + gray + gray + [0, 0, 0, 0]
    let file = try JPEGFile(bytes[...])
    #expect(file.images.map(\.origin) == [.primary, .scan, .scan])
    #expect(file.images[1].range.lowerBound == color.count + 3)
    #expect(file.images[2].bytes.elementsEqual(gray))
    #expect(
      file.notes.map(\.code) == [.imageFoundByScanning, .imageFoundByScanning, .trailingZeros])
    #expect(file.trailer?.kind == .zeros)
  }

  @Test("Does not take a thumbnail inside a segment for an image")
  func thumbnail() throws {
    let bytes = JPEGFileBuilder.inserting(JPEGFileBuilder.exif(gray), into: color)
    #expect(try JPEGFile(bytes[...]).images.count == 1)
  }

  @Test("Rejects entries that point at nothing, and keeps the rest")
  func wrongEntry() throws {
    var bytes = JPEGFileBuilder.file(primary: color, others: [gray, gray])
    bytes[bytes.count - 2 * gray.count] = 0
    let file = try JPEGFile(bytes[...])
    #expect(file.images.count == 2)
    #expect(file.notes.map(\.code).contains(.multiPictureEntryRejected))
  }

  @Test("Steps over restart markers in compressed data")
  func restarts() throws {
    var encoder = PlainLosslessJPEGEncoder(precision: 8)
    encoder.rowsPerRestart = 1
    let lossless = encoder.encoded(
      Raster(size: RasterSize(width: 9, height: 20)) { x, y in UInt16((x * 77 + y * 31) & 0xFF) })
    let file = try JPEGFile((lossless + gray)[...])
    #expect(file.images.map(\.bytes.count) == [lossless.count, gray.count])
  }

  @Test(
    "Names what follows the last image",
    arguments: [
      ("....SEFH....SEFT", JPEGTrailer.Kind.samsung), ("xx edof xx", .huawei),
      ("PMPD", .xiaomi), ("\0\0\0\u{14}ftypisom", .movie), ("hello", .unknown),
    ])
  func trailers(text: String, kind: JPEGTrailer.Kind) throws {
    let file = try JPEGFile((gray + Array(text.utf8))[...])
    #expect(file.trailer?.kind == kind)
    #expect(file.trailer?.range.lowerBound == gray.count)
    #expect(file.notes.map(\.code) == [.trailer])
  }

  @Test("Notes a cut image with the place where it ends")
  func truncated() throws {
    let file = try JPEGFile(color.prefix(color.count / 2))
    #expect(!file.primary.isComplete)
    #expect(file.notes.map(\.code) == [.imageTruncated])
    #expect(file.primary.damage?.reason == .malformed)
    #expect(file.primary.damage?.offset != nil)
  }

  @Test("Gives a damaged primary image no bytes of the next image")
  func damagedPrimary() throws {
    var bytes = JPEGFileBuilder.file(primary: color, others: [gray])
    // A marker in the compressed data whose length reaches far into the next image.
    let end = bytes.count - gray.count
    bytes.replaceSubrange(end - 8..<end - 4, with: [0xFF, 0xE5, 0x01, 0x00])
    let file = try JPEGFile(bytes[...])
    #expect(file.images.count == 2)
    #expect(file.primary.range.upperBound == end)
    #expect(file.images[1].bytes.elementsEqual(gray))
    let error = #expect(throws: CaptureReadingError.self) { _ = try file.primary.color() }
    #expect(error?.found.contains("rows") == true)
  }

  @Test("Puts an ICC profile together from its segments, in their numbered order")
  func iccProfile() throws {
    let segments =
      JPEGFileBuilder.segment(2, "ICC_PROFILE\0", [2, 2, 30, 40])
      + JPEGFileBuilder.segment(2, "ICC_PROFILE\0", [1, 2, 10, 20])
    let bytes = JPEGFileBuilder.inserting(segments, into: gray)
    #expect(try JPEGFile(bytes[...]).primary.iccProfile == [10, 20, 30, 40])
  }

  @Test("Reads extended XMP whatever the order of its chunks, and merges it")
  func extendedXMP() throws {
    let guid = "0123456789ABCDEF0123456789ABCDEF"
    let main = XMPSamples.packet(
      #"xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="\#(guid)""#)
    let rest = XMPSamples.packet(
      #"xmlns:g="http://ns.google.com/photos/1.0/depthmap/" g:Data="\#(guid)""#)
    var chunks = JPEGFileBuilder.extendedXMP(rest, guid: guid, chunk: rest.utf8.count / 2 + 1)
    let second = chunks.lastIndex { $0 == 0xE1 } ?? 0
    chunks = Array(chunks[(second - 1)...] + chunks[..<(second - 1)])
    let bytes = JPEGFileBuilder.inserting(JPEGFileBuilder.xmp(main) + chunks, into: gray)
    let file = try JPEGFile(bytes[...])
    #expect(file.notes.isEmpty)
    let packet = try #require(try file.primary.xmpPacket())
    #expect(packet["http://ns.google.com/photos/1.0/depthmap/", "Data"]?.text == guid)
  }

  @Test("Refuses bytes that are no JPEG, an empty file included")
  func notJPEG() {
    for bytes: [UInt8] in [[], [0xFF], [0xFF, 0xD8], Array("hello".utf8)] {
      #expect(throws: CaptureReadingError.self) { try JPEGFile(bytes[...]) }
    }
  }
}
