import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@Suite("The screen with live depth")
struct StreamerScreenTests {
  static func change(_ rate: Double, _ state: ThermalState) -> DepthRateChange {
    DepthRateChange(
      framesPerSecond: rate, fullFramesPerSecond: 30, reading: ThermalReading(state))
  }

  @Test("A camera that was asked for is starting, then running, then off")
  func phases() async throws {
    var screen = StreamerScreen()
    #expect(screen.run.phase == .off && screen.run.message == nil)
    screen.start()
    #expect(screen.run.phase == .starting && !screen.run.canRetry)
    var drawn = 0
    for event in try await Frames.simulated(4) {
      guard let frame = screen.take(event) else { continue }
      screen.take(screen.drawing(of: frame))
      drawn += 1
    }
    #expect(drawn == 4 && screen.run.phase == .running && screen.run.status.frames == 4)
    #expect(screen.legend == "near 0.20 m, far 1.20 m")
    screen.end()
    #expect(screen.run.phase == .ended && screen.run.canRetry)
    screen.stop()
    #expect(screen.run.phase == .off)
  }

  @Test(
    "An interrupted camera says what ends that and goes on by itself",
    arguments: SessionInterruption.allCases)
  func interruption(reason: SessionInterruption) throws {
    var screen = StreamerScreen()
    screen.start()
    _ = screen.take(.capture(Frames.capture { _, _ in 0.5 }))
    let request = screen.request
    _ = screen.take(.interrupted(reason))
    let message = try #require(screen.run.message)
    #expect(message == "Paused: \(reason). \(reason.advice)" && !screen.run.canRetry)
    screen.isActive = false
    screen.isActive = true
    #expect(screen.request == request)
    _ = screen.take(.resumed)
    #expect(screen.run.message == nil && screen.run.phase == .starting)
    _ = screen.take(.capture(Frames.capture { _, _ in 0.5 }))
    #expect(screen.run.phase == .running)
  }

  @Test(
    "A camera that was taken away for good starts once more when the app comes back",
    arguments: SessionInterruption.allCases)
  func takenAway(reason: SessionInterruption) throws {
    var screen = StreamerScreen()
    screen.start()
    screen.isActive = false
    screen.end(.interrupted(reason))
    let request = screen.request
    let message = try #require(screen.run.message)
    #expect(message.contains(reason.description) && message.hasSuffix(".") && screen.run.canRetry)
    screen.isActive = true
    #expect(screen.request != request && screen.request.isWanted)
    screen.start()
    #expect(screen.run.message == nil && screen.run.status.frames == 0)
  }

  @Test("A camera that runs is not started again by coming to the front")
  func noNeedlessStart() throws {
    var screen = StreamerScreen()
    screen.start()
    _ = screen.take(.capture(Frames.capture { _, _ in 0.5 }))
    let request = screen.request
    screen.isActive = false
    screen.isActive = true
    screen.retry()
    #expect(screen.request == request)
    screen.end(.failed("lens cap"))
    screen.retry()
    #expect(screen.request != request)
  }

  @Test("Warmth first slows depth with a message, then stops it with one, and why is not lost")
  func warmth() throws {
    var screen = StreamerScreen()
    screen.start()
    _ = screen.take(.capture(Frames.capture { _, _ in 0.5 }))
    _ = screen.take(.thermal(ThermalReading(.fair)))
    #expect(screen.run.message == nil)
    _ = screen.take(.thermal(ThermalReading(.serious)))
    _ = screen.take(.depthRate(Self.change(15, .serious)))
    #expect(
      screen.run.message
        == "Depth runs at 15 instead of 30 fps: the device is serious. If it gets warmer, depth stops."
    )
    #expect(WarmthNotice(screen.run.status)?.grade == .warning)
    _ = screen.take(.depthRate(Self.change(0, .critical)))
    #expect(
      screen.run.message?.hasPrefix("Stopped: depth is stopped: the device is critical.") == true)
    _ = screen.take(.capture(Frames.capture { _, _ in 0.5 }))
    #expect(screen.run.phase == .tooWarm(Self.change(0, .critical)))
    screen.end()
    #expect(screen.run.canRetry)
    #expect(screen.run.message?.contains("cooled down") == true)
    _ = screen.take(.depthRate(Self.change(15, .serious)))
    #expect(screen.run.phase == .starting)
    screen.start()
    #expect(screen.run.message == nil)
  }

  @Test("A denied camera says where to allow it; any other error says itself")
  func errors() {
    var run = CameraRun()
    run.start()
    run.end(.notAuthorized)
    #expect(
      run.message == "The camera may not be used. Allow it in Settings, under Privacy, Camera.")
    run.start()
    run.end(.noDevice("builtInLiDARDepthCamera"))
    #expect(run.message == "Stopped: there is no builtInLiDARDepthCamera.")
  }

  @Test("Another camera brings its own distances and view, and forgets what was touched")
  func camera() throws {
    var screen = StreamerScreen(camera: .trueDepth)
    screen.start()
    #expect(screen.touchText == "Touch the image to read its depth.")
    screen.touch(TouchedPlace(share: [0.5, 0.5]))
    #expect(screen.touchText == "waiting for a frame")
    screen.take(screen.drawing(of: Frames.capture { _, _ in 0.5 }))
    #expect(screen.touchText.hasPrefix("0.500 m ± "))
    screen.gestures.pinch(to: 2, from: .zero)
    let before = screen.request
    screen.camera = .lidar
    #expect(screen.place == nil && screen.touched == nil && screen.request != before)
    #expect(screen.gestures == OrbitGestures())
    #expect(screen.display.range.farMeters == 5)
    screen.touch(TouchedPlace(share: [2, 2]))
    #expect(screen.place == nil)
  }

  @Test("A reading is shown only where a person still touches")
  func moved() {
    var screen = StreamerScreen()
    screen.touch(TouchedPlace(share: [0.2, 0.2]))
    let drawing = screen.drawing(of: Frames.capture { x, _ in x < 4 ? 0.9 : 0.5 })
    #expect(drawing.touched != nil)
    screen.touch(TouchedPlace(share: [0.8, 0.2]))
    screen.take(drawing)
    #expect(screen.touched == nil && screen.place?.share == [0.8, 0.2])
    screen.take(screen.drawing(of: Frames.capture { x, _ in x < 4 ? 0.9 : 0.5 }))
    #expect(screen.touchText.hasPrefix("0.900 m"))
  }

  @Test("The points' view turns about the median depth of the first frame")
  func points() throws {
    var screen = StreamerScreen()
    screen.display.view = .points
    let near = screen.drawing(of: Frames.capture { _, _ in 0.5 })
    #expect(near.image == nil && near.points != nil)
    screen.take(near)
    #expect(screen.gestures.camera.homeDistance == 0.5)
    screen.gestures.drag(to: [10, 10], from: .zero, viewHeight: 100)
    screen.take(screen.drawing(of: Frames.capture { _, _ in 2 }))
    #expect(screen.gestures.camera.homeDistance == 0.5)
  }
}
