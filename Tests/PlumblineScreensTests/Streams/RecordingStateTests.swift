import Plumbline
import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineTestSupport
import Testing

@Suite("A recording and a server, as a screen shows them")
struct RecordingStateTests {
  @Test("One recording at a time, ended once, with its result kept until the next")
  func recording() {
    var state = RecordingState()
    #expect(state.buttonTitle == "Record" && state.text == nil && !state.isOpen)
    let early = state.requestEnd()
    #expect(!early)
    let (began, beganTwice) = (state.begin(name: "a.mcap"), state.begin(name: "b.mcap"))
    #expect(began && !beganTwice)
    #expect(state.name == "a.mcap" && state.text == "waiting for the first frame")
    let (ended, endedTwice) = (state.requestEnd(), state.requestEnd())
    #expect(ended && !endedTwice && state.phase == .finishing)
    state.finish("a.mcap: 3 frames, nothing lost")
    #expect(!state.isOpen && state.text == "a.mcap: 3 frames, nothing lost" && state.name == nil)
    state.take(RecordingStatistics())
    #expect(state.phase == .idle)
    let again = state.begin(name: "c.mcap")
    #expect(again && state.result == nil)
  }

  @Test("The numbers are those of the recorder of a simulated camera")
  func statistics() async throws {
    var settings = LiveCameraSettings()
    settings.size = RasterSize(width: 64, height: 48)
    settings.scene = .wall
    settings.viewCount = 2
    settings.frameLimit = 90
    let camera = SimulatedDepthCamera(settings, pace: .asFastAsPossible)
    let folder = try TemporaryFolder()
    let (reports, continuation) = AsyncStream.makeStream(of: RecordingStatistics.self)
    let path = folder.path + "/a.mcap"
    let outcome = try await MCAPFileRecorder(
      camera, header: RecordingHeader(worldAxes: .unknown, origin: "test")
    ).record(into: path) { continuation.yield($0) }
    continuation.finish()
    var state = RecordingState()
    _ = state.begin(name: "a.mcap")
    for await report in reports {
      state.take(report)
      #expect(state.statistics == report)
    }
    #expect(state.text?.hasPrefix("\(state.statistics.writtenFrames) frames, 1 s, ") == true)
    #expect((state.bytesPerSecond ?? 0) > 1000)
    state.finish(outcome.summary(of: "a.mcap"))
    #expect(state.text?.hasPrefix("a.mcap: 90 frames") == true && state.bytesPerSecond == nil)
  }

  @Test("While a file is open, neither camera nor smoothing changes, and the screen stays on")
  func locked() {
    var screen = StreamsScreen(camera: .lidar)
    screen.start()
    #expect(!screen.canRecord && !screen.keepsScreenOn)
    screen.take(.capture(Frames.capture { _, _ in 1 }))
    #expect(screen.canRecord)
    _ = screen.recording.begin(name: "a.mcap")
    let request = screen.request
    #expect(!screen.canLeave)
    screen.camera = .trueDepth
    screen.isFiltered = true
    #expect(screen.request == request && screen.keepsScreenOn && !screen.canRecord)
    screen.recording.finish("done")
    #expect(screen.canLeave)
    screen.isFiltered = true
    screen.camera = .trueDepth
    #expect(screen.request.camera == .trueDepth && screen.request.isFiltered)
    #expect(screen.smoothingText.contains("not for measuring"))
    screen.camera = .arkitFace
    #expect(!screen.isFiltered && screen.smoothingText.hasPrefix("ARKit"))
    #expect(screen.diskText == "free space unknown")
  }

  static let plainLink = "https://192.168.1.5:43817/#token=abc"

  @Test("Only a link starts a stream; a code is taken only while codes are looked for")
  func link() throws {
    var server = ServerConnection()
    #expect(!server.canStart)
    server.linkText = "  "
    #expect(!server.canStart)
    server.linkText = "ftp://x"
    server.start()
    #expect(!server.isWanted && server.message?.hasPrefix("This is no link") == true)
    server.start(code: Self.plainLink)
    #expect(!server.isWanted)
    server.isScanning = true
    server.start(code: "a recipe")
    #expect(!server.isWanted && server.isScanning && server.message != nil)
    server.start(code: Self.plainLink)
    #expect(server.isWanted && !server.isScanning && server.message == nil)
    server.stop()
    #expect(!server.isWanted)
  }

  @Test("A certificate that the system does not trust is trusted only after a person said so")
  func fingerprint() throws {
    let digits = String(repeating: "ab", count: 32)
    let fingerprint = try #require(CertificateFingerprint(digits[...]))
    var server = ServerConnection()
    server.linkText = Self.plainLink
    server.start()
    let link = try #require(server.link)
    #expect(server.question == nil)
    server.trustFingerprint()
    #expect(server.link == link)
    server.finish(.failed(.connection(.untrusted(fingerprint))), summary: "no", of: link)
    #expect(!server.isWanted && server.question?.contains("192.168.1.5") == true)
    server.trustFingerprint()
    #expect(server.link?.fingerprint == fingerprint && server.untrusted == nil)
    // The end of an older stream takes nothing away from the one that is wanted now.
    server.finish(.failed(.connection(.unreachable("gone"))), summary: "gone", of: link)
    #expect(server.link?.fingerprint == fingerprint && server.message == "Gone.")
    server.finish(.stopped, summary: "streamed 3 frames", of: link)
    #expect(server.isWanted)
  }
}
