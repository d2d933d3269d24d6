import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// A JPEG of 64 kB that claims 96 million pixels costs no command more than reading its header.
@Suite struct ClaimedSizeTests {
  private static func photo() throws -> [UInt8] {
    let size = RasterSize(width: 256, height: 256)
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<size.pixelCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var bytes = try JPEGEncoder(quality: 90).encoded(Raster(size: size, samples: noise))
    let frame = try #require(
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for (place, side) in [(5, 12_000), (7, 8_000)] {
      bytes[frame + place] = UInt8(side >> 8)
      bytes[frame + place + 1] = UInt8(side & 255)
    }
    return bytes
  }

  @Test(arguments: [
    ["stereo", "photo.jpg", "photo.jpg", "-o", "out"],
    ["effect", "blur", "photo.jpg", "-o", "out.jpg"],
    ["cloud", "photo.jpg", "-o", "out.ply"],
    ["check", "photo.jpg"],
    ["extract", "photo.jpg", "-o", "out"],
    ["write", "photo.jpg", "--attach", "depth.npy", "-o", "out.jpg"],
    ["write", "photo.jpg", "--crop", "0,0,1000x1000", "-o", "out.jpg"],
  ])
  func refusedWithItsNumbers(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.put(try Self.photo(), at: "photo.jpg")
    let names = ["photo.jpg", "depth.npy", "out", "out.jpg", "out.ply"]
    let run = try CommandRun(arguments.map { names.contains($0) ? folder.file($0) : $0 })
    #expect(run.status == 65, "\(run.message)")
    #expect(
      run.message.contains("at least 375000 bytes of compressed data for 8000×12000 pixels"),
      "\(run.message)")
  }
}
