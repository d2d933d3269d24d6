import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFormats

@Suite(
  "Films through ffmpeg", .enabled(if: SampleFilms.program != nil, "\(SampleFilms.absence)"))
struct FilmReaderTests {
  /// A way to code a film, each with its own trap.
  struct Coding: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var count = 24
    var options: [String]
    var encoder = "libx264"
  }

  static let codings = [
    Coding(
      testDescription: "H.264 with B-pictures",
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
      testDescription: "H.264, pictures without their parameter sets in front, one group",
      options: ["-c:v", "libx264", "-tag:v", "avc3", "-g", "250"]),
    Coding(
      testDescription: "HEVC with leading pictures",
      options: [
        "-c:v", "libx265", "-x265-params", "keyint=10:min-keyint=10:bframes=3:log-level=none",
        "-tag:v", "hvc1",
      ], encoder: "libx265"),
  ]

  @Test("Every picture by itself, in order and as ffmpeg reads the whole file", arguments: codings)
  func everyPicture(_ coding: Coding) throws {
    if coding.encoder != "libx264", !SampleFilms.has(encoder: coding.encoder) {
      try Test.cancel("no \(coding.encoder)")
    }
    let bytes = try SampleFilms.film(coding.count, coding.options)
    let source = MemoryBytes(bytes)
    let film = try MP4Film(source)
    #expect(film.pictures.count == coding.count && film.size == SampleFilms.size)
    let times = film.pictures.indices.map { film.seconds(of: $0) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let whole = try SampleFilms.decoded(
      bytes, filter: "scale=64:48:flags=bicubic+accurate_rnd+full_chroma_int")
    let reader = FilmReader(film, source: source, decoding: FFmpegDecoding())
    var inOrder: [Raster<RGB8>] = []
    for index in 0..<coding.count { inOrder.append(try reader.picture(at: index)) }
    #expect(inOrder == whole)
    #expect(inOrder.map { SampleFilms.number(of: $0) } == Array(0..<coding.count))
    // Jumps: backward, forward within a group and past one, and to the last.
    for index in [23, 13, 12] {
      #expect(try reader.picture(at: index) == inOrder[index], "picture \(index)")
    }
    let small = try reader.picture(at: 17, maximumSide: 32)
    #expect(small.width == 32 && SampleFilms.number(of: small) == 17)
  }

  @Test("Knows times exactly, which ffmpeg was told")
  func times() throws {
    let bytes = try SampleFilms.film(
      12,
      ["-vf", "setpts=(N+2*floor(N/3))/30/TB", "-fps_mode", "passthrough", "-c:v", "libx264"])
    let film = try MP4Film(MemoryBytes(bytes))
    for index in 0..<12 {
      let wanted = Double(index + 2 * (index / 3)) / 30
      // One tick of the track's clock is the rounding of the file.
      #expect(abs(film.seconds(of: index) - wanted) <= 1 / Double(film.ticksPerSecond))
    }
    #expect(film.pictures.allSatisfy(\.isShown) && !film.hasComplexEdits)
  }

  @Test(
    "Turns as ffmpeg does by the matrix, and says what an edit list hides", arguments: [90, 180])
  func turnedAndCut(degrees: Int) throws {
    let folder = try TemporaryFolder()
    try folder.put(
      try SampleFilms.film(10, ["-c:v", "libx264", "-bf", "0", "-qp", "1"]), at: "in.mp4")
    _ = try SampleFilms.run([
      "-v", "error", "-ss", "0.1", "-i", folder.file("in.mp4"), "-c", "copy", "-metadata:s:v:0",
      "rotate=\(degrees)", folder.file("out.mp4"),
    ])
    let source = MemoryBytes(try #require(folder.bytes("out.mp4")))
    let film = try MP4Film(source)
    #expect(film.pictures.count == 10)
    #expect(
      film.pictures.map(\.isShown) == [false, false, false] + Array(repeating: true, count: 7))
    #expect(film.seconds(of: 3) == 0 && film.seconds(of: 0) == -0.1)
    // By default ffmpeg turns pictures itself; a turn moves whole pixels.
    let turned = try SampleFilms.run([
      "-v", "error", "-i", folder.file("out.mp4"), "-vf", "format=rgb24", "-fps_mode",
      "passthrough", "-f", "rawvideo", "-",
    ])
    #expect(film.orientation != .up)
    let picture = try FilmReader(film, source: source, decoding: FFmpegDecoding()).picture(at: 3)
    let upright = picture.oriented(by: film.orientation)
    let pairs = zip(turned, upright.samples.flatMap { [$0.red, $0.green, $0.blue] })
    // Turning before or after the conversion to RGB rounds chroma differently.
    #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 12 })
  }
}
