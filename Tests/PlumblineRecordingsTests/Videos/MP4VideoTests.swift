import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("MP4 tables")
struct MP4VideoTests {
  private typealias Box = MP4VideoIndex

  /// A file around a sample table, 100 bytes of images first.
  private func file(
    _ table: [UInt8], entry: [UInt8]? = nil, edits: [UInt8] = [], handler: String = "vide",
    isLong: Bool = false, extra: [UInt8] = []
  ) -> [UInt8] {
    let media = [UInt8](repeating: 0xAB, count: 100)
    let head = Box.fileType
    let start =
      isLong
      ? SampleMP4.words(1) + Array("mdat".utf8) + Box.number(116, 8) + media
      : Box.box("mdat", media)
    let description =
      entry
      ?? Box.box(
        "avc1",
        Box.number(0, 24) + Box.number(64, 2) + Box.number(48, 2) + Box.number(0, 50)
          + Box.box("avcC", SampleMP4.sets.configuration))
    let stbl = Box.box(
      "stbl", SampleMP4.full("stsd", SampleMP4.words(1) + description) + table)
    let mdia = Box.box(
      "mdia",
      SampleMP4.full("mdhd", SampleMP4.words(0, 0, 600, 0, 0))
        + SampleMP4.full("hdlr", SampleMP4.words(0) + Array(handler.utf8) + Box.number(0, 13))
        + Box.box("minf", stbl))
    let matrix = SampleMP4.words(0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000)
    let tkhd = SampleMP4.full("tkhd", Box.number(0, 20 + 16) + matrix + SampleMP4.words(0, 0))
    let trak = Box.box("trak", tkhd + edits + mdia)
    let mvhd = SampleMP4.full("mvhd", SampleMP4.words(0, 0, 1000, 0) + Box.number(0, 80))
    return head + start + Box.box("moov", mvhd + trak + extra)
  }

  private func error(_ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()) -> String {
    do throws(CaptureReadingError) {
      _ = try MP4Video(MemoryBytes(bytes), limits: limits)
      return "read"
    } catch {
      return "\(error)"
    }
  }

  private var firstByte: Int { Box.fileType.count + 8 }

  @Test("Runs of samples, chunks and times, composition offsets of either sign, sync samples")
  func tables() throws {
    let table =
      SampleMP4.full("stts", SampleMP4.words(2, 2, 10, 3, 20))
      + SampleMP4.full("ctts", SampleMP4.words(3, 1, 20, 2, -5, 2, 0), version: 1)
      + SampleMP4.full("stss", SampleMP4.words(2, 1, 4))
      + SampleMP4.full("stsc", SampleMP4.words(2, 1, 2, 1, 2, 1, 1))
      + SampleMP4.full("stsz", SampleMP4.words(0, 5, 4, 5, 6, 7, 8))
      + SampleMP4.full("stco", SampleMP4.words(4, 40, 60, 70, 80))
    let video = try MP4Video(MemoryBytes(file(table)))
    // Decoding times 0, 10, 20, 40, 60; presentation 20, 5, 15, 40, 60.
    #expect(video.images.map(\.presentationTicks) == [5, 15, 20, 40, 60])
    #expect(video.images.map(\.decodingIndex) == [1, 2, 0, 3, 4])
    #expect(video.presentationIndices == [2, 0, 1, 3, 4])
    #expect(video.images.map(\.isSync) == [false, false, true, true, false])
    #expect(video.images.map(\.bytes) == [44..<49, 60..<66, 40..<44, 70..<77, 80..<88])
    #expect(video.seconds(of: 4) == 0.1 && video.orientation == .right)
    #expect(video.size == RasterSize(width: 64, height: 48))
    #expect(video.codec.parameterSets == [0, 0, 0, 1, 0x67, 0x42, 0, 0x0A, 1, 0, 0, 0, 1, 0x68, 2])
  }

  @Test("64-bit boxes and offsets, compact sizes, one size for all, every sample a sync sample")
  func wide() throws {
    let times = SampleMP4.full("stts", SampleMP4.words(1, 3, 20))
    let runs = SampleMP4.full("stsc", SampleMP4.words(1, 1, 3, 1))
    let offset = SampleMP4.full("co64", SampleMP4.words(1) + Box.number(50, 8))
    for sizes in [
      SampleMP4.full("stsz", SampleMP4.words(6, 3)),
      SampleMP4.full("stz2", SampleMP4.words(4, 3) + [0x66, 0x60]),
      SampleMP4.full("stz2", SampleMP4.words(8, 3) + [6, 6, 6]),
      SampleMP4.full("stz2", SampleMP4.words(16, 3) + [0, 6, 0, 6, 0, 6]),
    ] {
      let video = try MP4Video(MemoryBytes(file(times + runs + offset + sizes, isLong: true)))
      #expect(video.images.map(\.bytes) == [50..<56, 56..<62, 62..<68])
      #expect(video.images.allSatisfy { $0.isSync })
    }
  }

