import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite(
  "Videos through ffmpeg", .enabled(if: SampleVideos.program != nil, "\(SampleVideos.absence)"))
struct VideoReaderTests {
  /// A way to code a video, each with its own trap.
  struct Coding: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var count = 24
    var options: [String]
    var encoder = "libx264"
  }

  static let codings = [
    Coding(
      testDescription: "H.264 with B-images",
      options: ["-c:v", "libx264", "-bf", "3", "-b_strategy", "0", "-g", "12"]),
    Coding(
      testDescription: "H.264 with an open group, index first",
      options: [
        "-c:v", "libx264", "-x264-params", "open-gop=1:keyint=10:bframes=2", "-movflags",
        "+faststart",
      ]),
    Coding(
      testDescription: "H.264 of variable rate",
      options: [
        "-vf", "setpts=(N+2*floor(N/3))/30/TB", "-fps_mode", "passthrough", "-c:v", "libx264",
        "-g", "9",
      ]),
    Coding(
      testDescription: "H.264, images without their parameter sets in front, one group",
      options: ["-c:v", "libx264", "-tag:v", "avc3", "-g", "250"]),
    Coding(
      testDescription: "HEVC with leading images",
      options: [
        "-c:v", "libx265", "-x265-params", "keyint=10:min-keyint=10:bframes=3:log-level=none",
        "-tag:v", "hvc1",
      ], encoder: "libx265"),
  ]

  @Test("Every image by itself, in order and as ffmpeg reads the whole file", arguments: codings)
  func everyImage(_ coding: Coding) throws {
    if coding.encoder != "libx264", !SampleVideos.has(encoder: coding.encoder) {
      try Test.cancel("no \(coding.encoder)")
    }
    let bytes = try SampleVideos.video(coding.count, coding.options)
    let source = MemoryBytes(bytes)
    let video = try MP4Video(source)
    #expect(video.images.count == coding.count && video.size == SampleVideos.size)
    let times = video.images.indices.map { video.seconds(of: $0) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let whole = try SampleVideos.decoded(
      bytes, filter: "scale=64:48:flags=bicubic+accurate_rnd+full_chroma_int")
    let reader = VideoReader(video, source: source, decoding: FFmpegDecoding())
    var inOrder: [Raster<RGB8>] = []
    for index in 0..<coding.count { inOrder.append(try reader.image(at: index)) }
    #expect(inOrder == whole)
    #expect(inOrder.map { SampleVideos.number(of: $0) } == Array(0..<coding.count))
    // Jumps: backward, forward within a group and past one, and to the last.
    for index in [23, 13, 12] {
      #expect(try reader.image(at: index) == inOrder[index], "image \(index)")
    }
    let small = try reader.image(at: 17, maximumSide: 32)
    #expect(small.width == 32 && SampleVideos.number(of: small) == 17)
  }

  @Test("Knows times exactly, which ffmpeg was told")
  func times() throws {
    let bytes = try SampleVideos.video(
      12,
      ["-vf", "setpts=(N+2*floor(N/3))/30/TB", "-fps_mode", "passthrough", "-c:v", "libx264"])
    let video = try MP4Video(MemoryBytes(bytes))
    for index in 0..<12 {
      let wanted = Double(index + 2 * (index / 3)) / 30
      // One tick of the track's clock is the rounding of the file.
      #expect(abs(video.seconds(of: index) - wanted) <= 1 / Double(video.ticksPerSecond))
    }
    #expect(video.images.allSatisfy(\.isShown) && !video.hasComplexEdits)
  }

  @Test(
    "Turns as ffmpeg does by the matrix, and says what an edit list hides", arguments: [90, 180])
  func turnedAndCut(degrees: Int) throws {
    let folder = try TemporaryFolder()
    try folder.put(
      try SampleVideos.video(10, ["-c:v", "libx264", "-bf", "0", "-qp", "1"]), at: "in.mp4")
    _ = try SampleVideos.run([
      "-v", "error", "-ss", "0.1", "-i", folder.file("in.mp4"), "-c", "copy", "-metadata:s:v:0",
      "rotate=\(degrees)", folder.file("out.mp4"),
    ])
    let source = MemoryBytes(try #require(folder.bytes("out.mp4")))
    let video = try MP4Video(source)
    #expect(video.images.count == 10)
    #expect(
      video.images.map(\.isShown) == [false, false, false] + Array(repeating: true, count: 7))
    #expect(video.seconds(of: 3) == 0 && video.seconds(of: 0) == -0.1)
    // By default ffmpeg turns images itself; a turn moves whole pixels.
    let turned = try SampleVideos.run([
      "-v", "error", "-i", folder.file("out.mp4"), "-vf", "format=rgb24", "-fps_mode",
      "passthrough", "-f", "rawvideo", "-",
    ])
    #expect(video.orientation != .up)
    let image = try VideoReader(video, source: source, decoding: FFmpegDecoding()).image(at: 3)
    let upright = image.oriented(by: video.orientation)
    let pairs = zip(turned, upright.samples.flatMap { [$0.red, $0.green, $0.blue] })
    // Turning before or after the conversion to RGB rounds chroma differently.
    #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 12 })
  }
}
