import Plumbline
import PlumblineTestSupport
import Synchronization
import Testing

/// A camera that is watched: its consumer gets everything, viewers the newest.
@Suite struct WatchedCameraTests {
  /// Keeps what a viewer would be shown.
  final class Sink: LiveSink {
    enum Shown: Sendable {
      case scene([UInt8])
      case frame([UInt8], Int)
    }

    private let state = Mutex<(shown: [Shown], drops: Int, thermal: [ThermalState])>(([], 0, []))

    var shown: [Shown] { state.withLock { $0.shown } }
    var drops: Int { state.withLock { $0.drops } }
    var thermal: [ThermalState] { state.withLock { $0.thermal } }
    var frames: [(bytes: [UInt8], sequence: Int)] {
      shown.compactMap {
        if case .frame(let bytes, let number) = $0 { (bytes, number) } else { nil }
      }
    }

    func show(scene: [UInt8]) { state.withLock { $0.shown.append(.scene(scene)) } }
    func show(frame: [UInt8], sequence: Int, takenAt: ContinuousClock.Instant) {
      state.withLock { $0.shown.append(.frame(frame, sequence)) }
    }
    func set(thermal: ThermalState) { state.withLock { $0.thermal.append(thermal) } }
    func add(_ frames: DroppedFrame) { state.withLock { $0.drops += frames.count } }
  }

  static func camera(_ change: (inout LiveCameraSettings) -> Void = { _ in })
    -> SimulatedDepthCamera
  {
    var settings = LiveCameraSettings()
    settings.scene = .wall
    settings.size = RasterSize(width: 64, height: 48)
    settings.videoFramesPerSecond = 30
    settings.depthFramesPerSecond = 30
    settings.viewCount = 2
    settings.frameLimit = 20
    change(&settings)
    return SimulatedDepthCamera(settings, pace: .asFastAsPossible)
  }

  @Test("The consumer gets every frame, viewers ascending ones up to the last, after their scene")
  func everyFrame() async throws {
    let sink = Sink()
    var captures: [Capture] = []
    for try await event in WatchedCamera(Self.camera(), shownTo: sink).events() {
      if case .capture(let capture) = event { captures.append(capture) }
    }
    #expect(captures.count == 20 && captures.allSatisfy { $0.color != nil })
    let frames = sink.frames
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    #expect(frames.last?.sequence == 19)
    guard case .scene(let text)? = sink.shown.first else {
      Issue.record("no scene came first")
      return
    }
    let scene = try JSONValue(parsing: text)
    #expect(scene["type"]?.string == "scene" && scene["schema"]?.string == "plumbline.scene/2")
    for (bytes, sequence) in frames {
      let frame = try StreamFrame(bytes)
      #expect(frame.sequence == sequence && frame.capture.colorFile?.kind == .jpeg)
      #expect(frame.capture.timestampSeconds == captures[sequence].timestampSeconds)
      let shown = try #require(frame.capture.depth)
      let taken = try #require(captures[sequence].depth)
      #expect(Self.bits(of: shown) == Self.bits(of: taken))
    }
  }

  /// The depth's numbers, all missing ones alike.
  static func bits(of record: DepthRecord) -> [UInt32] {
    let raster =
      switch record.values {
      case .depth(let map): map.meters
      case .disparity(let map): map.inverseMeters
      case .range(let map): map.meters
      }
    return raster.packed.samples.map { $0.isNaN ? 0 : $0.bitPattern }
  }

  @Test("Where the consumer stores JPEG, color is encoded once: both get the same bytes")
  func sharedColor() async throws {
    let sink = Sink()
    var files: [[UInt8]?] = []
    let camera = WatchedCamera(
      Self.camera { $0.frameLimit = 4 }, shownTo: sink, recordedColor: .jpeg(quality: 95))
    for try await event in camera.events() {
      if case .capture(let capture) = event { files.append(capture.colorFile?.bytes) }
    }
    #expect(files.count == 4 && !files.contains(nil))
    for (bytes, sequence) in sink.frames {
      #expect(try StreamFrame(bytes).capture.colorFile?.bytes == files[sequence])
    }
  }

  @Test("Losses and warmth reach viewers and the consumer alike, and a failure is thrown")
  func losses() async throws {
    let sink = Sink()
    let camera = WatchedCamera(
      Self.camera {
        $0.frameLimit = 60
        $0.dropShares = [.lateData: 0.4]
        $0.thermalScript = [.init(seconds: 0.5, reading: ThermalReading(.fair))]
        $0.failureSeconds = 1.5
      }, shownTo: sink)
    var drops = 0
    var thermal: [ThermalState] = []
    await #expect(throws: DepthCameraError.self) {
      for try await event in camera.events() {
        switch event {
        case .dropped(let frames): drops += frames.count
        case .thermal(let reading): thermal.append(reading.state)
        default: break
        }
      }
    }
    #expect(drops > 0 && sink.drops == drops)
    #expect(thermal == [.fair] && sink.thermal == thermal)
  }

  @Test("A scene comes when numbers change, and its rays are those of the frame")
  func scenes() throws {
    var finder = LiveSceneFinder()
    var capture = SampleCaptures.frame(0)
    capture.color = nil
    func rays(_ scene: [UInt8]?) throws -> [Double] {
      let text = try #require(scene)
      let document = try JSONValue(parsing: text)
      return try #require(document["rays"]?.numbers)
    }
    let first = try rays(finder.next(capture))
    #expect(finder.next(capture) == nil)
    capture.depth?.calibration?.intrinsics.focalLength *= 2
    let second = try rays(finder.next(capture))
    // Twice the focal length halves every ray, to single precision.
    #expect(zip(first, second).allSatisfy { abs($0 / 2 - $1) < 1e-6 })
    let check = try CaptureAnalyzer().analyze(capture, fileName: "a")
    let expected = try #require(FrameScene(check)).rays.directions
    #expect(zip(second, expected.flatMap { [$0.x, $0.y] }).allSatisfy { Float($0) == $1 })
    capture.depth = nil
    #expect(finder.next(capture) == nil)
  }
}
