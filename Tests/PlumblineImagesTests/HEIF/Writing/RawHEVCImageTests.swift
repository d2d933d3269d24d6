import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// An item's image as a byte stream, which programs without HEIF read.
func byteStream(_ coded: CodedHEVCImages, _ index: Int = 0) throws -> [UInt8] {
  var reader = ByteReader(coded.configuration[...])
  let configuration = try HEVCConfiguration.read(&reader)
  var stream: [UInt8] = []
  for unit in configuration.units { stream += [0, 0, 0, 1] + unit }
  var data = ByteReader(coded.images[index][...])
  while !data.isAtEnd {
    let length = Int(try data.readUInt32())
    stream += [0, 0, 0, 1] + (try data.readBytes(length))
  }
  return stream
}

/// Codes that hold every value and runs of zeros, which need guards against start codes.
func mixedCodes(_ width: Int, _ height: Int, bitDepth: Int, seed: UInt64) -> Raster<UInt16> {
  var generator = SeededGenerator(seed: seed)
  let zeros = (width * height) / 3
  let samples = (0..<width * height).map { index in
    index < zeros ? 0 : UInt16(truncatingIfNeeded: generator.next()) & UInt16((1 << bitDepth) - 1)
  }
  return Raster(size: RasterSize(width: width, height: height), samples: samples)
}

@Suite("Raw HEVC")
struct RawHEVCImageTests {
  private func decoded(_ coded: CodedHEVCImages, _ size: RasterSize) throws -> [Int] {
    var reader = ByteReader(coded.configuration[...])
    let image = try HEVCStillImage(
      configuration: HEVCConfiguration.read(&reader), data: coded.images[0][...],
      promisedSize: size, maximumPixels: 1 << 24, limits: ReadingLimits(), path: [])
    var samples: [Int] = []
    try defaultHEVCDecoder.decode(image, path: []) { planes in
      for y in 0..<size.height {
        if planes.bitDepth > 8 {
          let row = planes.luma.row(y, UInt16.self)
          for x in 0..<size.width { samples.append(Int(row[x])) }
        } else {
          let row = planes.luma.row(y, UInt8.self)
          for x in 0..<size.width { samples.append(Int(row[x])) }
        }
      }
    }
    return samples
  }

  @Test(
    "Every code comes back at every depth, in sizes of one block to more than the contexts learn",
    arguments: [8, 9, 10, 12, 14, 16], [(1, 1), (32, 32), (33, 31), (7, 70), (321, 257)])
  func everyDepth(bitDepth: Int, size: (Int, Int)) throws {
    let codes = mixedCodes(size.0, size.1, bitDepth: bitDepth, seed: 11)
    let image = RawHEVCImage(luma: codes, bitDepth: bitDepth)
    let coded = CodedHEVCImages(configuration: image.configuration, images: [image.data])
    #expect(try decoded(coded, codes.size) == codes.samples.map(Int.init))
  }

  @Test("Bytes and words of the same codes give the same stream")
  func bytesAndWords() {
    let codes = mixedCodes(130, 75, bitDepth: 8, seed: 3)
    let bytes = RawHEVCImage(luma: codes.map { UInt8($0) })
    #expect(bytes.data == RawHEVCImage(luma: codes).data)
    #expect(bytes.configuration == RawHEVCImage(luma: codes).configuration)
  }

  @Test(
    "The level is the lowest from 3 that holds the image (ITU-T H.265 table A.8)",
    arguments: [
      (768, 576, 90), (992, 992, 120), (2016, 1512, 150), (4032, 3024, 180), (4096, 16, 120),
      (8192, 8192, 186),
    ])
  func level(width: Int, height: Int, level: UInt8) {
    let profile = HEVCProfile(
      size: RasterSize(width: width, height: height), bitDepth: 8, isMonochrome: true)
    #expect(profile.level == level)
    // As iPhones state monochrome images.
    #expect(
      profile.bytes.prefix(11) == [4, 8, 0, 0, 0, 0xBF, 0xC8, 0, 0, 0, 0])
  }

  private static let hasFFmpeg = (try? ProgramFile(named: "ffmpeg")) != nil

  // Not monochrome ones: ffmpeg (5.1) skips chroma samples behind each raw block of theirs, which
  // are not there.
  @Test("ffmpeg decodes the same colors", .enabled(if: hasFFmpeg, "no program ffmpeg"))
  func ffmpeg() throws {
    let size = RasterSize(width: 200, height: 142)
    let image = colorful(size.width, size.height)
    let planes = HalvedChroma(image, x: 0, y: 0, size: size)
    let coded = try HEVCImageCoder(.raw, threads: 1).code(
      image, [(0, 0)], size, quality: 90,
      ColorCodes(primaries: 1, transfer: 13, matrix: 6, isFullRange: true))
    let answer = try ProgramAnswer(
      of: "ffmpeg",
      [
        "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-f", "hevc", "-i", "pipe:0",
        "-f", "rawvideo", "-pix_fmt", "yuvj420p", "pipe:1",
      ], input: byteStream(coded), seconds: 60)
    #expect(answer.bytes == planes.bytes)
  }
}
