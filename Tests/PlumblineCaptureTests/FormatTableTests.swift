import PlumblineCapture
import PlumblineModel
import Testing

@Suite("Formats of real devices")
struct FormatTableTests {
  @Test("LiDAR: the largest unbinned size within the limits, 420f before 420v, never 10 bits")
  func lidar() throws {
    let choice = try FormatChoice(for: FormatRequest(), among: FormatTables.lidar12Pro)
    #expect(choice.video.size == FormatTables.size(1920, 1440))
    #expect(choice.video.pixelType == .fullRange8 && !choice.video.isBinned)
    #expect(choice.depth.size == FormatTables.size(320, 240) && choice.depth.type == .depth32)
    #expect(choice.videoDuration == FrameDuration(framesPerSecond: 30))
    let reasons = Set(choice.rejections.map(\.reason))
    #expect(reasons.contains(.videoTooLarge(largest: FormatTables.size(1920, 1440))))
    #expect(reasons.contains(.videoType) && reasons.contains(.smallerVideo))
    #expect(reasons.contains(.lessWelcomeVideoType(than: "420f")))
  }

  @Test("A binned format is taken where no other runs at the rate, and that is said")
  func binned() throws {
    let request = FormatRequest(videoSize: FormatTables.size(640, 480), videoFramesPerSecond: 60)
    let choice = try FormatChoice(for: request, among: FormatTables.lidar12Pro)
    #expect(choice.video.isBinned && choice.remarks.contains { $0.contains("combines pixels") })
    var smaller = FormatRequest()
    smaller.largestVideoSize = FormatTables.size(1440, 1080)
    let free = try FormatChoice(for: smaller, among: FormatTables.trueDepthPad2024)
    #expect(!free.video.isBinned && free.rejections.map(\.reason).contains(.binned))
  }

  @Test("Dual: no format that excludes the depth output, and the zoom nearest to the wanted one")
  func dual() throws {
    var request = FormatRequest()
    request.largestVideoSize = FormatTables.size(8000, 8000)
    for (wanted, zoom) in [(1.0, 2.0), (3, 3), (4.9, 4), (5.1, 6), (20, 12)] {
      request.zoomFactor = wanted
      let choice = try FormatChoice(for: request, among: FormatTables.dual15Pro)
      #expect(choice.zoomFactor == zoom && choice.forcedZoomFactor == nil)
      #expect(choice.video.size == FormatTables.size(1920, 1440))
      #expect(choice.rejections.map(\.reason).contains(.depthOutputExcluded))
      #expect(choice.remarks.contains { $0.contains("at a zoom of") } == (wanted != zoom))
    }
    // 30 and at most 24 for depth: every second frame.
    #expect(
      try FormatChoice(for: request, among: FormatTables.dual15Pro).depthDuration
        == FrameDuration(framesPerSecond: 15))
  }

  @Test("A camera that ends at 29.97 is taken for 30, with exactly its own duration")
  func ntsc() throws {
    let choice = try FormatChoice(for: FormatRequest(), among: FormatTables.trueDepthPad2024)
    #expect(choice.video.size == FormatTables.size(1440, 1080))
    #expect(choice.videoDuration.value == 1001 && choice.videoDuration.timescale == 30_000)
    #expect(choice.depthDuration.map { choice.depth.rates[0].contains($0) } == true)
  }

  @Test(
    "Every duration that is set, also by warmth, is one of the format's",
    arguments: FormatTables.all,
    [12.0, 15, 24, 29.97, 30, 60])
  func durations(formats: DeviceFormats, rate: Double) throws {
    let types: [DepthPixelType] = [.depth32, .depth16, .disparity16]
    let request = FormatRequest(depthTypes: types, videoFramesPerSecond: rate)
    guard let choice = try? FormatChoice(for: request, among: formats) else {
      // No format of the table runs at this rate.
      #expect(!formats.formats.contains { $0.framesPerSecond.contains(rate) } || rate == 60)
      return
    }
    #expect(choice.video.rates.contains { $0.contains(choice.videoDuration) })
    let depth = try #require(choice.depthDuration)
    #expect(choice.depth.rates.contains { $0.contains(depth) })
    for divisor in [1.0, 2, 4, 100] {
      let lowered = choice.depthDuration(framesPerSecond: choice.depthFramesPerSecond / divisor)
      #expect(choice.depth.rates.contains { $0.contains(lowered) })
      #expect(lowered >= depth || abs(lowered.seconds - depth.seconds) < 1e-4)
    }
  }

  @Test("Types have their four characters; an unknown code stays a number")
  func pixelTypes() {
    for (type, text) in [
      (VideoPixelType.fullRange8, "420f"), (.videoRange8, "420v"), (.videoRange10, "x420"),
    ] {
      #expect(type.description == text)
      #expect(VideoPixelType(fourCharacterCode: type.fourCharacterCode) == type)
    }
    #expect(VideoPixelType(fourCharacterCode: 32) == .other(32))
    #expect(VideoPixelType.other(32).description == "32")
  }
}
