import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings

@Suite struct LoopEncoderTests {
  @Test(
    "A loop has its images, its size and its rate, and the same bytes each time",
    .enabled(if: SampleVideos.program != nil, "\(SampleVideos.absence)"),
    arguments: LoopEncoder.Format.allCases)
  func codes(_ format: LoopEncoder.Format) throws {
    // Odd sides, which a video loses.
    let part = PixelRectangle(x: 0, y: 0, width: 63, height: 47)
    let frames = (0..<6).map { SampleVideos.image($0).cropped(to: part) }
    let encoder = try LoopEncoder()
    let bytes = try encoder.bytes(of: frames, as: format, framesPerSecond: 10)
    #expect(bytes == (try encoder.bytes(of: frames, as: format, framesPerSecond: 10)))
    switch format {
    case .gif:
      #expect(bytes.starts(with: "GIF89a".utf8))
      #expect(Array(bytes[6..<10]) == [63, 0, 47, 0])
      // Each image has a graphic control extension with its time, 10 hundredths.
      let times = places(of: [0x21, 0xF9, 4], in: bytes).map { Int(bytes[$0 + 4]) }
      #expect(times == [10, 10, 10, 10, 10, 10])
      #expect(places(of: Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0], in: bytes).count == 1)
    case .webp:
      #expect(bytes.starts(with: "RIFF".utf8))
      // The time of an image: 24 bits at the 12th byte of its frame, behind name and size.
      let times = places(of: Array("ANMF".utf8), in: bytes).map { Int(bytes[$0 + 20]) }
      #expect(times == [100, 100, 100, 100, 100, 100])
    case .mp4:
      let source = MemoryBytes(bytes)
      let video = try MP4Video(source)
      #expect(video.size == RasterSize(width: 62, height: 46))
      #expect(video.images.indices.map { video.seconds(of: $0) } == [0, 0.1, 0.2, 0.3, 0.4, 0.5])
      let reader = VideoReader(video, source: source, decoding: FFmpegDecoding())
      for index in 0..<6 {
        #expect(SampleVideos.number(of: try reader.image(at: index)) == index)
      }
      // The index comes first, so that a player can start before it has all.
      let (index, media) = (
        places(of: Array("moov".utf8), in: bytes), places(of: Array("mdat".utf8), in: bytes)
      )
      #expect(index[0] < media[0])
    }
  }

  private func places(of part: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0...].starts(with: part) }
  }

  @Test("Says that ffmpeg is absent, and how a program that is not it ended")
  func failures() throws {
    let frames = (0..<2).map { SampleVideos.image($0) }
    for format in LoopEncoder.Format.allCases {
      let encoder = LoopEncoder(program: ProgramFile(name: "false", path: "/bin/false"))
      let error = #expect(throws: LoopEncodingError.self) {
        try encoder.bytes(of: frames, as: format, framesPerSecond: 10)
      }
      #expect(error?.reason == .failed)
    }
    #expect(LoopEncodingError(.absent(program: "ffmpeg")).reason == .absent)
  }

  @Test(
    "Output that breaks off is refused, even if the program says that it succeeded",
    arguments: [
      (LoopEncoder.Format.gif, "GIF89a"), (.webp, "RIFF\\377\\000\\000\\000WEBP"),
    ])
  func truncatedOutput(_ format: LoopEncoder.Format, start: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.putScript("cat > /dev/null\nprintf '\(start)'", at: "ffmpeg")
    let encoder = LoopEncoder(program: ProgramFile(name: "ffmpeg", path: path))
    let frames = (0..<2).map { SampleVideos.image($0) }
    var error: LoopEncodingError?
    for _ in 0..<100 {
      error = #expect(throws: LoopEncodingError.self) {
        try encoder.bytes(of: frames, as: format, framesPerSecond: 10)
      }
      // A script that is still open in a fork of a neighboring test cannot be started yet.
      guard error?.detail.contains("busy") == true else { break }
      usleep(50_000)
    }
    let detail = error?.detail ?? "no error"
    #expect(detail.contains("is not a complete \(format.rawValue) file"), "\(detail)")
  }

  @Test("Refuses frames that are none, differ or are too small, and rates beyond sense")
  func refuses() throws {
    let encoder = LoopEncoder(program: ProgramFile(name: "false", path: "/bin/false"))
    let plain = (0..<2).map { SampleVideos.image($0) }
    func blank(_ width: Int) -> Raster<RGB8> {
      Raster(
        size: RasterSize(width: width, height: 48), repeating: RGB8(red: 1, green: 1, blue: 1))
    }
    func reason(_ frames: [Raster<RGB8>], _ rate: Int) -> LoopEncodingError.Reason? {
      #expect(throws: LoopEncodingError.self) {
        try encoder.bytes(of: frames, as: .gif, framesPerSecond: rate)
      }?.reason
    }
    #expect(reason([], 10) == .frames)
    #expect(reason(plain + [blank(16)], 10) == .frames)
    #expect(reason([blank(1), blank(1)], 10) == .frames)
    #expect(reason(plain, 0) == .outOfRange)
    #expect(reason(plain, 121) == .outOfRange)
  }
}