  @Test("Edit lists delay, cut the start and the end; others are told")
  func edits() throws {
    let table =
      SampleMP4.full("stts", SampleMP4.words(1, 4, 60))
      + SampleMP4.full("stsc", SampleMP4.words(1, 1, 4, 1))
      + SampleMP4.full("stsz", SampleMP4.words(5, 4))
      + SampleMP4.full("stco", SampleMP4.words(1, firstByte))
    func video(_ edits: [UInt8]) throws -> MP4Video {
      try MP4Video(MemoryBytes(file(table, edits: Box.box("edts", SampleMP4.full("elst", edits)))))
    }
    // A pause of half a second, then from tick 60 on for 0.2 s: two of the four images.
    let cut = try video(SampleMP4.words(2, 500, -1, 0x10000, 200, 60, 0x10000))
    #expect(cut.images.map(\.presentationTicks) == [240, 300, 360, 420])
    #expect(cut.images.map(\.isShown) == [false, true, true, false])
    #expect(!cut.hasComplexEdits)
    let slowed = try video(SampleMP4.words(1, 500, 0, 0x8000))
    #expect(
      slowed.hasComplexEdits && slowed.images.map(\.presentationTicks) == [0, 60, 120, 180])
    // Each of these pauses is a number of ticks that fits; their sum is none.
    let pause = Box.number(1_600_000_000_000_000, 8) + Box.number(-1, 8) + SampleMP4.words(0x10000)
    let pauses = SampleMP4.full(
      "elst", SampleMP4.words(10_000) + Array(repeatElement(pause, count: 10_000).joined()),
      version: 1)
    #expect(error(file(table, edits: Box.box("edts", pauses))).contains("pauses within 30 years"))
  }

  @Test("Says what is missing, damaged or not read")
  func refusals() throws {
    let sizes = SampleMP4.full("stsz", SampleMP4.words(5, 2))
    let times = SampleMP4.full("stts", SampleMP4.words(1, 2, 10))
    let runs = SampleMP4.full("stsc", SampleMP4.words(1, 1, 2, 1))
    let offsets = SampleMP4.full("stco", SampleMP4.words(1, firstByte))
    let whole = times + runs + sizes + offsets
    #expect(error(file(whole)) == "read")
    #expect(error(file(times + runs + sizes)).contains("a box of type stco"))
    #expect(
      error(file(whole, handler: "soun")).contains("a video track, found tracks of kind soun"))
    #expect(error(file(whole, extra: Box.box("mvex", []))).contains("unsupported at moov/mvex"))
    #expect(
      error(file(times + runs + sizes + SampleMP4.full("stco", SampleMP4.words(1, 1 << 20))))
        .contains("inside the file"))
    #expect(
      error(file(runs + sizes + offsets + SampleMP4.full("stts", SampleMP4.words(1, 1, 10))))
        .contains("times of 2 samples, found 1"))
    #expect(
      error(file(times + runs + offsets + SampleMP4.full("stsz", SampleMP4.words(0, 1 << 30, 1))))
        .contains("over a limit"))
    #expect(error(file(whole, entry: Box.box("encv", Box.number(0, 80)))).contains("found encv"))
    #expect(error(Array("RIFF....AVI LIST".utf8)).contains("an MP4 or QuickTime video"))
    let unfinished = Array(SampleMP4.video().dropLast(SampleMP4.video().count - 200))
    #expect(
      error(unfinished).contains("the recording was not finished")
        || error(unfinished).contains("ends early"))
    var small = ReadingLimits()
    small.videoIndexBytes = 100
    #expect(error(file(whole), small).contains("bytes of index"))
  }

  @Test("Cut anywhere or damaged anywhere, a video ends with images inside the file or an error")
  func hostile() throws {
    let videos = [SampleMP4.video()]
    for video in videos {
      for count in ByteDamage.truncations(of: video.count, steps: 200) {
        #expect(error(Array(video[..<count])) != "read", "cut to \(count)")
      }
      for seed in 0..<UInt64(1_500) {
        let damaged = ByteDamage.flipped(video, seed: seed)
        guard let index = try? MP4Video(MemoryBytes(damaged)) else { continue }
        #expect(index.images.allSatisfy { $0.bytes.upperBound <= damaged.count })
        for image in index.images {
          _ = try? index.codec.annexB(
            Array(damaged[image.bytes]), offset: image.bytes.lowerBound)
        }
      }
    }
  }

  @Test("Units of any length size become a stream with start codes")
  func annexB() throws {
    var reader = ByteReader(
      (Box.box("avcC", [1, 0x42, 0, 10, 0xFD, 0xE0, 0]))[...])
    let codec = try VideoCodec(entry: "avc1", &reader, ReadingLimits())
    #expect(codec.lengthFieldBytes == 2 && codec.parameterSets.isEmpty)
    #expect(
      try codec.annexB([0, 2, 7, 8, 0, 1, 9], offset: 0) == [0, 0, 0, 1, 7, 8, 0, 0, 0, 1, 9])
    #expect(throws: CaptureReadingError.self) { try codec.annexB([0, 3, 7, 8], offset: 0) }
    #expect(throws: CaptureReadingError.self) { try codec.annexB([0], offset: 0) }
  }
}
