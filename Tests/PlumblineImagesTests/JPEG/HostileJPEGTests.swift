import Foundation
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// The crafted corpus and real photos under damage; each test says what its files must do.
@Suite("Hostile JPEG and PNG", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct HostileJPEGTests {
  func file(_ name: String) throws -> JPEGFile {
    try JPEGFile(try RealData.bytes("bad/crafted/\(name)")[...])
  }

  func failure(_ work: () throws -> Void) -> CaptureReadingError? {
    #expect(throws: CaptureReadingError.self, performing: work)
  }

  @Test("Rejects entries outside the file, on the primary image, and absurd counts")
  func multiPicture() throws {
    let outside = try file("mpf_outside.jpg")
    #expect(outside.images.count == 1)
    #expect(outside.notes.contains { $0.code == .multiPictureEntryRejected })
    let onItself = try file("mpf_self.jpg")
    #expect(onItself.images.count == 1)
    #expect(onItself.notes.filter { $0.code == .multiPictureEntryRejected }.count == 2)
    let count = try file("mpf_count.jpg")
    #expect(count.images.count == 1)
    #expect(count.notes.map(\.code) == [.multiPictureIndexRejected])
  }

  @Test("Rejects extended XMP of 4 GB and with overlapping chunks")
  func extendedXMP() throws {
    for name in ["xmpext_4g.jpg", "xmpext_overlap.jpg"] {
      let file = try file(name)
      #expect(file.primary.extendedXMP.isEmpty)
      #expect(file.notes.map(\.code) == [.extendedXMPRejected])
    }
  }

  @Test("Ends Exif loops and rejects values outside the block")
  func exif() throws {
    #expect(try file("exif_ifd_loop.jpg").primary.exifMetadata()?.make == "abc")
    #expect(
      try file("exif_subifd_loop.jpg").primary.exifMetadata()?.notes.map(\.code)
        == [.metadataRejected])
    #expect(try file("exif_count_max.jpg").primary.exifMetadata()?.make == nil)
    let zero = try #require(try file("exif_rational_zero.jpg").primary.exifMetadata())
    #expect(zero.focalLengthInMillimeters == nil)
    #expect(zero.notes.map(\.code) == [.metadataValueRejected])
  }

  @Test("Keeps text of the file whole; printing escapes it")
  func text() throws {
    let make = try #require(try file("exif_ansi_make.jpg").primary.exifMetadata()?.make)
    #expect(make.utf8.contains(0x1B))
    #expect(!printable(make.utf8).utf8.contains(0x1B))
    let formula = try file("exif_csv_formula.jpg").primary.exifMetadata()?.make
    #expect(formula == #"=HYPERLINK("http://x","y")"#)
  }

  @Test("Refuses 65,500² pixels and 2,000 scans before decoding")
  func bombs() throws {
    for name in ["jpeg_65500.jpg", "jpeg_prog_bomb.jpg"] {
      let file = try file(name)
      #expect(failure { _ = try file.primary.storedSamples() }?.reason == .limitExceeded)
      #expect(failure { _ = try file.primary.color() }?.reason == .limitExceeded)
    }
  }

  @Test(
    "Refuses PNG files that lie",
    arguments: [
      ("png16_bomb_30000.png", CaptureReadingError.Reason.limitExceeded),
      ("png16_hdr_max.png", .limitExceeded), ("png16_short.png", .malformed),
      ("png16_crc.png", .malformed),
    ])
  func png(name: String, reason: CaptureReadingError.Reason) throws {
    let bytes = try RealData.bytes("bad/crafted/\(name)")
    #expect(failure { _ = try PNGImage(bytes[...]) }?.reason == reason)
  }

  @Test("Bears every file of the bad corpora as JPEG, PNG, XMP and Exif")
  func corpora() throws {
    for url in try RealData.files(under: "bad") {
      let path = url.pathComponents.drop { $0 != "bad" }.joined(separator: "/")
      let bytes = try RealData.bytes(path)
      guard bytes.count < 200_000 else { continue }
      if let file = try? JPEGFile(bytes[...]) {
        for image in file.images {
          _ = try? image.storedSamples()
          _ = try? image.color(scale: .eighth)
          _ = try? image.exifMetadata()
          _ = try? image.xmpPacket()
        }
      }
      _ = try? PNGImage(bytes[...])
      _ = try? XMPPacket(bytes)
      _ = try? ExifMetadata(tiff: bytes[...])
    }
  }

  @Test("Finds both auxiliary images of a real iPhone X, and the matte by its subtype")
  func matte() throws {
    let file = try JPEGFile(try RealData.bytes("photos/iphonex_dual_matte.jpg")[...])
    #expect(file.images.map(\.origin) == [.primary, .multiPictureIndex, .multiPictureIndex])
    let types = try file.images.dropFirst().map {
      AppleDepthMetadata(try #require(try $0.xmpPacket())).effectiveType
    }
    #expect(types == ["disparity", "portraiteffectsmatte"])
    #expect(file.notes.map(\.code) == [.multiPictureLengthDiffers])
    #expect(file.primary.payloads(of: .application(10)).count == 1)
  }

  @Test(
    "Survives 200 cuts and seeded flips of a real photo",
    arguments: [
      ("photos/iphonex_dual_depth.jpg", 2_000), ("photos/iphonex_dual_matte.jpg", 300),
    ])
  func damage(path: String, flips: Int) throws {
    let bytes = try Self.withoutColorData(try RealData.bytes(path))
    #expect(try JPEGFile(bytes[...]).images.count >= 2)
    for length in ByteDamage.truncations(of: bytes.count) {
      Self.readEverything(Array(bytes[..<length]))
    }
    for seed in 0..<flips {
      Self.readEverything(ByteDamage.flipped(bytes, seed: UInt64(seed)))
    }
  }

  /// The photo with the compressed data of its color image cut out: 12 million pixels would take
  /// most of the time and add no structure.
  static func withoutColorData(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = try JPEGFile(bytes[...])
    let last = try #require(file.primary.segments.last)
    let head = Array(bytes[..<(last.payload.upperBound + 64)]) + [0xFF, 0xD9]
    return head + file.images.dropFirst().flatMap { Array($0.bytes) }
  }

  static func readEverything(_ bytes: [UInt8]) {
    guard let file = try? JPEGFile(bytes[...]) else { return }
    for image in file.images {
      _ = try? image.exifMetadata()
      if let packet = try? image.xmpPacket() { _ = AppleDepthMetadata(packet) }
    }
    for image in file.images.dropFirst() { _ = try? image.storedSamples() }
  }
}
