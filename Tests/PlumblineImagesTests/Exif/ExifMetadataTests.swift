import PlumblineImages
import PlumblineIO
import PlumblineTestSupport
import Testing

@Suite("ExifMetadata")
struct ExifMetadataTests {
  @Test("Reads tags of both directories in both byte orders, and past a HEIF item's offset")
  func tags() throws {
    for isBig in [true, false] {
      var builder = TIFFBuilder(isBigEndian: isBig)
      builder.first = [
        .text(0x010F, "Apple"), .text(0x0110, "iPhone 14"), .short(0x0112, 6),
        .text(0x0131, "16.0"), .text(0x013C, "Mac"),
      ]
      builder.exif = [
        .text(0x9003, "2022:09:20 10:11:12"), .text(0x9011, "+02:00"),
        .rational(0x920A, 269, 100), .short(0xA002, 2_316), .long(0xA003, 3_088),
        .short(0xA405, 23), .text(0xA433, "Apple"), .text(0xA434, "front camera"),
      ]
      let bytes = builder.bytes
      let metadata = try ExifMetadata(tiff: bytes[...])
      #expect(metadata.make == "Apple")
      #expect(metadata.model == "iPhone 14")
      #expect(metadata.orientation == 6)
      #expect(metadata.software == "16.0")
      #expect(metadata.hostComputer == "Mac")
      #expect(metadata.dateTimeOriginal == "2022:09:20 10:11:12")
      #expect(metadata.offsetTimeOriginal == "+02:00")
      #expect(metadata.focalLengthInMillimeters == 2.69)
      #expect(metadata.focalLengthIn35mmFilm == 23)
      #expect(metadata.pixelXDimension == 2_316)
      #expect(metadata.pixelYDimension == 3_088)
      #expect(metadata.lensMake == "Apple")
      #expect(metadata.lensModel == "front camera")
      #expect(metadata.notes.isEmpty)
      let item = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + bytes
      #expect(try ExifMetadata(heifItem: item[...]) == metadata)
    }
  }

  @Test("Takes impossible values as absent and says so")
  func impossible() throws {
    var builder = TIFFBuilder(isBigEndian: true)
    builder.first = [.short(0x0112, 9)]
    builder.exif = [.rational(0x920A, 1, 0)]
    let metadata = try ExifMetadata(tiff: builder.bytes[...])
    #expect(metadata.orientation == nil)
    #expect(metadata.focalLengthInMillimeters == nil)
    #expect(metadata.notes.count == 2)
  }

  @Test("Any cut of a block is refused or read, and never crashes")
  func truncation() {
    var builder = TIFFBuilder(isBigEndian: false)
    builder.first = [.text(0x010F, "Apple Incorporated")]
    builder.exif = [.rational(0x920A, 269, 100)]
    let bytes = builder.bytes
    for length in bytes.indices { _ = try? ExifMetadata(tiff: bytes[..<length]) }
    for seed in 0..<5_000 {
      let damaged = ByteDamage.flipped(bytes, seed: UInt64(seed))
      _ = try? ExifMetadata(tiff: damaged[...])
    }
  }

  @Test(
    "Agrees with what a real iPhone X wrote",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func iPhoneX() throws {
    let file = try JPEGFile(try RealData.bytes("photos/iphonex_dual_depth.jpg")[...])
    let metadata = try #require(try file.primary.exifMetadata())
    #expect(metadata.make == "Apple")
    #expect(metadata.model == "iPhone X")
    #expect(metadata.focalLengthInMillimeters == 6)
    #expect(metadata.orientation == 1)
    #expect(metadata.lensModel == "iPhone X back dual camera 6mm f/2.4")
  }
}

/// Writes a TIFF block of two directories.
struct TIFFBuilder {
  enum Field {
    case text(UInt16, String)
    case short(UInt16, UInt16)
    case long(UInt16, UInt32)
    case rational(UInt16, UInt32, UInt32)
  }

  var isBigEndian: Bool
  var first: [Field] = []
  var exif: [Field] = []

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  var bytes: [UInt8] {
    let firstLength = 2 + 12 * (first.count + 1) + 4
    let exifOffset = 8 + firstLength
    let dataOffset = exifOffset + 2 + 12 * exif.count + 4
    var data: [UInt8] = []
    let firstFields = first + [.long(0x8769, UInt32(exifOffset))]
    let directories = [firstFields, exif].map { fields in
      number(UInt16(fields.count)) + fields.flatMap { entry($0, &data, dataOffset) }
        + number(UInt32(0))
    }
    let header = Array((isBigEndian ? "MM" : "II").utf8) + number(UInt16(42)) + number(UInt32(8))
    return header + directories.joined() + data
  }

  private func entry(_ field: Field, _ data: inout [UInt8], _ dataOffset: Int) -> [UInt8] {
    let (tag, type, count, value): (UInt16, UInt16, Int, [UInt8]) =
      switch field {
      case .text(let tag, let text): (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
      case .short(let tag, let value): (tag, 3, 1, number(value))
      case .long(let tag, let value): (tag, 4, 1, number(value))
      case .rational(let tag, let a, let b): (tag, 5, 1, number(a) + number(b))
      }
    let head = number(tag) + number(type) + number(UInt32(count))
    if value.count <= 4 { return head + value + Array(repeating: 0, count: 4 - value.count) }
    defer { data += value }
    return head + number(UInt32(dataOffset + data.count))
  }

  private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
  }
}
