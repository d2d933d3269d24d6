import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("What a screen shows of a camera")
struct PreviewTests {
  static let colors = DepthColors(span: .fixed(nearMeters: 0.5, farMeters: 2.5))

  @Test("Images are upright, and mirrored at the front")
  func upright() throws {
    var capture = Capture(source: CaptureSource())
    capture.color = Raster(size: RasterSize(width: 4, height: 2)) { x, y in
      RGB8(red: UInt8(x), green: UInt8(y), blue: 0)
    }
    capture.colorOrientation = .right
    let back = try #require(CapturePreview(capture, colors: Self.colors).color)
    let front = try #require(CapturePreview(capture, colors: Self.colors, isMirror: true).color)
    #expect(back.size == RasterSize(width: 2, height: 4) && front.size == back.size)
    // Turned clockwise, the stored lower left corner comes to the upper left.
    #expect(back[0, 0] == RGB8(red: 0, green: 1, blue: 0))
    #expect(front[1, 0] == back[0, 0] && front[0, 3] == back[1, 3])
    #expect(CapturePreview(capture, colors: Self.colors).depth == nil)
    let map = DepthMap(meters: Raster(size: RasterSize(width: 2, height: 1), samples: [0.5, .nan]))
    var record = DepthRecord(values: .depth(map), storedType: "fdep")
    record.orientation = .right
    capture.depth = record
    let depth = try #require(CapturePreview(capture, colors: Self.colors).depth)
    #expect(depth.size == RasterSize(width: 1, height: 2))
    #expect(depth[0, 0] == RGB8(red: 0x7A, green: 0x04, blue: 0x03))
    #expect(depth[0, 1] == RGB8(red: 0, green: 0, blue: 0))
    #expect(CapturePreview(capture, colors: Self.colors, maximumSide: 2).color?.width == 1)
  }

  @Test("Words for rate, losses, warmth and disk")
  func words() {
    var status = CaptureStatus()
    #expect(status.rateText == "no frames yet" && status.lossText == "nothing lost")
    #expect(status.warmthText == "temperature normal")
    for index in 0..<61 {
      status.take(EventQueueTests.capture(Double(index) / 30))
    }
    status.take(.dropped(DroppedFrame(timestampSeconds: 1, reason: .outOfBuffers, count: 2)))
    status.take(.dropped(DroppedFrame(timestampSeconds: 1, reason: .lateData)))
    status.take(.motionLost(sampleCount: 7))
    status.take(.thermal(ThermalReading(.serious)))
    #expect(status.frames == 61 && status.rateText == "30.0 frames/s")
    #expect(status.lossText == "lost: 1 too late, 2 without a buffer, 7 motion samples")
    #expect(status.warmthText == "device serious")
    #expect(CaptureStatus.diskText(freeBytes: nil) == "free space unknown")
    #expect(CaptureStatus.diskText(freeBytes: 12_345_678_901) == "12.3 GB free")
    #expect(
      CaptureStatus.diskText(freeBytes: 6_000_000_000, bytesPerSecond: 20e6)
        == "6.0 GB free, 5 min")
    #expect(
      CaptureStatus.diskText(freeBytes: 6_000_000, bytesPerSecond: 20e6)
        == "0.0 GB free, less than a minute")
  }

  @Test("The end of a recording in words: what is stored, and what went wrong")
  func summary() async {
    let good = await RecorderTests.run(RecorderTests.fast(9), MemoryWriter(MemoryWriter.Log()))
    #expect(good.summary(of: "a.mcap") == "a.mcap: 9 frames, nothing lost")
    let refused = await RecorderTests.run(
      RecorderTests.fast(9), MemoryWriter(MemoryWriter.Log(), refused: [2, 5]))
    #expect(refused.summary(of: "a.mcap") == "a.mcap: 7 frames, nothing lost, 2 refused")
    let full = await RecorderTests.run(
      RecorderTests.fast(9), MemoryWriter(MemoryWriter.Log(), fullAfter: 3))
    #expect(full.summary(of: "a.mcap").contains("No space left on device"))
  }

  @Test("Each camera of the list is one interface's", arguments: CameraSelection.allCases)
  func selection(camera: CameraSelection) {
    #expect(camera.takesPhotos == (camera.device != nil))
    if let device = camera.device { #expect(device.isAtFront == camera.isAtFront) }
    #expect((camera.worldAxes == .yUp) == (camera == .arkitWorld))
    guard case .fixed(let near, let far) = camera.previewColors.span else {
      Issue.record("a preview whose colors flicker")
      return
    }
    #expect(near < far)
    #expect(!camera.name.isEmpty)
  }
}
