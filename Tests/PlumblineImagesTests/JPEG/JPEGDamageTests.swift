import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport
import Testing

/// Color of a damaged scan is refused, with the rows that may be shifted or missing.
@Suite("JPEG damage")
struct JPEGDamageTests {
  /// Texture everywhere, so that each row of blocks costs about as many bytes as any other.
  static let color = Raster<RGB8>(size: RasterSize(width: 320, height: 240)) { x, y in
    let noise = UInt8(truncatingIfNeeded: (x &* 2_654_435_761) ^ (y &* 40_503) ^ (x &* y &* 97))
    return RGB8(red: noise, green: noise ^ UInt8(truncatingIfNeeded: y), blue: 255 - noise)
  }

  /// The compressed data of the one scan: behind the header of the scan, before the end marker.
  static func scan(_ bytes: [UInt8]) -> Range<Int> {
    var index = 2
    while bytes[index + 1] != 0xDA {
      index += 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
    }
    return index + 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])..<bytes.count - 2
  }

  /// The error of decoding; `nil` when it passes.
  static func error(_ bytes: [UInt8]) throws -> CaptureReadingError? {
    let image = try JPEGFile(bytes[...]).primary
    do throws(CaptureReadingError) {
      _ = try image.color()
      return nil
    } catch { return error }
  }

  @Test("Bytes taken out of the middle shift what follows: all rows are in doubt")
  func shifted() throws {
    var bytes = try JPEGEncoder(quality: 90).encoded(Self.color)
    let scan = Self.scan(bytes)
    bytes.removeSubrange(scan.lowerBound + scan.count / 2..<scan.lowerBound + scan.count * 6 / 10)
    let error = try #require(try Self.error(bytes))
    #expect(error.reason == .malformed)
    #expect(error.found.contains("rows 0 to 239 of 240, 100 %"), "\(error.found)")
    #expect(error.found.contains("no restart marker"), "\(error.found)")
  }

  @Test(
    "Of a file that was cut, the rows before the end are not in doubt", arguments: [25, 50, 75])
  func cut(percent: Int) throws {
    let bytes = try JPEGEncoder(quality: 90).encoded(Self.color)
    let scan = Self.scan(bytes)
    let error = try #require(
      try Self.error(Array(bytes[..<(scan.lowerBound + scan.count * percent / 100)])))
    let words = error.found.split(separator: " ").map(String.init)
    let start = try #require(words.firstIndex(of: "rows").flatMap { Int(words[$0 + 1]) })
    // Two rows of blocks of 16 pixels: the one that was cut and the one before it; texture of even
    // density costs each row the same bytes within a tenth.
    #expect(abs(start - 240 * percent / 100) <= 32 + 24, "\(error.found)")
    #expect(error.found.contains("are missing"), "\(error.found)")
  }

  @Test(
    "A restart marker bounds the damage from above",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func restarts() throws {
    // An iPhone X writes a restart marker after each row of blocks.
    var bytes = try RealData.bytes("photos/iphonex_dual_depth.jpg")
    let file = try JPEGFile(bytes[...])
    let rows = try #require(file.primary.frame?.size.height)
    let scan = try #require(file.primary.segments.first { $0.marker == .startOfScan }).payload
    let end = file.primary.range.upperBound - 2
    let place = scan.upperBound + (end - scan.upperBound) * 6 / 10
    for index in place..<place + 512 { bytes[index] = 0 }
    let error = try #require(try Self.error(bytes))
    let words = error.found.split(separator: " ").map(String.init)
    let start = try #require(words.firstIndex(of: "rows").flatMap { Int(words[$0 + 1]) })
    #expect(start > 0 && start < rows * 3 / 4, "\(error.found)")
  }

  @Test("Equal bytes that fill the file up to its end marker harm no pixel", arguments: [0, 0xFF])
  func padding(byte: UInt8) throws {
    var bytes = try JPEGEncoder(quality: 90).encoded(Self.color)
    let whole = try JPEGFile(bytes[...]).primary.color().raster
    bytes.insert(contentsOf: [UInt8](repeating: byte, count: 12), at: bytes.count - 2)
    #expect(try JPEGFile(bytes[...]).primary.color().raster == whole)
  }

  @Test("Damage in a photo with depth costs the color, is told, and leaves the depth")
  func photo() throws {
    var bytes = try Self.photo()
    let clean = try CaptureReader(color: .full).capture(from: bytes)
    let scan = Self.primaryScan(bytes)
    bytes.replaceSubrange(
      scan.lowerBound + scan.count / 3..<scan.lowerBound + scan.count / 3 + 40,
      with: [UInt8](repeating: 0, count: 40))
    let capture = try CaptureReader(color: .full).capture(from: bytes)
    #expect(clean.color != nil && capture.color == nil)
    #expect(capture.depth?.storedSamples == clean.depth?.storedSamples)
    let finding = try #require(capture.findings.first { $0.code == .fileDamagedImage })
    #expect(finding.message.contains("rows") && finding.message.contains("%"), "\(finding.message)")
  }

  /// The texture with a small depth map.
  private static func photo() throws -> [UInt8] {
    var photo = ApplePhoto(color: color)
    photo.depth = ApplePhoto.DepthImage(
      codes: Raster(size: RasterSize(width: 64, height: 48)) { x, y in UInt8(2 * x + y) },
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 1.5, maximumValue: 4.5))
    return try ApplePhotoWriter().bytes(of: photo)
  }

  private static func primaryScan(_ bytes: [UInt8]) -> Range<Int> {
    let start = scan(bytes).lowerBound
    var end = start
    while !(bytes[end] == 0xFF && bytes[end + 1] == 0xD9) { end += 1 }
    return start..<end
  }
}
