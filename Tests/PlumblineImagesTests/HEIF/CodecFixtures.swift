import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

/// Small coded images in `Fixtures/codecs` and what their codes are, the same for every decoder.
///
/// HEVC defines every bit of a decoded image. `checksums.json` was made with libde265 on Linux.
struct CodecFixture: Sendable {
  /// The file's name without `.hevc`.
  let name: String
  /// Makes the images that the files of one group hold, with the same parameter sets.
  let make: @Sendable (HEVCImageCoder) throws -> CodedHEVCImages
  /// The number of the image among those made.
  var index = 0

  static let folder = PackageRoot.url.appending(path: "Fixtures/codecs")

  /// Set to write the files and checksums anew, with x265 and libde265.
  static let isRecording = ProcessInfo.processInfo.environment["PLUMBLINE_RECORD_CODECS"] != nil

  /// Disparity with an edge and noise, 200 × 150: no whole number of blocks, so that the image is
  /// cropped out of what is coded.
  private static func map(bitDepth: Int) -> Raster<UInt16> {
    var generator = SeededGenerator(seed: 48)
    return Raster(size: RasterSize(width: 200, height: 150)) { x, y in
      let (across, down) = (x - 90, y - 70)
      let isNear = across * across + down * down < 2_500
      let level: Int = isNear ? 170 - y / 3 : 40 + x / 8
      let code = level << (bitDepth - 8)
      return UInt16(code) + UInt16(generator.next() % 3)
    }
  }

  private static let photo = Raster<RGB8>(size: RasterSize(width: 320, height: 160)) { x, y in
    let stripe = (x / 16 % 2) * 60
    return RGB8(red: UInt8(x * 4 / 5), green: UInt8(y + stripe), blue: UInt8(255 - x / 2))
  }

  private static func codedPhoto(_ coder: HEVCImageCoder) throws -> CodedHEVCImages {
    try coder.code(
      photo, [(0, 0), (160, 0)], RasterSize(width: 160, height: 160), quality: 90,
      ColorCodes(primaries: 12, transfer: 13, matrix: 6, isFullRange: true))
  }

  static let all = [
    CodecFixture(name: "disparity-8") { coder in
      try coder.code(.uint8(map(bitDepth: 8).map { UInt8($0) }), .lossy(quality: 90))
    },
    CodecFixture(name: "disparity-10") { coder in
      try coder.code(.uint16(map(bitDepth: 10), bitDepth: 10), .lossy(quality: 90))
    },
    CodecFixture(name: "disparity-lossless") { coder in
      try coder.code(.uint8(map(bitDepth: 8).map { UInt8($0) }), .lossless)
    },
    CodecFixture(name: "disparity-raw") { _ in
      let small = Raster(size: RasterSize(width: 90, height: 70)) { x, y in UInt8(2 * x + y / 2) }
      return try HEVCImageCoder(nil).code(.uint8(small), .lossless)
    },
    // Two tiles with the same parameter sets, so that a session serves more than one.
    CodecFixture(name: "tile-1", make: codedPhoto),
    CodecFixture(name: "tile-2", make: codedPhoto, index: 1),
  ]

  /// The image of the file, as a reader of HEIF passes it to a codec.
  func image() throws -> HEVCStillImage {
    let url = Self.folder.appending(path: "\(name).hevc")
    let stream = [UInt8](try Data(contentsOf: url))
    return try HEVCStillImage(checkedUnits: CodedHEVCImages.units(ofByteStream: stream))
  }

  /// The codes of all planes, above 8 bits as little-endian words, and their digest.
  static func digest(
    of image: HEVCStillImage, by codec: any HEVCStillDecoding
  ) throws -> String {
    let layout = PackedPlanes(image.parameters)
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    try codec.decode(image, path: []) { planes in
      bytes.withUnsafeMutableBytes { layout.pack(planes, into: $0) }
    }
    return SHA256Digest.hexadecimal(of: bytes)
  }

  static func write(_ bytes: [UInt8], _ name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appending(path: name))
  }

  static func checksums() throws -> [String: String] {
    let data = try Data(contentsOf: folder.appending(path: "checksums.json"))
    return try JSONDecoder().decode([String: String].self, from: data)
  }
}

@Suite("Codes of decoded images", .serialized)
struct CodecFixtureTests {
  @Test("Every decoder gives the codes that Linux gives", arguments: CodecFixture.all.map(\.name))
  func codes(name: String) throws {
    let fixture = try #require(CodecFixture.all.first { $0.name == name })
    if CodecFixture.isRecording { try record(fixture) }
    let digest = try CodecFixture.digest(of: fixture.image(), by: defaultHEVCDecoder)
    #expect(try CodecFixture.checksums()[name] == digest)
  }

  @Test("One decoder gives the same codes for tiles one after another and beside one another")
  func tiles() throws {
    let tiles = CodecFixture.all.filter { $0.name.hasPrefix("tile") }
    let images = try tiles.map { try $0.image() }
    let checksums = try CodecFixture.checksums()
    let codec = defaultHEVCDecoder
    let jobs = (0..<12).map { $0 % images.count }
    try forEachConcurrently(jobs, threadCount: 4) { (index) throws(CaptureReadingError) in
      let digest: String
      do { digest = try CodecFixture.digest(of: images[index], by: codec) } catch {
        throw CaptureReadingError(.malformed, expected: "codes", found: "\(error)")
      }
      #expect(checksums[tiles[index].name] == digest)
    }
  }

  /// Writes a file and its checksum, and fails, so that it cannot happen unnoticed.
  private func record(_ fixture: CodecFixture) throws {
    let coded = try fixture.make(HEVCImageCoder(.x265, threads: 1))
    try CodecFixture.write(byteStream(coded, fixture.index), "\(fixture.name).hevc")
    var checksums = (try? CodecFixture.checksums()) ?? [:]
    checksums[fixture.name] = try CodecFixture.digest(
      of: fixture.image(), by: defaultHEVCDecoder)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try CodecFixture.write([UInt8](encoder.encode(checksums)) + [0x0A], "checksums.json")
    Issue.record("\(fixture.name) was recorded anew")
  }
}
